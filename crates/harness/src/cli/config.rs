//! `mcp-harness config check` and `mcp-harness config explain`. They start nothing, so a project's file is
//! looked at whether it is trusted or not.

use std::process::ExitCode;

use mcp_config::{
    Config, Outcome, Outputs, Problem, RenderOptions, ResolveError, Severity,
    explain as explanation, load, render,
};

use super::args::ConfigArgs;
use super::doctor::entry;
use super::exit::{CommandError, FAILED, OK};
use super::host::{Host, print};
use super::output::print_json;
use super::select::Selection;
use crate::number::plural;
use crate::terminal::{Style, escape_line};

/// Prints every problem, and each value that could not be resolved if its server were started now.
pub(super) fn check(args: &ConfigArgs, host: &Host) -> Result<ExitCode, CommandError> {
    let selection = Selection::new(&args.select, args.trust_project, host)?;
    let config = load(&selection.layers);
    let unresolved = unresolved(&config, &selection, host);
    let problems = [config.problems(), &unresolved].concat();
    if args.json {
        let mut json = serde_json::to_value(explanation(&config)).map_err(std::io::Error::other)?;
        json["problems"] = serde_json::to_value(&problems).map_err(std::io::Error::other)?;
        print_json(&json)?;
    } else {
        print(&rendered(&problems, host))?;
        print(&summary(&config, &problems))?;
    }
    Ok(code(&config))
}

/// Prints every value with its origin, then the problems.
pub(super) fn explain(args: &ConfigArgs, host: &Host) -> Result<ExitCode, CommandError> {
    let selection = Selection::new(&args.select, args.trust_project, host)?;
    let config = load(&selection.layers);
    if args.json {
        print_json(&explanation(&config))?;
    } else {
        print(&explanation(&config).to_string())?;
        print(&rendered(config.problems(), host))?;
    }
    Ok(code(&config))
}

/// That there is no server, and in which files.
pub(super) fn no_servers(config: &Config) -> String {
    let files: Vec<String> = config
        .sources()
        .iter()
        .map(|source| escape_line(&source.file().display().to_string()))
        .collect();
    format!("no servers are configured in {}\n", files.join(" or "))
}

/// What stands in the way of each server in the environment of now. Only warnings: the host may run in another
/// one. What a command would yield is not known, since none is run.
fn unresolved(config: &Config, selection: &Selection, host: &Host) -> Vec<Problem> {
    let environment = host.environment();
    let entries = config.servers().filter_map(|(name, _)| entry(config, name));
    let failed = entries
        .filter(|entry| entry.is_enabled())
        .filter_map(|entry| {
            entry
                .resolve(&environment, &Outputs::new(), &selection.base)
                .err()
        });
    let mut problems = Vec::new();
    for errors in failed {
        let known = errors.iter().zip(errors.problems());
        let known = known.filter(|((_, error), _)| **error != ResolveError::CommandNotRun);
        problems.extend(known.map(|(_, problem)| problem.as_warning()));
    }
    problems
}

fn rendered(problems: &[Problem], host: &Host) -> String {
    let colour = host.output_style() == Style::Coloured;
    render(
        problems,
        RenderOptions {
            colour,
            ..RenderOptions::default()
        },
    )
}

fn summary(config: &Config, problems: &[Problem]) -> String {
    let count = |severity| {
        let of_it = problems
            .iter()
            .filter(|problem| problem.severity() == severity);
        of_it.count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let servers = config.servers().count();
    if servers == 0 && problems.is_empty() {
        return no_servers(config);
    }
    let there = |source: &&mcp_config::LayerSource| source.outcome() != Outcome::Absent;
    format!(
        "{} in {}: {}, {}\n",
        plural(servers, "server"),
        plural(config.sources().iter().filter(there).count(), "file"),
        plural(errors, "error"),
        plural(warnings, "warning")
    )
}

fn code(config: &Config) -> ExitCode {
    ExitCode::from(if config.has_errors() { FAILED } else { OK })
}
