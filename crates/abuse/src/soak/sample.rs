//! What the host uses at one moment, and what a row of such moments says.

use tokio::runtime::Handle;

use crate::outcome::Outcome;
use crate::procfs::{self, Memory};

/// What the host uses between two exchanges.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) calls: u64,
    pub(super) memory: u64,
    pub(super) descriptors: u64,
    pub(super) tasks: u64,
    pub(super) threads: u64,
    pub(super) processes: u64,
}

impl Sample {
    pub(super) fn take(calls: u64) -> Outcome<Sample> {
        Ok(Sample {
            calls,
            memory: Memory::read()?.now,
            descriptors: procfs::descriptors()?,
            tasks: Handle::current().metrics().num_alive_tasks() as u64,
            threads: procfs::threads()?,
            processes: procfs::children().len() as u64,
        })
    }
}

/// The bounds that make a run flat.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// What the memory may grow after the warm-up, over the whole run, by its trend.
    pub(super) memory: u64,
    /// What the median of each other figure in the last fifth may be above that in the second fifth: pooled
    /// connections of HTTP come and go.
    pub(super) others: u64,
}

/// Growth of a run, whose first fifth is the warm-up.
#[derive(Debug)]
pub(super) struct Growth {
    /// Of the memory, in bytes, by a straight line through all samples after the warm-up.
    pub(super) memory: f64,
    /// Of each other figure, from the second fifth to the last.
    pub(super) others: [(&'static str, u64); 4],
}

impl Growth {
    pub(super) fn of(samples: &[Sample]) -> Growth {
        let fifth = samples.len().div_ceil(5);
        let rest = &samples[fifth..];
        let (first, last) = (
            &rest[..fifth.min(rest.len())],
            &rest[rest.len().saturating_sub(fifth)..],
        );
        let above = |of: fn(&Sample) -> u64| median(last, of).saturating_sub(median(first, of));
        let calls = |sample: Option<&Sample>| sample.map_or(0.0, |sample| figure(sample.calls));
        Growth {
            memory: slope(rest) * (calls(rest.last()) - calls(rest.first())),
            others: [
                ("descriptors", above(|sample| sample.descriptors)),
                ("tasks", above(|sample| sample.tasks)),
                ("threads", above(|sample| sample.threads)),
                ("processes", above(|sample| sample.processes)),
            ],
        }
    }

    /// What is not flat.
    pub(super) fn faults(&self, bounds: Bounds) -> Vec<String> {
        let mut faults = Vec::new();
        if self.memory > figure(bounds.memory) {
            faults.push(format!("memory grew by {:.1} MiB", self.memory / MIB));
        }
        for (name, growth) in self.others {
            if growth > bounds.others {
                faults.push(format!("{name} grew by {growth}"));
            }
        }
        faults
    }
}

pub(super) const MIB: f64 = 1024.0 * 1024.0;

fn median(samples: &[Sample], of: fn(&Sample) -> u64) -> u64 {
    let mut figures: Vec<u64> = samples.iter().map(of).collect();
    figures.sort_unstable();
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

/// Bytes a call, by least squares.
fn slope(samples: &[Sample]) -> f64 {
    let count = figure(samples.len() as u64);
    let mean = |of: fn(&Sample) -> u64| samples.iter().map(|s| figure(of(s))).sum::<f64>() / count;
    let (calls, memory) = (mean(|s| s.calls), mean(|s| s.memory));
    let both = samples
        .iter()
        .map(|s| (figure(s.calls) - calls) * (figure(s.memory) - memory));
    let square = samples.iter().map(|s| (figure(s.calls) - calls).powi(2));
    let square: f64 = square.sum();
    if square == 0.0 {
        0.0
    } else {
        both.sum::<f64>() / square
    }
}

#[expect(clippy::cast_precision_loss, reason = "no count here comes near 2^52")]
pub(super) fn figure(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(calls: u64, memory: u64, descriptors: u64) -> Sample {
        Sample {
            calls,
            memory,
            descriptors,
            tasks: 5,
            threads: 4,
            processes: 3,
        }
    }

    const BOUNDS: Bounds = Bounds {
        memory: 8 << 20,
        others: 2,
    };

    #[test]
    fn a_steady_growth_is_found_and_a_jitter_is_not() {
        let growing: Vec<Sample> = (1..=100)
            .map(|n| sample(n * 1000, 50_000_000 + n * 200_000, 20))
            .collect();
        let faults = Growth::of(&growing).faults(BOUNDS);
        assert_eq!(faults, ["memory grew by 15.1 MiB"]);
        let jitter: Vec<Sample> = (1..=100)
            .map(|n| sample(n * 1000, 50_000_000 + (n % 7) * 500_000, 20 + n % 3))
            .collect();
        assert_eq!(Growth::of(&jitter).faults(BOUNDS), [""; 0]);
    }

    #[test]
    fn what_grows_in_the_warm_up_alone_is_no_growth() {
        let warm: Vec<Sample> = (1..=100)
            .map(|n| sample(n * 1000, n.min(20) * 1_000_000, n.min(20)))
            .collect();
        assert_eq!(Growth::of(&warm).faults(BOUNDS), [""; 0]);
        let leak: Vec<Sample> = (1..=100).map(|n| sample(n * 1000, 1, n)).collect();
        assert_eq!(Growth::of(&leak).faults(BOUNDS), ["descriptors grew by 60"]);
    }
}
