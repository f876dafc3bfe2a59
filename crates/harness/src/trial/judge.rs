//! One trial: a scenario played in a sandbox and judged, or the search for files that belong to nothing.

use std::time::Instant;

use crate::chain::chain;
use crate::library::{Library, LibraryError, ScenarioSource};
use crate::scenario::{Scenario, read};
use crate::shell::word;

use super::playing::Playing;
use super::{Difference, Failure, Mode, Outcome, Record, Report, Setup};

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

/// All trials of a library: each scenario, and one that looks for files that belong to nothing. A library
/// without a scenario is an error, since it would pass by absence.
pub fn trials(library: &Library) -> Result<Vec<Trial>, LibraryError> {
    let mut trials: Vec<Trial> = library
        .scenarios()?
        .into_iter()
        .map(|source| Trial {
            name: source.name.to_string(),
            kind: Kind::Scenario(source),
        })
        .collect();
    if trials.is_empty() {
        return Err(library.no_scenario());
    }
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
    pub fn run(&self, setup: &Setup) -> Report {
        let begun = Instant::now();
        let (outcome, record) = match &self.kind {
            Kind::Scenario(source) => scenario(source, setup),
            Kind::Strays => (strays(&setup.library), None),
        };
        Report {
            name: self.name.clone(),
            outcome,
            elapsed: begun.elapsed(),
            record,
        }
    }
}

fn strays(library: &Library) -> Outcome {
    match library.strays() {
        Err(error) => Outcome::failed(chain(&error)),
        Ok(strays) if strays.is_empty() => Outcome::Passed,
        Ok(strays) => Outcome::failed(format!(
            "{}\nmove what lies in the wrong place, delete what is no longer needed, or add the scenario that it belongs to",
            strays.join("\n")
        )),
    }
}

fn scenario(source: &ScenarioSource, setup: &Setup) -> (Outcome, Option<Record>) {
    let scenario = match read(source) {
        Ok(scenario) => scenario,
        Err(mistakes) => {
            let failure = Failure {
                file: Some(source.file.clone()),
                mistakes: Some(mistakes),
                ..Failure::default()
            };
            return (Outcome::Failed(Box::new(failure)), None);
        }
    };
    if scenario.live && !setup.live {
        let reason = "it needs the outside; run it with --live".to_owned();
        return (Outcome::Ignored(reason), None);
    }
    let mut record = setup.record.then(|| Record::new(&scenario));
    let judge = Judge {
        source,
        scenario: &scenario,
        setup,
    };
    let outcome = judge.judge(&mut record).unwrap_or_else(|mut failure| {
        failure.file = Some(source.file.clone());
        Outcome::Failed(failure)
    });
    (outcome, record)
}

struct Judge<'a> {
    source: &'a ScenarioSource,
    scenario: &'a Scenario,
    setup: &'a Setup,
}

impl Judge<'_> {
    fn judge(&self, record: &mut Option<Record>) -> Result<Outcome, Box<Failure>> {
        let (received, server_log) = self.play(record)?;
        for number in 1..self.setup.repeat {
            let (again, server_log) = self.play(record)?;
            if again != received {
                return Err(Box::new(Failure {
                    difference: Some(self.unsteady(number + 1, received, again)),
                    server_log,
                    ..Failure::default()
                }));
            }
        }
        let failed = |error: LibraryError| Box::new(Failure::of(chain(&error)));
        let library = &self.setup.library;
        let accepted = library.artifact(&self.source.name).map_err(failed)?;
        if accepted.as_deref() == Some(received.as_str()) {
            return Ok(Outcome::Passed);
        }
        if self.setup.mode == Mode::Accept {
            library
                .accept(&self.source.name, &received)
                .map_err(failed)?;
            return Ok(Outcome::Accepted);
        }
        Err(Box::new(Failure {
            difference: Some(self.difference(accepted, received)),
            server_log,
            ..Failure::default()
        }))
    }

    /// Plays once; the artifact's text and the end of the server log.
    fn play(&self, record: &mut Option<Record>) -> Result<(String, Vec<String>), Box<Failure>> {
        let mut playing = Playing::once(self.scenario, self.setup);
        if let Some(record) = record {
            record.take(&mut playing);
        }
        let server_log = playing.server_log;
        match playing.artifact {
            Ok(artifact) => Ok((artifact.to_text(), server_log)),
            Err(findings) => Err(Box::new(Failure {
                findings,
                server_log,
                ..Failure::default()
            })),
        }
    }

    fn difference(&self, accepted: Option<String>, received: String) -> Difference {
        let (name, library) = (&self.source.name, &self.setup.library);
        let file = library.artifact_file(name);
        let accept = || {
            let (command, name) = (&self.setup.command, word(name.as_str()));
            format!("{command} {name} --exact --accept")
        };
        Difference {
            scenario: name.clone(),
            what: match accepted {
                None => format!("there is no accepted artifact: {file} is missing"),
                Some(_) => format!("what happened differs from {file}"),
            },
            headings: (format!("{file} (accepted)"), format!("{file} (this run)")),
            accepted,
            received,
            accept: library.writable().is_ok().then(accept),
        }
    }

    fn unsteady(&self, number: usize, first: String, again: String) -> Difference {
        Difference {
            scenario: self.source.name.clone(),
            what: format!(
                "two playings differ, 1 and {number}: make what changes deterministic, or name its place in the \
                 scenario's `redact`"
            ),
            headings: (
                format!("{} (playing 1)", self.source.name),
                format!("{} (playing {number})", self.source.name),
            ),
            accepted: Some(first),
            received: again,
            accept: None,
        }
    }
}
