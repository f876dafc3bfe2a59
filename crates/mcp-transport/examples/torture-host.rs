//! A host that connects, calls and ends for ever: the torture test kills it at some moment.
#![cfg_attr(
    all(feature = "stdio", unix),
    expect(
        clippy::print_stdout,
        reason = "it tells the test which servers it has"
    )
)]

#[cfg(all(feature = "stdio", unix))]
#[expect(dead_code, reason = "the test uses the rest")]
#[path = "../tests/torture_support/mod.rs"]
mod torture_support;

#[cfg(all(feature = "stdio", unix))]
#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    use torture_support::{Chance, Tally, one_life};

    let mark = std::env::args().nth(1).unwrap_or_default();
    let mut seeds = Chance(mark.parse().unwrap_or_default());
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let mut chance = Chance(seeds.next());
        let mark = mark.clone();
        workers.spawn(async move {
            loop {
                one_life(&mut chance, &mark, &mut Tally::default(), |pid| {
                    println!("{pid}");
                })
                .await;
            }
        });
    }
    while workers.join_next().await.is_some() {}
}

#[cfg(not(all(feature = "stdio", unix)))]
fn main() {}
