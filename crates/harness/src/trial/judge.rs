//! One trial: a scenario played in a sandbox and judged, or the search for files that belong to nothing.

use std::thread;
use std::time::{Duration, Instant};

use crate::artifact::Redactor;
use crate::library::{Library, LibraryError, ScenarioSource};
use crate::play::{Played, Story, play};
use crate::sandbox::{Sandbox, find_leaks};
use crate::scenario::{Scenario, read};

use super::verdict::{Findings, differs};
use super::{Mode, Outcome, Setup};
use crate::chain::chain;

/// How long a process may need to be gone after everything was closed or killed.
const LEAK_GRACE: Duration = Duration::from_secs(2);

/// One trial of a run.
#[derive(Debug, Clone)]
pub struct Trial {
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Scenario(ScenarioSource),
    Strays,
}

/// All trials of a library: each scenario, and one that looks for files that belong to nothing.
pub fn trials(library: &Library) -> Result<Vec<Trial>, LibraryError> {
    let mut trials: Vec<Trial> = library
        .scenarios()?
        .into_iter()
        .map(|source| Trial {
            name: source.name.to_string(),
            kind: Kind::Scenario(source),
        })
        .collect();
    trials.push(Trial {
        name: "library/no-strays".to_owned(),
        kind: Kind::Strays,
    });
    Ok(trials)
}

impl Trial {
    /// The name: `<suite>/<scenario>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a scenario that needs the outside.
    pub fn is_live(&self) -> bool {
        match &self.kind {
            // A file with a problem is not ignored: its trial says what is wrong.
            Kind::Scenario(source) => read(source).is_ok_and(|scenario| scenario.live),
            Kind::Strays => false,
        }
    }

    /// Runs the trial; it takes no longer than the setup's limit for each playing.
    pub fn run(&self, setup: &Setup) -> Outcome {
        let outcome = match &self.kind {
            Kind::Scenario(source) => scenario(source, setup),
            Kind::Strays => strays(&setup.library),
        };
        outcome.unwrap_or_else(|failed| failed)
    }
}

/// Either way an outcome; the error side only ends the work early.
type Verdict = Result<Outcome, Outcome>;

fn strays(library: &Library) -> Verdict {
    let strays = library
        .strays()
        .map_err(|error| Outcome::Failed(chain(&error)))?;
    if strays.is_empty() {
        return Ok(Outcome::Passed);
    }
    Err(Outcome::Failed(format!(
        "{}\ndelete what is no longer needed, or add the scenario that it belongs to",
        strays.join("\n")
    )))
}

fn scenario(source: &ScenarioSource, setup: &Setup) -> Verdict {
    let scenario = read(source)
        .map_err(|error| Outcome::Failed(error.render(setup.style).trim_end().to_owned()))?;
    if scenario.live && !setup.live {
        return Ok(Outcome::Ignored(
            "it needs the outside; run it with --live".to_owned(),
        ));
    }
    let received = once(&scenario, setup)?;
    for number in 1..setup.repeat {
        let again = once(&scenario, setup)?;
        if again != received {
            let name = format!("{} (playing {} and 1)", source.name, number + 1);
            let diff = crate::artifact::unified_diff(&name, &received, &again, setup.style);
            return Err(Outcome::Failed(format!(
                "two playings differ\n{}",
                diff.trim_end()
            )));
        }
    }
    let failed = |error: LibraryError| Outcome::Failed(chain(&error));
    let accepted = setup.library.artifact(&source.name).map_err(failed)?;
    if accepted.as_deref() == Some(received.as_str()) {
        return Ok(Outcome::Passed);
    }
    if setup.mode == Mode::Accept {
        setup
            .library
            .accept(&source.name, &received)
            .map_err(failed)?;
        return Ok(Outcome::Accepted);
    }
    let file = setup.library.artifact_file(&source.name);
    Err(differs(
        &source.name,
        &file,
        accepted.as_deref(),
        &received,
        &setup.command,
        setup.style,
    ))
}

/// Plays the scenario once; the artifact's text, or what is wrong whatever the artifact says.
fn once(scenario: &Scenario, setup: &Setup) -> Result<String, Outcome> {
    let scripts = scenario
        .servers
        .iter()
        .map(|(name, script)| (name.clone(), script.as_str().to_owned()))
        .collect();
    let sandbox =
        Sandbox::new(&setup.fixture, &scripts).map_err(|error| Outcome::Failed(chain(&error)))?;
    let mut findings = Findings::default();
    let played = bounded(scenario, &sandbox, setup, &mut findings);
    leaks(&sandbox, &mut findings);
    let Some(played) = played else {
        return Err(findings.failed());
    };
    for unmet in &played.unmet {
        findings.add(unmet.clone());
    }
    let redactor = Redactor::new(sandbox.root(), &scenario.secrets);
    for pointer in redactor.leaked_secrets(&played.artifact) {
        findings.add(format!("a secret stands in the artifact, at {pointer}"));
    }
    if findings.is_empty() {
        Ok(played.artifact.to_text())
    } else {
        Err(findings.failed())
    }
}

/// Plays on a runtime of its own, which takes every task with it when the time is over.
fn bounded(
    scenario: &Scenario,
    sandbox: &Sandbox,
    setup: &Setup,
    findings: &mut Findings,
) -> Option<Played> {
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            findings.add(format!("cannot start a runtime: {error}"));
            return None;
        }
    };
    let story = Story::default();
    let mut stop = setup.stop.clone();
    runtime.block_on(async {
        tokio::select! {
            played = play(scenario, sandbox, &story) => match played {
                Ok(played) => return Some(played),
                Err(error) => findings.add(format!("{}, while waiting for {}", chain(&error), story.last())),
            },
            () = tokio::time::sleep(setup.limit) => findings.add(format!(
                "it was ended after {} s, while waiting for {}", setup.limit.as_secs_f64(), story.last()
            )),
            () = stopped(&mut stop) => findings.add("it was interrupted"),
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
fn leaks(sandbox: &Sandbox, findings: &mut Findings) {
    let begun = Instant::now();
    let leaks = loop {
        let leaks = find_leaks(sandbox.root());
        if leaks.is_empty() || begun.elapsed() > LEAK_GRACE {
            break leaks;
        }
        thread::sleep(Duration::from_millis(2));
    };
    for leak in leaks {
        findings.add(format!(
            "a process was left running (and is killed now): {leak}"
        ));
        leak.kill();
    }
}
