//! Both ways of noticing an exit side by side, and the end of a group by each of them. Everything
//! else is tested through the public surface, which takes the way that the system offers.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use rustix::process::Pid;
use tokio::io::AsyncReadExt;

use super::exit::ExitNotice;
use super::{EndStep, Ladder, Pipes, ProcessGroup, ProcessSpec};

type Way = fn(Pid) -> std::io::Result<ExitNotice>;

/// A system without pidfds (or a debugger that hides them) has only the second.
const WAYS: [(&str, Way); 2] = [
    ("by the best way", ExitNotice::of),
    ("by a thread", ExitNotice::by_thread),
];

fn spawn(way: Way, script: &str) -> (ProcessGroup, Pipes) {
    let spec = ProcessSpec::new("/bin/sh", "/")
        .args(["-c", script])
        .env([("PATH", "/usr/bin:/bin")]);
    ProcessGroup::spawn_with(&spec, way).unwrap()
}

#[tokio::test]
async fn each_way_wakes_all_who_wait_and_reaps_nothing() {
    for (name, way) in WAYS {
        let (group, mut pipes) = spawn(way, "read line; exit 5");
        drop(pipes.stdin.take());
        let (a, b) = tokio::join!(group.exited(), group.exited());
        assert_eq!((a, a.unwrap().code()), (b, Some(5)), "{name}");
        let entry = format!("/proc/{}", group.id());
        assert!(!cfg!(target_os = "linux") || std::path::Path::new(&entry).exists());
        let ended = group.terminate(Ladder::default()).await;
        assert_eq!((ended.step, ended.status), (EndStep::Exited, a), "{name}");
    }
}

#[tokio::test]
async fn each_way_climbs_the_whole_ladder() {
    for (name, way) in WAYS {
        let script = "trap '' TERM; echo; while :; do sleep 1; done";
        let (group, mut pipes) = spawn(way, script);
        pipes.stdout.read_u8().await.unwrap();
        let ended = group
            .terminate(Ladder {
                grace: Duration::from_millis(20),
                term: Duration::from_millis(20),
            })
            .await;
        assert_eq!(ended.step, EndStep::Killed, "{name}");
        assert_eq!(ended.status.unwrap().signal(), Some(9), "{name}");
        pipes.stdout.read_to_end(&mut Vec::new()).await.unwrap();
    }
}

#[tokio::test]
async fn each_way_stands_a_drop_while_the_process_runs() {
    for (_, way) in WAYS {
        let (group, mut pipes) = spawn(way, "echo; while :; do sleep 1; done");
        pipes.stdout.read_u8().await.unwrap();
        drop(group);
        pipes.stdout.read_to_end(&mut Vec::new()).await.unwrap();
    }
}
