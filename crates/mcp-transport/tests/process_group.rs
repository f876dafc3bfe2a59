//! Seeing an exit without reaping, the ladder, and what happens to the rest of the group.
#![cfg(all(feature = "stdio", unix))]

mod process_support;

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use mcp_transport::process::{EndStep, Ladder, ProcessGroup};
use process_support::{LIMIT, gone, is_taken, line, rest, shell, spawn, within};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, waitpid};
use tokio::io::AsyncWriteExt;

const INSTANT: Duration = Duration::from_millis(50);

/// A script that goes on for ever; every process of it is soon in a `sleep`.
const FOR_EVER: &str = "echo up; while :; do sleep 1; done";

fn ladder(grace: Duration, term: Duration) -> Ladder {
    Ladder { grace, term }
}

#[tokio::test]
async fn an_exit_is_seen_by_all_who_wait_and_reaped_only_by_the_end() {
    let (group, mut pipes) = spawn("read line; exit 3");
    let waiters = async { tokio::join!(group.exited(), group.exited(), group.exited()) };
    let end_input = async {
        drop(pipes.stdin.take());
    };
    let ((a, b, c), ()) = within("the exit", async { tokio::join!(waiters, end_input) }).await;
    for status in [a, b, c] {
        assert_eq!(status.unwrap().code(), Some(3));
    }
    assert!(group.has_exited());
    assert!(is_taken(group.id()), "the exit alone reaped the process");

    let ended = group.terminate(Ladder::default()).await;
    assert_eq!((ended.step, ended.status), (EndStep::Exited, a));
    assert!(!is_taken(group.id()), "the end did not reap the process");
    assert_eq!(group.exited().await, a, "the status is forgotten");
}

#[tokio::test]
async fn the_exit_status_is_the_one_that_wait_would_give() {
    for (script, code, signal) in [
        ("exit 0", Some(0), None),
        ("exit 255", Some(255), None),
        ("kill -9 $$", None, Some(9)),
        ("kill -TERM $$", None, Some(15)),
        ("ulimit -c 0; kill -ABRT $$", None, Some(6)),
    ] {
        let (group, _pipes) = spawn(script);
        let seen = within(script, group.exited()).await.unwrap();
        assert_eq!((seen.code(), seen.signal()), (code, signal), "{script}");
        let ended = group.terminate(Ladder::default()).await;
        assert_eq!(ended.status, Some(seen));
    }
}

#[tokio::test]
async fn the_ladder_goes_no_further_than_it_must() {
    for (script, ladder, step, code, signal) in [
        // Ends with its input.
        (
            "echo up; read line; exit 4",
            ladder(LIMIT, LIMIT),
            EndStep::Exited,
            Some(4),
            None,
        ),
        // Ends at SIGTERM, by its own handler or by default.
        (
            "trap 'exit 7' TERM; echo up; while :; do sleep 1 & wait; done",
            ladder(INSTANT, LIMIT),
            EndStep::Terminated,
            Some(7),
            None,
        ),
        (
            "echo up; exec sleep 1000",
            ladder(INSTANT, LIMIT),
            EndStep::Terminated,
            None,
            Some(15),
        ),
        // Stopped, as a program is that touches the terminal from the background.
        (
            "echo up; kill -STOP $$; exec sleep 1000",
            ladder(INSTANT, LIMIT),
            EndStep::Terminated,
            None,
            Some(15),
        ),
        (
            "trap '' TERM; echo up; while :; do sleep 1; done",
            ladder(INSTANT, INSTANT),
            EndStep::Killed,
            None,
            Some(9),
        ),
        (
            "trap 'exit 7' TERM; echo up; while :; do sleep 1; done",
            Ladder::kill(),
            EndStep::Killed,
            None,
            Some(9),
        ),
    ] {
        let (group, mut pipes) = spawn(script);
        assert_eq!(line(&mut pipes.stdout).await, "up");
        drop(pipes.stdin.take());
        let ended = within(script, group.terminate(ladder)).await;
        let status = ended.status.unwrap();
        assert_eq!(
            (ended.step, status.code(), status.signal()),
            (step, code, signal),
            "{script}"
        );
        rest(&mut pipes.stdout).await;
        assert!(!is_taken(group.id()), "{script}");
    }
}

#[tokio::test]
async fn the_default_ladder_has_two_seconds_a_step() {
    let second = Duration::from_secs(1);
    assert_eq!(Ladder::default(), ladder(2 * second, 2 * second));
    assert_eq!(Ladder::term_first(), ladder(Duration::ZERO, 2 * second));
    assert_eq!(Ladder::kill(), ladder(Duration::ZERO, Duration::ZERO));
}

#[tokio::test]
async fn grandchildren_that_ignore_every_signal_die_with_the_leader() {
    for script in [
        // The leader ends by itself and leaves a child.
        "(trap '' TERM HUP; echo up; while :; do sleep 1; done) & read line",
        // The leader dies of SIGTERM, a child and a grandchild ignore it.
        "(trap '' TERM; (echo up; while :; do sleep 1; done) & wait) & while :; do sleep 1; done",
    ] {
        let (group, mut pipes) = spawn(script);
        assert_eq!(line(&mut pipes.stdout).await, "up");
        drop(pipes.stdin.take());
        within(script, group.terminate(ladder(INSTANT, LIMIT))).await;
        // The output ends when no process of the group holds it any more.
        rest(&mut pipes.stdout).await;
    }
}

