//! The line at the bottom of a terminal that says what runs right now.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::host::Host;
use crate::terminal::escape_line;

/// How often the line is drawn anew.
const REDRAW: Duration = Duration::from_millis(100);

/// What runs, and how much of all is done.
pub(super) struct StatusLine {
    bar: ProgressBar,
    running: BTreeMap<String, Instant>,
}

impl StatusLine {
    /// The line of a run of so many trials; none is seen where a line cannot be drawn anew.
    pub(super) fn new(trials: usize, host: &Host) -> StatusLine {
        let length = u64::try_from(trials).unwrap_or(u64::MAX);
        let target = if host.redraws() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(length), target);
        if let Ok(style) = ProgressStyle::with_template("[{pos}/{len}] {elapsed}  {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(REDRAW);
        StatusLine {
            bar,
            running: BTreeMap::new(),
        }
    }

    pub(super) fn begun(&mut self, name: &str) {
        self.running.insert(name.to_owned(), Instant::now());
        self.draw();
    }

    pub(super) fn ended(&mut self, name: &str) {
        self.running.remove(name);
        self.bar.inc(1);
        self.draw();
    }

    /// Does something with the terminal while the line is not on it.
    pub(super) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// What runs longest stands first: that is what a person waits for.
    fn draw(&self) {
        let mut running: Vec<(&Instant, &String)> =
            self.running.iter().map(|(name, at)| (at, name)).collect();
        running.sort();
        let names: Vec<String> = running.iter().map(|(_, name)| escape_line(name)).collect();
        self.bar.set_message(names.join(", "));
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
