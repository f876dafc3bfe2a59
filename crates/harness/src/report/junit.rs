//! The report that CI systems read.

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use crate::terminal::Style;
use crate::trial::{Outcome, Report};

/// Why no JUnit report could be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the run as JUnit XML")]
pub struct JunitError(#[source] quick_junit::SerializeError);

/// The run as JUnit XML: a suite of scenarios is a `testsuite`, a trial a `testcase`, sorted by name. The text
/// of a failure is the same as on a terminal without colours.
pub fn junit(reports: &[Report]) -> Result<String, JunitError> {
    let mut sorted: Vec<&Report> = reports.iter().collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let mut run = quick_junit::Report::new("mcp-harness");
    run.set_time(sorted.iter().map(|report| report.elapsed).sum());
    for of_suite in sorted.chunk_by(|a, b| suite(a) == suite(b)) {
        let mut part = TestSuite::new(of_suite.first().map_or("", |report| suite(report)));
        part.set_time(of_suite.iter().map(|report| report.elapsed).sum());
        part.add_test_cases(of_suite.iter().map(|report| case(report)));
        run.add_test_suite(part);
    }
    run.to_string().map_err(JunitError)
}

fn suite(report: &Report) -> &str {
    report.name.split_once('/').map_or("", |(suite, _)| suite)
}

fn case(report: &Report) -> TestCase {
    let status = match &report.outcome {
        Outcome::Passed | Outcome::Accepted => TestCaseStatus::success(),
        Outcome::Ignored(reason) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(reason.as_str());
            status
        }
        Outcome::Failed(failure) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(failure.summary());
            status.set_description(failure.render(Style::Plain));
            status
        }
    };
    let mut case = TestCase::new(report.name.as_str(), status);
    case.set_classname(suite(report)).set_time(report.elapsed);
    case
}
