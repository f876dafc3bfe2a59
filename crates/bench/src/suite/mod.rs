//! What is compared with what: the suites, as data.

mod counted;
mod growth;
mod http;
mod metric;
mod parts;
mod row;
mod servers;
mod stdio;

pub(crate) use metric::Metric;
pub(crate) use row::Row;

/// One comparison: rows that are measured in turn, and what is read off each.
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) method: Method,
    pub(crate) rows: &'static [Row],
    pub(crate) metrics: &'static [Metric],
}

impl Suite {
    /// How often its rows are measured: counted figures hardly differ between runs, and take long.
    pub(crate) fn rounds(&self, wanted: usize) -> usize {
        match self.method {
            Method::Callgrind { .. } => 1,
            Method::Pinned | Method::Unpinned => wanted,
        }
    }
}

/// How a row's figures are had.
#[derive(Clone, Copy)]
pub(crate) enum Method {
    /// By a process of its own that measures itself, on one core.
    Pinned,
    /// The same, on any core: what is measured does not run on one.
    Unpinned,
    /// By callgrind, as the difference between two runs of different lengths.
    Callgrind {
        /// How often the shorter run does what is counted.
        short: usize,
        /// How many things each time does: 1 for a call, the number of tools for a listing.
        each: u32,
    },
}

/// Every suite, in the order in which they run.
pub(crate) fn all() -> impl Iterator<Item = &'static Suite> {
    [
        stdio::SUITES,
        http::SUITES,
        servers::SUITES,
        parts::SUITES,
        growth::SUITES,
        counted::SUITES,
    ]
    .into_iter()
    .flatten()
}
