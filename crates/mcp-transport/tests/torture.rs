//! Random kills of servers and of their groups, at random moments: nothing is left, and no call is
//! without an answer. One test only, since it counts what belongs to the whole program.
//!
//! A short run by default. The long one, which prints its seed so that it can be repeated:
//! `TORTURE_CONNECTS=1000 cargo test -p mcp-transport --test torture -- --nocapture`
#![cfg(all(feature = "stdio", target_os = "linux"))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod torture_support;

use std::collections::BTreeSet;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::task::JoinSet;
use torture_support::{Chance, HANG, Tally, marked, one_life, seed, setting};

/// Children of this program other than the watcher, dead or alive.
fn servers() -> Vec<i32> {
    let mut found = Vec::new();
    for task in fs::read_dir("/proc/self/task").unwrap().flatten() {
        let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        for pid in children.split_whitespace() {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            if !line.ends_with(b"\0mcp-watcher\0") {
                found.push(pid.parse().unwrap());
            }
        }
    }
    found
}

/// Descriptors and what they lead to.
fn descriptors() -> BTreeSet<String> {
    let entries = fs::read_dir("/proc/self/fd").unwrap().flatten();
    let links =
        entries.filter_map(|entry| Some((entry.file_name(), fs::read_link(entry.path()).ok()?)));
    // The directory that is being read is one of them.
    links
        .filter(|(_, target)| !target.starts_with("/proc"))
        .map(|(number, target)| format!("{} {}", number.display(), target.display()))
        .collect()
}

fn opened_since(before: &BTreeSet<String>) -> Vec<String> {
    descriptors().difference(before).cloned().collect()
}

/// Waits until nothing is left, of which nobody tells.
fn soon<T: std::fmt::Debug>(left: impl Fn() -> Vec<T>, what: &str) {
    let start = Instant::now();
    loop {
        let left = left();
        if left.is_empty() {
            return;
        }
        assert!(start.elapsed() < HANG, "{what} are left: {left:#?}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Kills a random server, or its whole group, every few milliseconds.
async fn killer(mut chance: Chance) {
    loop {
        tokio::time::sleep(chance.millis(12)).await;
        let running = servers();
        if running.is_empty() {
            continue;
        }
        let index = usize::try_from(chance.next()).unwrap() % running.len();
        let victim = Pid::from_raw(running[index]).unwrap();
        let signal = [Signal::KILL, Signal::TERM, Signal::STOP, Signal::SEGV];
        let signal = signal[usize::try_from(chance.below(4)).unwrap()];
        // The victim may have been reaped in this instant; ids do not come round so soon.
        let _ = if chance.below(2) == 0 {
            kill_process(victim, signal)
        } else {
            kill_process_group(victim, signal)
        };
    }
}

async fn connects(seed: u64, total: u64) -> Tally {
    let mut chance = Chance(seed);
    let killing = chance.next();
    let mut workers = JoinSet::new();
    for _ in 0..4 {
        let mut chance = Chance(chance.next());
        let mark = seed.to_string();
        workers.spawn(async move {
            let mut tally = Tally::default();
            for _ in 0..total.div_ceil(4) {
                one_life(&mut chance, &mark, &mut tally, |_| ()).await;
            }
            tally
        });
    }
    let mut tally = Tally::default();
    let all = async {
        while let Some(done) = workers.join_next().await {
            tally.add(&done.unwrap());
        }
    };
    tokio::select! {
        () = all => {}
        () = killer(Chance(killing)) => {}
    }
    tally
}

#[test]
fn random_kills_leave_no_process_no_child_no_descriptor_and_no_call_without_an_answer() {
    let total = setting("TORTURE_CONNECTS", 60);
    let seed = seed();
    // What the runtime itself opens is opened before the count.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let before = descriptors();
    let tally = runtime.block_on(connects(seed, total));
    println!("{tally:?}");
    assert!(tally.connects >= total);
    soon(|| marked(&seed.to_string()), "processes of servers");
    soon(servers, "children, dead or alive,");
    soon(|| opened_since(&before), "descriptors");
}