#[tokio::test]
async fn any_number_of_ends_at_once_give_the_same_answer() {
    let (group, mut pipes) = spawn(FOR_EVER);
    line(&mut pipes.stdout).await;
    let end = |grace| group.terminate(ladder(grace, LIMIT));
    let (a, b, c) = within("the end", async {
        tokio::join!(end(INSTANT), end(LIMIT), end(Duration::ZERO))
    })
    .await;
    assert_eq!(a.step, EndStep::Terminated);
    assert_eq!((a, a), (b, c));
    assert_eq!(group.terminate(Ladder::kill()).await, a);
}

#[tokio::test]
async fn an_end_that_was_given_up_can_be_asked_for_again() {
    let (group, mut pipes) = spawn("trap '' TERM; echo up; while :; do sleep 1; done");
    line(&mut pipes.stdout).await;
    let given_up = tokio::time::timeout(INSTANT, group.terminate(ladder(INSTANT / 2, LIMIT)));
    assert!(given_up.await.is_err());
    assert!(!group.has_exited());
    let ended = within("the end", group.terminate(Ladder::kill())).await;
    assert_eq!(ended.step, EndStep::Killed);
}

#[tokio::test]
async fn a_kill_waits_for_nothing_and_leaves_the_reaping_to_the_end() {
    let (group, mut pipes) = spawn("trap '' TERM; (echo up; while :; do sleep 1; done) & wait");
    line(&mut pipes.stdout).await;
    group.kill();
    rest(&mut pipes.stdout).await;
    assert!(is_taken(group.id()));
    let ended = within("the end", group.terminate(Ladder::default())).await;
    assert_eq!(ended.step, EndStep::Killed);
    assert_eq!(ended.status.unwrap().signal(), Some(9));
    // There is nothing left that it could reach.
    group.kill();
}

#[tokio::test]
async fn a_process_that_someone_else_reaped_is_signalled_no_more() {
    let (group, mut pipes) = spawn("(echo up; read -r line <&3; echo end) 3<&0 & exit 5");
    line(&mut pipes.stdout).await;
    // A host that waits for any child takes the status, and the id may come round.
    let leader = Pid::from_raw(i32::try_from(group.id()).unwrap());
    while let Err(error) = waitpid(leader, WaitOptions::empty()) {
        assert_eq!(error, Errno::INTR);
    }
    assert_eq!(within("the exit", group.exited()).await, None);
    let ended = within("the end", group.terminate(Ladder::default())).await;
    assert_eq!(ended.status, None);
    drop(group);
    // The rest of the group was let alone.
    drop(pipes.stdin.take());
    assert_eq!(rest(&mut pipes.stdout).await, "end\n");
}

#[tokio::test]
async fn a_process_without_input_reads_its_end() {
    let spec = shell("cat; echo done").stdin_null();
    let (_group, mut pipes) = ProcessGroup::spawn(&spec).unwrap();
    assert!(pipes.stdin.is_none());
    assert_eq!(rest(&mut pipes.stdout).await, "done\n");
}

#[tokio::test]
async fn the_pipes_carry_what_is_written() {
    let (group, mut pipes) = spawn("cat; echo oops >&2");
    let mut stdin = pipes.stdin.take().unwrap();
    let text = "x".repeat(1 << 20);
    let write = async {
        stdin.write_all(text.as_bytes()).await.unwrap();
        drop(stdin);
    };
    let (read, ()) = tokio::join!(rest(&mut pipes.stdout), write);
    assert!(read == text);
    assert_eq!(rest(&mut pipes.stderr).await, "oops\n");
    assert_eq!(
        group.terminate(Ladder::default()).await.step,
        EndStep::Exited
    );
}

#[tokio::test]
async fn dropping_kills_the_group_and_reaps_it() {
    let (group, mut pipes) =
        spawn("(trap '' TERM; while :; do sleep 1; done) & trap '' TERM; echo up; wait");
    line(&mut pipes.stdout).await;
    let id = group.id();
    drop(group);
    rest(&mut pipes.stdout).await;
    gone(id);
}

#[tokio::test]
async fn dropping_what_has_exited_reaps_it_at_once() {
    let (group, mut pipes) = spawn("sleep 1000 & exit 0");
    within("the exit", group.exited()).await;
    let id = group.id();
    drop(group);
    assert!(!is_taken(id));
    rest(&mut pipes.stdout).await;
}

#[test]
fn dropping_outside_a_runtime_works_the_same() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (group, mut pipes) = runtime.block_on(async {
        let (group, mut pipes) = spawn(FOR_EVER);
        line(&mut pipes.stdout).await;
        (group, pipes)
    });
    let stdout = pipes.stdout.into_blocking_fd().unwrap();
    drop(pipes.stdin.take());
    drop(runtime);
    let id = group.id();
    drop(group);
    std::fs::File::from(stdout)
        .read_to_end(&mut Vec::new())
        .unwrap();
    gone(id);
}

#[test]
fn an_exit_is_seen_on_every_kind_of_runtime() {
    let mut builders = [
        tokio::runtime::Builder::new_current_thread(),
        tokio::runtime::Builder::new_multi_thread(),
    ];
    for builder in &mut builders {
        let runtime = builder.enable_all().build().unwrap();
        runtime.block_on(async {
            let (group, mut pipes) = spawn("read line");
            drop(pipes.stdin.take());
            within("the exit", group.exited()).await;
        });
    }
}
