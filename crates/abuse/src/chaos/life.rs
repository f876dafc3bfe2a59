//! The life of one host as the run sees it: started, listened to, and killed or left to its end.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use super::ledger::Ledger;
use super::line::{Line, Over};
use crate::dice::Dice;
use crate::fleet::{Folder, Web};
use crate::outcome::Outcome;
use crate::procfs::{self, Process};

/// Each host's calls have numbers of their own.
pub(super) const ID_STRIDE: u64 = 10_000_000;
/// No server outlives its host by more.
const PROMISE: Duration = Duration::from_secs(5);

/// What became of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// By the run, at a random moment.
    Killed,
    InOrder,
    /// In no way that it should.
    Failed,
}

/// A host that is no more.
#[derive(Debug)]
pub(super) struct Life {
    pub(super) ending: Ending,
    pub(super) calls: u64,
    pub(super) over: Over,
    /// How long its servers outlived it.
    pub(super) outlived: Duration,
}

/// What is settled for a host before it is born.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) number: u64,
    pub(super) seed: u64,
    pub(super) calls: u64,
    pub(super) servers: usize,
    /// It is killed after so many calls have ended; if at all.
    kill_after: Option<u64>,
}

impl Plan {
    /// Two hosts of three are killed. `calls` is the most that one may begin.
    pub(super) fn new(number: u64, seed: u64, calls: u64, servers: usize) -> Plan {
        // Not the dice of the host itself, which must not depend on this.
        let mut dice = Dice::part(!seed, number);
        let calls = (calls / 4 + dice.next() % (calls - calls / 4)).max(1);
        let kill_after = (!dice.one_in(3)).then(|| dice.next() % calls);
        Plan {
            number,
            seed,
            calls,
            servers,
            kill_after,
        }
    }

    /// Lives the life. What is left after it is killed, so that the next one begins alone.
    pub(super) fn live(self, folder: &Folder, webs: &[Web], ledger: &mut Ledger) -> Outcome<Life> {
        let mut host = self.start(folder)?;
        let (ended, over) = self.listen(&mut host, ledger)?;
        let status = host.wait()?;
        let killed = self.kill_after.is_some_and(|after| ended >= after);
        let ending = match &over {
            Some(_) if status.success() => Ending::InOrder,
            _ if killed => Ending::Killed,
            _ => Ending::Failed,
        };
        match &over {
            Some(over) if over.begun != ended => {
                ledger.fault(format!(
                    "host {} began {} calls, {ended} ended",
                    self.number, over.begun
                ));
            }
            None if ending == Ending::Failed => {
                ledger.fault(format!("host {} ended by itself: {status}", self.number));
            }
            _ => {}
        }
        let left = || left_over(folder, webs);
        let outlived = procfs::until_gone(PROMISE, left).unwrap_or_else(|left| {
            for process in left {
                ledger.fault(format!(
                    "host {} left {}: {}",
                    self.number, process.pid, process.command
                ));
                process.signal(Signal::KILL);
            }
            PROMISE
        });
        Ok(Life {
            ending,
            calls: ended,
            over: over.unwrap_or_default(),
            outlived,
        })
    }

    fn start(&self, folder: &Folder) -> Outcome<Child> {
        Ok(Command::new(std::env::current_exe()?)
            .arg("chaos-host")
            .arg("--folder")
            .arg(folder.root())
            .args(["--seed", &self.seed.to_string()])
            .args(["--life", &self.number.to_string()])
            .args(["--calls", &self.calls.to_string()])
            .args(["--servers", &self.servers.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?)
    }

    /// Keeps what the host tells, and kills it when its time has come.
    fn listen(&self, host: &mut Child, ledger: &mut Ledger) -> Outcome<(u64, Option<Over>)> {
        let output = host.stdout.take().ok_or("the host has no output")?;
        let (mut ended, mut over) = (0, None);
        for line in BufReader::new(output).lines() {
            if self.kill_after == Some(ended) {
                host.kill()?;
            }
            // A killed host may leave half a line.
            let Ok(line) = serde_json::from_str(&line?) else {
                continue;
            };
            match line {
                Line::Over(told) => over = Some(told),
                line => {
                    ended += u64::from(matches!(line, Line::Ended { .. }));
                    ledger.keep(self.number, line);
                }
            }
        }
        Ok((ended, over))
    }
}

/// Processes of the run that are no HTTP servers of its own.
fn left_over(folder: &Folder, webs: &[Web]) -> Vec<Process> {
    let own: Vec<u32> = webs.iter().filter_map(Web::pid).collect();
    procfs::processes_of(folder.root())
        .into_iter()
        .filter(|process| !own.contains(&process.pid))
        .collect()
}
