//! The run: exchange after exchange, a line now and then, the verdict.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle};

use super::host::{EXCHANGE, Host};
use super::sample::{Bounds, Growth, MIB, Sample, figure};
use crate::fleet::Folder;
use crate::outcome::{Outcome, Verdict};
use crate::procfs;

/// What may be chosen.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SoakArguments {
    /// How many calls are made.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    calls: u64,
    /// How many servers there are.
    #[arg(long, default_value_t = 20, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=100))]
    servers: usize,
}

const BOUNDS: Bounds = Bounds {
    memory: 8 << 20,
    others: 100,
};
/// A run has at least so many samples, or they say nothing.
const SAMPLES: u64 = 20;
/// Lines of samples that are printed.
const PRINTED: u64 = 25;
/// How long what the session used may take to be given back after its end.
const GIVE_BACK: Duration = Duration::from_secs(10);

/// Soaks the host and prints what it used.
pub(crate) fn run(arguments: &SoakArguments) -> Outcome<Verdict> {
    let mut out = io::stdout();
    writeln!(
        out,
        "soak: {} calls, {} servers",
        arguments.calls, arguments.servers
    )?;
    let place = tempfile::Builder::new().prefix("mcp-abuse-").tempdir()?;
    let folder = Folder::without_journals(place.path());
    let runtime = Builder::new_multi_thread()
        .worker_threads(3)
        .enable_all()
        .build()?;
    let mut faults = runtime.block_on(soak(arguments, &folder, &mut out))?;
    if let Err(left) = procfs::until_gone(GIVE_BACK, || procfs::processes_of(place.path())) {
        faults.extend(
            left.iter()
                .map(|process| format!("left: {}", process.command)),
        );
    }
    for fault in &faults {
        writeln!(out, "fault: {fault}")?;
    }
    let verdict = Verdict::of(&faults);
    writeln!(
        out,
        "{}",
        match verdict {
            Verdict::Kept => "flat",
            Verdict::Broken => "NOT FLAT",
        }
    )?;
    Ok(verdict)
}

async fn soak(
    arguments: &SoakArguments,
    folder: &Folder,
    out: &mut impl Write,
) -> Outcome<Vec<String>> {
    let (mut host, webs) = Host::new(folder, arguments.servers)?;
    let before = procfs::descriptors()?;
    let start = Instant::now();
    let samples = exchanges(arguments.calls, &mut host, out).await?;
    let seconds = start.elapsed().as_secs_f64();
    host.close().await;
    let mut faults = wrong(&host);
    // The session holds the file of its log.
    drop(host);
    faults.extend(left_after_the_end(before).await?);
    drop(webs);
    let growth = Growth::of(&samples);
    faults.extend(growth.faults(BOUNDS));
    let others = growth
        .others
        .map(|(name, growth)| format!("{name} +{growth}"));
    writeln!(
        out,
        "{:.0} calls/s; after the warm-up (a fifth): memory {:+.1} MiB by its trend (at most {:.0}), {} (at most {} each)",
        figure(arguments.calls) / seconds,
        growth.memory / MIB,
        figure(BOUNDS.memory) / MIB,
        others.join(", "),
        BOUNDS.others,
    )?;
    Ok(faults)
}

async fn exchanges(calls: u64, host: &mut Host, out: &mut impl Write) -> Outcome<Vec<Sample>> {
    let each = EXCHANGE.min(calls.div_ceil(SAMPLES));
    let mut samples: Vec<Sample> = Vec::new();
    let mut printed = 0;
    let mut left = calls;
    while left > 0 {
        let now = each.min(left);
        left -= now;
        let sample = host.exchange(now).await?;
        samples.push(sample);
        if (calls - left) * PRINTED / calls > printed || left == 0 {
            printed = (calls - left) * PRINTED / calls;
            writeln!(
                out,
                "{:>9} calls: {:>6.1} MiB, {} descriptors, {} tasks, {} threads, {} processes",
                sample.calls,
                figure(sample.memory) / MIB,
                sample.descriptors,
                sample.tasks,
                sample.threads,
                sample.processes,
            )?;
        }
    }
    Ok(samples)
}

/// The first of the wrong answers, and how many there were.
fn wrong(host: &Host) -> Vec<String> {
    let all = host.wrong().len();
    let first = host.wrong().iter().take(5);
    first
        .map(|text| format!("1 of {all} wrong answers: {text}"))
        .collect()
}

/// What the session has not given back.
async fn left_after_the_end(descriptors: u64) -> Outcome<Option<String>> {
    let start = Instant::now();
    loop {
        let tasks = Handle::current().metrics().num_alive_tasks();
        let open = procfs::descriptors()?;
        if tasks == 0 && open <= descriptors {
            return Ok(None);
        }
        if start.elapsed() > GIVE_BACK {
            return Ok(Some(format!(
                "after the end of the session: {tasks} tasks, {open} descriptors instead of {descriptors}"
            )));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
