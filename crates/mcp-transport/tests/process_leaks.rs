//! What is left of many processes in the program that started them: nothing. One test only, since
//! it counts what belongs to the whole program.
#![cfg(all(feature = "stdio", target_os = "linux"))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod process_support;

use std::fs;
use std::time::Instant;

use mcp_transport::process::{Ladder, ProcessSpec};
use process_support::{LIMIT, line, spawn, within};

/// Open descriptors, and children, dead or alive, of any thread.
fn held() -> (usize, usize) {
    let descriptors = fs::read_dir("/proc/self/fd").unwrap().count();
    let children: usize = fs::read_dir("/proc/self/task")
        .unwrap()
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok())
        .map(|children| children.split_whitespace().count())
        .sum();
    (descriptors, children)
}

#[tokio::test]
async fn many_processes_leave_neither_children_nor_descriptors() {
    let before = held();
    for round in 0..25 {
        let mut running = Vec::new();
        for _ in 0..8 {
            let (group, mut pipes) = spawn("echo up; read line");
            line(&mut pipes.stdout).await;
            running.push((group, pipes));
        }
        // A start that fails in between leaves nothing either.
        let missing = ProcessSpec::new("/no/such/program", "/");
        assert!(mcp_transport::process::ProcessGroup::spawn(&missing).is_err());
        for (index, (group, pipes)) in running.into_iter().enumerate() {
            if (round + index) % 2 == 0 {
                drop(pipes);
                within("the end", group.terminate(Ladder::default())).await;
            }
        }
    }
    // The watcher and what was dropped are reaped by threads, which tell nobody.
    let start = Instant::now();
    while held() != before {
        assert!(start.elapsed() < LIMIT, "{:?}, before {before:?}", held());
        tokio::task::yield_now().await;
    }
}
