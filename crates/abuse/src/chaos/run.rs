//! The run: servers, one host after the other, the comparison, the verdict.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use super::configuration::Bases;
use super::ledger::Ledger;
use super::life::{Ending, Life, Plan};
use super::population::{self, Member};
use super::world::BASES_FILE;
use crate::fleet::{Folder, Transport, Web};
use crate::outcome::{Outcome, Verdict};

/// What may be chosen.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ChaosArguments {
    /// How many calls must have ended.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(20..))]
    calls: u64,
    /// How many servers the hosts have.
    #[arg(long, default_value_t = 12, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=100))]
    servers: usize,
    /// What every choice comes from; a new one each time if none is given.
    #[arg(long)]
    seed: Option<u64>,
}

/// A run has at least so many hosts.
const HOSTS: u64 = 5;
/// And none of more calls than this.
const MOST_CALLS: u64 = 8_000;

/// Runs chaos and prints what came of it.
pub(crate) fn run(arguments: &ChaosArguments) -> Outcome<Verdict> {
    let seed = arguments
        .seed
        .unwrap_or_else(|| RandomState::new().hash_one(0));
    let mut out = io::stdout();
    writeln!(
        out,
        "chaos: seed {seed}, {} calls, {} servers",
        arguments.calls, arguments.servers
    )?;
    let start = Instant::now();
    let place = tempfile::Builder::new().prefix("mcp-abuse-").tempdir()?;
    let folder = Folder::with_journals(place.path());
    let members = population::members(arguments.servers);
    let webs = lay(&folder, &members)?;
    let mut ledger = Ledger::default();
    let mut lives = Vec::new();
    let most = (arguments.calls / HOSTS * 2).clamp(2, MOST_CALLS);
    while ledger.calls() < arguments.calls {
        let plan = Plan::new(lives.len() as u64, seed, most, arguments.servers);
        let life = plan.live(&folder, &webs, &mut ledger)?;
        tell(&mut out, lives.len(), &life)?;
        let failed = life.ending == Ending::Failed;
        lives.push(life);
        if failed {
            break;
        }
    }
    ledger.compare(&folder, &lives)?;
    drop(webs);
    let verdict = Verdict::of(ledger.faults());
    write!(out, "{}{}", summary(&lives), ledger.summary())?;
    writeln!(
        out,
        "seed {seed}: {} in {:.1} s",
        match verdict {
            Verdict::Kept => "every promise kept",
            Verdict::Broken => "PROMISES BROKEN",
        },
        start.elapsed().as_secs_f64()
    )?;
    if verdict == Verdict::Broken {
        writeln!(
            out,
            "the servers' journals stay in {}",
            place.keep().display()
        )?;
    }
    Ok(verdict)
}

/// Lays the servers' scripts, starts those that are reached over HTTP, and leaves the entries of all
/// for the hosts.
fn lay(folder: &Folder, members: &[Member]) -> Outcome<Vec<Web>> {
    let mut webs = Vec::new();
    let mut bases = Bases::new();
    for Member { fixture, .. } in members {
        folder.lay(fixture)?;
        let base = match fixture.transport {
            Transport::Stdio => folder.stdio_entry(&fixture.name)?,
            Transport::Http => {
                let web = Web::start(folder, &fixture.name)?;
                let base = json!({ "url": web.url() });
                webs.push(web);
                base
            }
        };
        bases.insert(fixture.name.clone(), base);
    }
    fs::write(folder.path(BASES_FILE), serde_json::to_string(&bases)?)?;
    Ok(webs)
}

fn tell(out: &mut impl Write, number: usize, life: &Life) -> io::Result<()> {
    let ending = match life.ending {
        Ending::Killed => "killed",
        Ending::InOrder => "ended in order",
        Ending::Failed => "FAILED",
    };
    writeln!(
        out,
        "host {number}: {} calls, {ending}, its servers gone after {:.2} s",
        life.calls,
        life.outlived.as_secs_f64()
    )
}

fn summary(lives: &[Life]) -> String {
    let count = |ending| lives.iter().filter(|life| life.ending == ending).count();
    let sum = |of: fn(&Life) -> u64| lives.iter().map(of).sum::<u64>();
    let slowest = lives.iter().map(|life| life.outlived).max();
    format!(
        "hosts: {} killed, {} ended in order; their servers were gone after {:.2} s at the latest\n\
         hosts that ended in order: {} exchanges, {} edits of files, {} signals, {} refreshes, {} times at rest\n",
        count(Ending::Killed),
        count(Ending::InOrder),
        slowest.unwrap_or(Duration::ZERO).as_secs_f64(),
        sum(|life| life.over.exchanges),
        sum(|life| life.over.edits),
        sum(|life| life.over.signals),
        sum(|life| life.over.refreshes),
        sum(|life| life.over.rests),
    )
}
