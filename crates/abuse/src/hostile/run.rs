//! The run: one host process an attack, one line of the table each.

use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::attacks::{self, Attack};
use super::report::Report;
use crate::outcome::{Outcome, Verdict};

/// What may be chosen.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct HostileArguments {
    /// The attacks to make; all of them if none is named.
    attacks: Vec<String>,
    /// Names the attacks, with what each does.
    #[arg(long)]
    list: bool,
}

/// Longer than any attack, its deadlines and the end of its host.
const LIMIT: Duration = Duration::from_mins(3);

/// Makes the attacks and prints the table.
pub(crate) fn run(arguments: &HostileArguments) -> Outcome<Verdict> {
    let mut out = io::stdout();
    let attacks = select(&arguments.attacks)?;
    if arguments.list {
        for attack in attacks {
            writeln!(out, "{:<20} {}", attack.name, attack.about)?;
        }
        return Ok(Verdict::Kept);
    }
    writeln!(
        out,
        "{:<20} {:>8} {:>6} {:>10}  what the host did",
        "attack", "peak MiB", "ratio", "slowest ms"
    )?;
    let mut broken = Vec::new();
    for attack in attacks {
        let faults = match attempt(&attack) {
            Ok(report) => {
                writeln!(out, "{}", row(&attack, &report))?;
                report.faults(&attack)
            }
            Err(error) => {
                writeln!(out, "{:<20}", attack.name)?;
                vec![error.to_string()]
            }
        };
        for fault in &faults {
            writeln!(out, "  fault: {fault}")?;
        }
        if !faults.is_empty() {
            broken.push(attack.name);
        }
    }
    let verdict = Verdict::of(&broken);
    match verdict {
        Verdict::Kept => writeln!(out, "the host withstood every attack")?,
        Verdict::Broken => writeln!(out, "NOT WITHSTOOD: {}", broken.join(", "))?,
    }
    Ok(verdict)
}

fn row(attack: &Attack, report: &Report) -> String {
    format!(
        "{:<20} {:>8} {:>6.2} {:>10}  {}",
        attack.name,
        format!("{}/{}", report.growth_mib(), attack.bound_mib),
        report.ratio(),
        report.slowest_ms,
        report.did
    )
}

fn select(names: &[String]) -> Outcome<Vec<Attack>> {
    let mut all = attacks::all();
    if names.is_empty() {
        return Ok(all);
    }
    for name in names {
        if !all.iter().any(|attack| attack.name == name) {
            return Err(format!("there is no attack {name:?}; `hostile --list` names them").into());
        }
    }
    all.retain(|attack| names.iter().any(|name| name == attack.name));
    Ok(all)
}

/// Makes one attack on a host of its own.
fn attempt(attack: &Attack) -> Outcome<Report> {
    let mut host = Command::new(std::env::current_exe()?)
        .args(["hostile-host", attack.name])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut output = host.stdout.take().ok_or("the host has no output")?;
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut text = String::new();
        let read = output.read_to_string(&mut text).map(|_| text);
        // Nobody waits any more for a host that was given up.
        let _ = sender.send(read);
    });
    let told = receiver.recv_timeout(LIMIT);
    if told.is_err() {
        host.kill()?;
    }
    let status = host.wait()?;
    let text = told.map_err(|_| format!("the host had no end within {LIMIT:?}"))??;
    serde_json::from_str(&text).map_err(|_| format!("the host told nothing: {status}").into())
}
