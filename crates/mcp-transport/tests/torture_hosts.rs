//! Random kills of hosts, at random moments, also while they start servers: no server is left.
//!
//! A short run by default. The long one, which prints its seed so that it can be repeated:
//! `TORTURE_HOSTS=100 cargo test -p mcp-transport --test torture_hosts -- --nocapture`
#![cfg(all(feature = "stdio", target_os = "linux"))]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests fail by panicking"
)]

#[expect(dead_code, reason = "the host program uses the rest")]
mod torture_support;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use torture_support::{Chance, example, marked, seed, setting};

/// No server outlives its host by more.
const PROMISE: Duration = Duration::from_secs(5);

/// Kills the groups that the watcher of a dead host did not, and says which they were.
fn end_left_over(mark: &str) -> BTreeSet<i32> {
    let groups: BTreeSet<i32> = marked(mark).into_iter().map(|(group, _)| group).collect();
    for group in &groups {
        let _ = kill_process_group(Pid::from_raw(*group).unwrap(), Signal::KILL);
    }
    groups
}

/// Runs a host and kills it at a random moment. The answer is how often it connected.
fn host(chance: &mut Chance) -> u64 {
    let mark = chance.next().to_string();
    let mut host = Command::new("/bin/sh")
        .args(["-c", "exec \"$@\" 3>&2 2>/dev/null", "sh"])
        .arg(example("torture-host"))
        .arg(&mark)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut alive = host.stderr.take().unwrap();
    let mut lines = BufReader::new(host.stdout.take().unwrap()).lines();
    let first = lines.next().expect("the host did not come up");
    thread::sleep(chance.millis(80));
    let signal = [Signal::KILL, Signal::TERM][usize::from(chance.below(2) == 0)];
    kill_process(Pid::from_child(&host), signal).unwrap();
    host.wait().unwrap();
    let known: Vec<i32> = [first]
        .into_iter()
        .chain(lines)
        .map_while(|line| line.ok()?.parse().ok())
        .collect();
    let (sender, receiver) = mpsc::channel();
    // Every process of the host holds the other end of this pipe.
    let reader = thread::spawn(move || {
        let end = alive.read_to_end(&mut Vec::new());
        let _ = sender.send(end);
    });
    let left = match receiver.recv_timeout(PROMISE) {
        Ok(_) => BTreeSet::new(),
        Err(_) => end_left_over(&mark),
    };
    reader.join().unwrap();
    assert!(
        left.is_empty(),
        "the watcher left {left:?}; connected were {known:?}"
    );
    known.len() as u64
}

#[test]
fn hosts_that_are_killed_at_random_leave_nothing() {
    let hosts = setting("TORTURE_HOSTS", 6);
    let mut chance = Chance(seed());
    let mut connects = 0;
    for _ in 0..hosts.div_ceil(2) {
        let mut pair = [Chance(chance.next()), Chance(chance.next())];
        thread::scope(|scope| {
            let running: Vec<_> = pair
                .iter_mut()
                .map(|own| scope.spawn(|| host(own)))
                .collect();
            connects += running
                .into_iter()
                .map(|done| done.join().unwrap())
                .sum::<u64>();
        });
    }
    println!("{hosts} hosts, {connects} connects");
}
