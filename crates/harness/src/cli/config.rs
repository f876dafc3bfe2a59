//! `mcp-harness config check` and `mcp-harness config explain`. They start nothing, so a project's file is
//! looked at whether it is trusted or not.

use std::process::ExitCode;

use mcp_config::{Config, RenderOptions, Severity, explain as explanation, load, render};

use super::args::LookArgs;
use super::exit::{CommandError, FAILED, OK};
use super::host::{Host, print};
use super::select::Selection;
use crate::terminal::Style;

/// Prints every problem.
pub(super) fn check(args: &LookArgs, host: &Host) -> Result<ExitCode, CommandError> {
    let config = read(args, host)?;
    if args.json {
        return print_json(&config);
    }
    print(&problems(&config, host))?;
    print(&summary(&config))?;
    Ok(code(&config))
}

/// Prints every value with its origin, then the problems.
pub(super) fn explain(args: &LookArgs, host: &Host) -> Result<ExitCode, CommandError> {
    let config = read(args, host)?;
    if args.json {
        return print_json(&config);
    }
    print(&explanation(&config).to_string())?;
    print(&problems(&config, host))?;
    Ok(code(&config))
}

fn read(args: &LookArgs, host: &Host) -> Result<Config, CommandError> {
    Ok(load(&Selection::new(&args.select, host)?.layers))
}

fn print_json(config: &Config) -> Result<ExitCode, CommandError> {
    super::output::print_json(&explanation(config))?;
    Ok(code(config))
}

fn problems(config: &Config, host: &Host) -> String {
    let colour = host.output_style() == Style::Coloured;
    render(
        config.problems(),
        RenderOptions {
            colour,
            ..RenderOptions::default()
        },
    )
}

fn summary(config: &Config) -> String {
    let count = |severity| {
        config
            .problems()
            .iter()
            .filter(|problem| problem.severity() == severity)
            .count()
    };
    let files = config.sources().len();
    format!(
        "{} server(s) in {files} file(s): {} error(s), {} warning(s)\n",
        config.servers().count(),
        count(Severity::Error),
        count(Severity::Warning)
    )
}

fn code(config: &Config) -> ExitCode {
    ExitCode::from(if config.has_errors() { FAILED } else { OK })
}
