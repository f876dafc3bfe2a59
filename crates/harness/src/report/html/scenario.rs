//! One scenario of the page.

use maud::{Markup, html};

use crate::terminal::{Style, escape};
use crate::trial::{Failure, Outcome, Record, Report};

use super::details::{difference, messages, pre, tools};
use super::diagram::diagram;
use super::sequence::Sequence;

/// A scenario: its line, and behind it everything that happened. One that failed is open.
pub(super) fn scenario(report: &Report, id: &str) -> Markup {
    let failure = report.outcome.failure();
    let record = report.record.as_ref();
    html! {
        details class={ "scenario " (class(&report.outcome)) } open[failure.is_some()] {
            summary {
                span class="badge" { (word(&report.outcome)) }
                span class="name" { (escape(&report.name)) }
                @if let Some(record) = record {
                    span class="title" { (escape(&record.title)) }
                }
                span class="time" { (format!("{:.2} s", report.elapsed.as_secs_f64())) }
            }
            div class="inside" {
                @if let Some(record) = record {
                    p class="proves" { (escape(&record.proves)) }
                }
                @if let Outcome::Ignored(reason) = &report.outcome {
                    p { (escape(reason)) }
                }
                @if let Some(failure) = failure { (failed(failure)) }
                @if let Some(record) = record { (recorded(record, id)) }
            }
        }
    }
}

/// The class of an outcome, by which the page filters.
pub(super) fn class(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Passed | Outcome::Accepted => "passed",
        Outcome::Ignored(_) => "ignored",
        Outcome::Failed(_) => "failed",
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "pass",
        Outcome::Accepted => "accepted",
        Outcome::Ignored(_) => "ignored",
        Outcome::Failed(_) => "fail",
    }
}

fn failed(failure: &Failure) -> Markup {
    html! {
        section class="failure" {
            h3 { "What is wrong" }
            @if let Some(file) = &failure.file {
                p class="file" { code { (escape(file)) } }
            }
            @for finding in &failure.findings { (pre(finding)) }
            @if let Some(mistakes) = &failure.mistakes { (pre(&mistakes.render(Style::Plain))) }
            @if let Some(it) = &failure.difference { (difference(it)) }
            @if !failure.server_log.is_empty() {
                h4 { "The end of the server log" }
                (pre(&failure.server_log.join("\n")))
            }
        }
    }
}

fn recorded(record: &Record, id: &str) -> Markup {
    html! {
        @if !record.trace.is_empty() {
            section {
                h3 { "Who said what to whom" }
                (diagram(&Sequence::new(&record.trace), id, &escape(&record.title)))
            }
            section {
                details class="part" {
                    summary { h3 { "Messages" } span class="count" { (record.trace.len()) } }
                    (messages(&record.trace, id))
                }
            }
        }
        @if let Some(artifact) = &record.artifact {
            section {
                details class="part" {
                    summary { h3 { "Declared tools" } }
                    (tools(artifact))
                }
            }
            section {
                details class="part" {
                    summary { h3 { "Artifact" } }
                    (pre(&artifact.to_text()))
                }
            }
        }
    }
}
