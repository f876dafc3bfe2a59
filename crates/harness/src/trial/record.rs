//! What a report shows of a scenario beside its outcome.

use crate::artifact::Json;
use crate::scenario::Scenario;
use crate::trace::Entry;

use super::playing::Playing;

/// What a report shows of a scenario beside its outcome. Secrets are masked in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The scenario's title.
    pub title: String,
    /// What it proves.
    pub proves: String,
    /// What happened, as an artifact; nothing where something was wrong whatever the artifact says.
    pub artifact: Option<Json>,
    /// What passed between the model or program, the host and the servers: in the order in which the host saw
    /// it, but server by server between two moves or events.
    pub trace: Vec<Entry>,
}

impl Record {
    pub(super) fn new(scenario: &Scenario) -> Record {
        Record {
            title: scenario.title.clone(),
            proves: scenario.proves.clone(),
            artifact: None,
            trace: Vec::new(),
        }
    }

    /// Takes over what a playing brought.
    pub(super) fn take(&mut self, playing: &mut Playing) {
        self.artifact = playing.artifact.as_ref().ok().cloned();
        self.trace = std::mem::take(&mut playing.trace);
    }
}
