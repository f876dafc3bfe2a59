//! What a person sees on standard error while servers connect: a line a server that is drawn anew on a
//! terminal, and plain lines elsewhere, where only a long wait is worth one.

use std::collections::BTreeMap;
use std::pin::pin;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use mcp_session::{ServerState, ServerStatus, Session, Stage};

use super::host::{Host, complain};
use crate::terminal::escape_line;

/// What is told where no terminal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tell {
    /// Long waits alone.
    Waits,
    /// Also how each server's attempt ended.
    Ends,
}

/// After so many seconds a wait is told for the first time, and then again.
const WAITS: [u64; 4] = [2, 5, 10, 20];
/// And after the last of them, once in so many seconds.
const LONG_WAIT: u64 = 30;

/// How often lines on a terminal move.
const FRAME: Duration = Duration::from_millis(120);
/// How often a plain wait is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Runs `work` and tells meanwhile how far the servers of the session have come.
pub(super) async fn watched<T>(
    session: &Session,
    host: &Host,
    tell: Tell,
    work: impl Future<Output = T>,
) -> T {
    let on_terminal = host.redraws();
    let mut board = if on_terminal {
        Board::Terminal(Lines::default())
    } else {
        Board::Plain(Told {
            tell,
            servers: BTreeMap::new(),
        })
    };
    let mut changes = session.changes();
    let mut clock = tokio::time::interval(if on_terminal { FRAME } else { LOOK });
    let mut work = pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => {
                session.status().iter().for_each(|status| board.show(status));
                return done;
            }
            Some(status) = changes.next() => board.show(&status),
            _ = clock.tick() => session.status().iter().for_each(|status| board.look(status)),
        }
    }
}

enum Board {
    Terminal(Lines),
    Plain(Told),
}

impl Board {
    /// A server's status changed.
    fn show(&mut self, status: &ServerStatus) {
        match self {
            Board::Terminal(lines) => lines.show(status),
            Board::Plain(told) => told.show(status),
        }
    }

    /// Time has passed.
    fn look(&mut self, status: &ServerStatus) {
        match self {
            Board::Terminal(lines) => lines.show(status),
            Board::Plain(told) => told.wait(status),
        }
    }
}

/// A line on a terminal for each server that is not there yet; dropping them clears them.
#[derive(Default)]
struct Lines {
    all: MultiProgress,
    bars: BTreeMap<String, ProgressBar>,
}

impl Lines {
    fn show(&mut self, status: &ServerStatus) {
        if status.state != ServerState::Connecting {
            if let Some(bar) = self.bars.remove(&status.server) {
                bar.finish_and_clear();
                self.all.remove(&bar);
            }
            return;
        }
        let bar = self.bars.entry(status.server.clone()).or_insert_with(|| {
            // It gets its words before it is shown, since each change draws it.
            let bar = ProgressBar::new_spinner()
                .with_prefix(escape_line(&status.server))
                .with_message(waits_for(status));
            // The template is one of ours and right; without it the default would do.
            let template = ProgressStyle::with_template("{spinner} {prefix}: {msg} ({elapsed})");
            self.all.add(match template {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            })
        });
        bar.set_message(waits_for(status));
        bar.tick();
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        // A terminal that cannot be written to needs no clearing.
        let _ = self.all.clear();
    }
}

/// What was said of each server.
struct Told {
    tell: Tell,
    servers: BTreeMap<String, Said>,
}

#[derive(Default)]
struct Said {
    waits: u64,
    ended: bool,
}

impl Told {
    fn show(&mut self, status: &ServerStatus) {
        let told = self.tell == Tell::Ends && !status.stages.is_empty();
        if !told || status.state == ServerState::Connecting {
            return;
        }
        let said = self.servers.entry(status.server.clone()).or_default();
        if !said.ended {
            said.ended = true;
            let server = escape_line(&status.server);
            complain(&format!(
                "{server}: {} after {}",
                status.state,
                took(status)
            ));
        }
    }

    fn wait(&mut self, status: &ServerStatus) {
        if status.state != ServerState::Connecting {
            return;
        }
        let said = self.servers.entry(status.server.clone()).or_default();
        let waited = status.elapsed.as_secs();
        let due = usize::try_from(said.waits)
            .ok()
            .and_then(|at| WAITS.get(at).copied())
            .unwrap_or_else(|| LONG_WAIT * (said.waits - 3));
        if waited >= due {
            said.waits += 1;
            complain(&format!(
                "{}: {} ({waited} s)",
                escape_line(&status.server),
                waits_for(status)
            ));
        }
    }
}

/// What the attempt waits for now.
fn waits_for(status: &ServerStatus) -> &'static str {
    match status.stages.last().map(|time| time.stage) {
        Some(Stage::Resolve) => "resolving the values of its entry",
        Some(Stage::Connect) => "waiting for its handshake",
        Some(Stage::List) => "waiting for its list of tools",
        _ => "connecting",
    }
}

/// The time that all stages took.
fn took(status: &ServerStatus) -> String {
    duration(status.stages.iter().map(|time| time.elapsed).sum())
}

/// Milliseconds below a second, then seconds with one digit.
pub(super) fn duration(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}
