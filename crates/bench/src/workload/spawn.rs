//! What starting a process costs a host that holds much memory.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::Instant;

use mcp_transport::process::{Ladder, ProcessGroup, ProcessSpec};

use super::{Figures, figure};
use crate::meter::Meter;
use crate::outcome::Outcome;
use crate::statistics::Spread;

const RUNS: usize = 200;
/// It waits for the end of its input and needs nothing.
const PROGRAM: &str = "cat";
const PATH: &str = "/usr/bin:/bin";

/// Starts and kills process groups in a host of that many resident MiB.
pub(super) async fn group(resident: usize) -> Outcome<Figures> {
    let ballast = ballast(resident);
    let spec = ProcessSpec::new(PROGRAM, "/").env([("PATH", PATH)]);
    // A host has servers running, and with them the watcher, which is not part of a spawn.
    let running = ProcessGroup::spawn(&spec)?;
    let mut times = Times::default();
    let meter = Meter::start();
    for _ in 0..RUNS {
        let begin = Instant::now();
        let (group, pipes) = ProcessGroup::spawn(&spec)?;
        times.spawn(begin);
        drop(pipes);
        group.terminate(Ladder::kill()).await;
        times.ended(begin);
    }
    let figures = times.figures(&meter)?;
    drop(running);
    drop(black_box(ballast));
    Ok(figures)
}

/// The same by the standard library as it is often used, by the program's bare name with a PATH of
/// its own, which makes it fork: the child's copy of the page tables grows with the host.
pub(super) fn fork(resident: usize) -> Outcome<Figures> {
    let ballast = ballast(resident);
    let mut times = Times::default();
    let meter = Meter::start();
    for _ in 0..RUNS {
        let begin = Instant::now();
        let mut child = Command::new(PROGRAM)
            .env("PATH", PATH)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        times.spawn(begin);
        child.kill()?;
        child.wait()?;
        times.ended(begin);
    }
    let figures = times.figures(&meter)?;
    drop(black_box(ballast));
    Ok(figures)
}

/// Memory whose every page is written, so that it is resident.
fn ballast(mib: usize) -> Vec<u8> {
    black_box(vec![1; mib << 20])
}

/// Microseconds to the return of a spawn, and to the end of the process.
#[derive(Default)]
struct Times {
    spawn: Vec<f64>,
    ended: Vec<f64>,
}

impl Times {
    fn spawn(&mut self, begin: Instant) {
        self.spawn.push(begin.elapsed().as_secs_f64() * 1e6);
    }

    fn ended(&mut self, begin: Instant) {
        self.ended.push(begin.elapsed().as_secs_f64() * 1e6);
    }

    fn figures(self, meter: &Meter) -> Outcome<Figures> {
        let cpu = meter.stop().cpu.as_secs_f64() * 1e6 / figure(RUNS);
        let median = |times| {
            Spread::of(times)
                .map(|spread| spread.median)
                .ok_or("nothing was started")
        };
        Ok(Figures::from([
            ("spawn_us", median(self.spawn)?),
            ("ended_us", median(self.ended)?),
            ("cpu_us", cpu),
        ]))
    }
}
