//! One playing of a scenario: bounded in time, and searched for processes and secrets that got out.

use std::thread;
use std::time::{Duration, Instant};

use crate::artifact::{Json, Redactor};
use crate::chain::chain;
use crate::play::{Played, Story, play};
use crate::sandbox::{Sandbox, find_leaks};
use crate::scenario::Scenario;
use crate::trace::{Entry, Recorder};

use super::Setup;
use super::log_tail::log_tail;

/// How long a process may need to be gone after everything was closed or killed.
const LEAK_GRACE: Duration = Duration::from_secs(2);

/// What one playing brought.
pub(super) struct Playing {
    /// The artifact, or what is wrong whatever the accepted one says.
    pub(super) artifact: Result<Json, Vec<String>>,
    /// What was recorded, if anybody wanted it.
    pub(super) trace: Vec<Entry>,
    /// The end of the server log.
    pub(super) server_log: Vec<String>,
}

impl Playing {
    /// Plays the scenario once.
    pub(super) fn once(scenario: &Scenario, setup: &Setup) -> Playing {
        let scripts = scenario
            .servers
            .iter()
            .map(|(name, script)| (name.clone(), script.as_str().to_owned()))
            .collect();
        let sandbox = match Sandbox::new(&setup.fixture, &scripts) {
            Ok(sandbox) => sandbox,
            Err(error) => {
                return Playing {
                    artifact: Err(vec![chain(&error)]),
                    trace: Vec::new(),
                    server_log: Vec::new(),
                };
            }
        };
        let recorder = setup.record.then(Recorder::default);
        let mut findings = Vec::new();
        let played = bounded(scenario, &sandbox, setup, recorder.clone(), &mut findings);
        leaks(&sandbox, &mut findings);
        let mut redactor = Redactor::new(sandbox.root(), &scenario.secrets);
        redactor.learn_ports(sandbox.web_ports());
        if let Some(played) = &played {
            findings.extend(played.unmet.iter().cloned());
            let leaked = redactor.leaked_secrets(&played.artifact).into_iter();
            findings.extend(leaked.map(|place| {
                format!(
                    "a secret stands in the artifact, at {place}; if it may stand there, as in an answer that \
                     repeats what the server was given, name that place in `redact`, else mend what shows it"
                )
            }));
        }
        // A finding may quote what a server sent.
        let findings: Vec<String> = findings.iter().map(|it| redactor.masked(it)).collect();
        let server_log = log_tail(&sandbox.path("home/.codework/mcp.log"));
        Playing {
            artifact: match played {
                Some(played) if findings.is_empty() => Ok(played.artifact),
                _ => Err(findings),
            },
            trace: recorder.map_or_else(Vec::new, |recorder| recorder.redacted(&redactor)),
            server_log: server_log
                .iter()
                .map(|line| redactor.masked(line))
                .collect(),
        }
    }
}

/// Plays on a runtime of its own, which takes every task with it when the time is over.
fn bounded(
    scenario: &Scenario,
    sandbox: &Sandbox,
    setup: &Setup,
    recorder: Option<Recorder>,
    findings: &mut Vec<String>,
) -> Option<Played> {
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            findings.push(format!("cannot start a runtime: {error}"));
            return None;
        }
    };
    // The runtime runs on this thread alone, so this hears all of its connections and no others.
    let _listening = recorder.as_ref().map(Recorder::listen);
    let story = Story::new(recorder);
    let mut stop = setup.stop.clone();
    runtime.block_on(async {
        tokio::select! {
            played = play(scenario, sandbox, &story) => match played {
                Ok(played) => return Some(played),
                Err(error) => findings.push(format!("{}, while waiting for {}", chain(&error), story.last())),
            },
            () = tokio::time::sleep(setup.limit) => findings.push(format!(
                "it was ended after {} s, while waiting for {}", setup.limit.as_secs_f64(), story.last()
            )),
            () = stopped(&mut stop) => findings.push("it was interrupted".to_owned()),
        }
        None
    })
}

/// Returns when the run must end; never where nobody can say so.
async fn stopped(stop: &mut tokio::sync::watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Processes that outlived the scenario. A killed one is not gone at once, so this looks until none is left.
fn leaks(sandbox: &Sandbox, findings: &mut Vec<String>) {
    let begun = Instant::now();
    let leaks = loop {
        let leaks = find_leaks(sandbox.root());
        if leaks.is_empty() || begun.elapsed() > LEAK_GRACE {
            break leaks;
        }
        thread::sleep(Duration::from_millis(2));
    };
    for leak in leaks {
        findings.push(format!(
            "a process was left running (and is killed now): {leak}"
        ));
        leak.kill();
    }
}
