//! What all trials of a run share.

use std::time::Duration;

use tokio::sync::watch;

use crate::library::Library;
use crate::sandbox::Fixture;

/// What a run does with artifacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// A difference fails.
    #[default]
    Verify,
    /// What came out becomes the accepted artifact.
    Accept,
}

/// What all trials of a run share.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Where scenarios and artifacts are.
    pub library: Library,
    /// How fixture servers are started.
    pub fixture: Fixture,
    /// Whether to verify or to accept.
    pub mode: Mode,
    /// How often each scenario is played; every playing must give the same bytes.
    pub repeat: usize,
    /// Plays the scenarios that need the outside, too.
    pub live: bool,
    /// How long one playing may take.
    pub limit: Duration,
    /// Keeps of each scenario what a report shows: its artifact, and what passed between model, host and
    /// servers.
    pub record: bool,
    /// The command that runs trials, for the advice about accepting.
    pub command: String,
    /// Becomes true when everything must end.
    pub stop: watch::Receiver<bool>,
}

impl Setup {
    /// How long one playing may take by default.
    pub const LIMIT: Duration = Duration::from_mins(1);

    /// Verifies, plays each scenario once and keeps no records.
    pub fn new(library: Library, fixture: Fixture) -> Setup {
        Setup {
            library,
            fixture,
            mode: Mode::Verify,
            repeat: 1,
            live: false,
            limit: Setup::LIMIT,
            record: false,
            command: "cargo run -p mcp-harness -- run".to_owned(),
            // Without a sender it never changes: nobody stops this run.
            stop: watch::channel(false).1,
        }
    }
}
