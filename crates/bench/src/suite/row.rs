//! The rows of a suite: who does what, how often, and beside whom it is set.

use crate::foreign;

/// One measured subject.
pub(crate) struct Row {
    pub(crate) label: &'static str,
    pub(crate) subject: &'static str,
    pub(crate) workload: &'static str,
    pub(crate) count: usize,
    /// The labels of the rows whose multiple this row's figures are given as.
    pub(crate) against: &'static [&'static str],
}

impl Row {
    /// It is a client in another language, which has to be installed first.
    pub(crate) fn is_foreign(&self) -> bool {
        foreign::is_subject(self.subject)
    }
}

/// A client over stdio, beside the least that one can be and beside rmcp's.
pub(super) const fn row(label: &'static str, workload: &'static str, count: usize) -> Row {
    Row {
        label,
        subject: label,
        workload,
        count,
        against: &["bare", "rmcp"],
    }
}

/// A client over HTTP, beside both bare ones and rmcp's.
pub(super) const fn http_row(
    label: &'static str,
    subject: &'static str,
    workload: &'static str,
    count: usize,
) -> Row {
    Row {
        label,
        subject,
        workload,
        count,
        against: &["hyper", "reqwest", "rmcp"],
    }
}

/// A subject at one point of a curve.
pub(super) const fn point(
    label: &'static str,
    subject: &'static str,
    workload: &'static str,
    count: usize,
    against: &'static [&'static str],
) -> Row {
    Row {
        label,
        subject,
        workload,
        count,
        against,
    }
}

/// The same workload by each client.
macro_rules! each_client {
    ($workload:literal, $count:expr) => {
        &[
            row("bare", $workload, $count),
            row("ours", $workload, $count),
            row("ours-stateless", $workload, $count),
            row("rmcp", $workload, $count),
        ]
    };
}

/// The same, the session and the clients in other languages with it.
macro_rules! everyone {
    ($workload:literal, $count:expr) => {
        &[
            row("bare", $workload, $count),
            row("ours", $workload, $count),
            row("ours-stateless", $workload, $count),
            row("session", $workload, $count),
            row("rmcp", $workload, $count),
            row("typescript", $workload, $count),
            row("python", $workload, $count),
            row("fastmcp", $workload, $count),
        ]
    };
}

/// The same workload by each client over HTTP.
macro_rules! each_http_client {
    ($workload:literal, $count:expr) => {
        &[
            http_row("hyper", "http-hyper", $workload, $count),
            http_row("reqwest", "http-reqwest", $workload, $count),
            http_row("ours", "http-ours", $workload, $count),
            http_row("ours-stateless", "http-ours-stateless", $workload, $count),
            http_row("rmcp", "http-rmcp", $workload, $count),
            http_row("rmcp-pooled", "http-rmcp-pooled", $workload, $count),
        ]
    };
}

/// The same with the clients in other languages, which do a fifth as many calls.
macro_rules! everyone_over_http {
    ($workload:literal, $count:expr) => {
        &[
            http_row("hyper", "http-hyper", $workload, $count),
            http_row("reqwest", "http-reqwest", $workload, $count),
            http_row("ours", "http-ours", $workload, $count),
            http_row("ours-stateless", "http-ours-stateless", $workload, $count),
            http_row("rmcp", "http-rmcp", $workload, $count),
            http_row("rmcp-pooled", "http-rmcp-pooled", $workload, $count),
            http_row("typescript", "http-typescript", $workload, $count / 5),
            http_row("python", "http-python", $workload, $count / 5),
            http_row("fastmcp", "http-fastmcp", $workload, $count / 5),
        ]
    };
}

pub(super) use {each_client, each_http_client, everyone, everyone_over_http};
