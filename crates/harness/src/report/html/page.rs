//! The page around the scenarios: the sum of the run, the filter, the order.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::trial::Report;

use super::scenario::{class, scenario};

/// Nothing may be loaded, run, sent or framed; only the page's own styles apply.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("style.css");

/// The run as one HTML page, which needs nothing but itself. What failed stands first, the rest by name.
pub fn html(reports: &[Report]) -> String {
    let mut sorted: Vec<&Report> = reports.iter().collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let (failed, others): (Vec<_>, Vec<_>) = sorted
        .into_iter()
        .partition(|report| report.outcome.failure().is_some());
    let title = if failed.is_empty() {
        "Scenarios: all as accepted".to_owned()
    } else {
        format!("Scenarios: {} failed", failed.len())
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header(reports, &title))
                main {
                    @if !failed.is_empty() {
                        h2 class="of-failed" { "Failed" }
                        @for (index, report) in failed.iter().enumerate() {
                            (scenario(report, &format!("f{index}")))
                        }
                    }
                    @for (number, suite) in others.chunk_by(|a, b| suite(a) == suite(b)).enumerate() {
                        h2 class="of-others" { (suite.first().map_or("", |report| self::suite(report))) }
                        @for (index, report) in suite.iter().enumerate() {
                            (scenario(report, &format!("s{number}-{index}")))
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}

fn suite(report: &Report) -> &str {
    report.name.split_once('/').map_or("", |(suite, _)| suite)
}

/// The sum, and the filter: a choice that styles alone carry out.
fn header(reports: &[Report], title: &str) -> Markup {
    let count = |wanted: &str| {
        reports
            .iter()
            .filter(|report| class(&report.outcome) == wanted)
            .count()
    };
    let choices = [
        ("all", "All", reports.len()),
        ("failed", "Failed", count("failed")),
        ("passed", "Passed", count("passed")),
        ("ignored", "Ignored", count("ignored")),
    ];
    let seconds: f64 = reports
        .iter()
        .map(|report| report.elapsed.as_secs_f64())
        .sum();
    html! {
        header {
            h1 { (title) }
            p class="sum" { (reports.len()) @if reports.len() == 1 { " trial, " } @else { " trials, " } (format!("{seconds:.1} s")) " of playing" }
            fieldset {
                legend { "Show" }
                @for (id, word, number) in choices {
                    @if id == "all" || number > 0 {
                        input type="radio" name="show" id={ "show-" (id) } checked[id == "all"];
                        label for={ "show-" (id) } { (word) " " span class="count" { (number) } }
                    }
                }
            }
        }
    }
}
