//! Explains configuration files: servers, values with their origins, problems.
//!
//! ```text
//! cargo run -p mcp-config --example explain -- [--user-file FILE] [--project-file FILE] [--trust-project] [--json]
//! ```
//!
//! Without a file it reads `~/.codework/mcp.json` and `./.codework/mcp.json`. It ends with 1 where there are errors,
//! with 2 where the options are wrong. It starts nothing; `--trust-project` shows what a trusted project's file brings.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use mcp_config::{
    Layer, Locations, RenderOptions, Trust, escape_json, escape_terminal, explain, load, render,
};

const USAGE: &str =
    "usage: explain [--user-file FILE] [--project-file FILE] [--trust-project] [--json]";

#[derive(Default)]
struct Options {
    user_file: Option<PathBuf>,
    project_file: Option<PathBuf>,
    trust_project: bool,
    json: bool,
    help: bool,
}

fn main() -> ExitCode {
    let options = match options(std::env::args_os().skip(1)) {
        Ok(options) if options.help => {
            return print(&format!("{USAGE}\n"), "", ExitCode::SUCCESS);
        }
        Ok(options) => options,
        Err(message) => {
            let error = format!("error: {}\n{USAGE}\n", escape_terminal(&message));
            return print("", &error, ExitCode::from(2));
        }
    };
    let config = load(&layers(&options));
    let explanation = explain(&config);
    let status = ExitCode::from(u8::from(config.has_errors()));
    if options.json {
        // Serialising cannot fail: all keys are strings.
        let json = serde_json::to_string_pretty(&explanation).unwrap_or_default();
        return print(&format!("{}\n", escape_json(&json)), "", status);
    }
    let problems = render(config.problems(), RenderOptions::default());
    print(&explanation.to_string(), &format!("\n{problems}"), status)
}

/// Prints to both outputs. Somebody who stops reading, such as `head`, is no error.
fn print(output: &str, errors: &str, status: ExitCode) -> ExitCode {
    let _ = std::io::stdout().write_all(output.as_bytes());
    let _ = std::io::stderr().write_all(errors.as_bytes());
    status
}

fn options(mut arguments: impl Iterator<Item = std::ffi::OsString>) -> Result<Options, String> {
    let mut options = Options::default();
    while let Some(argument) = arguments.next() {
        let mut file = || {
            arguments
                .next()
                .map(PathBuf::from)
                .ok_or("a file is missing".to_owned())
        };
        match argument.to_str() {
            Some("--user-file") => options.user_file = Some(file()?),
            Some("--project-file") => options.project_file = Some(file()?),
            Some("--trust-project") => options.trust_project = true,
            Some("--json") => options.json = true,
            Some("--help" | "-h") => options.help = true,
            _ => return Err(format!("unknown option {}", argument.to_string_lossy())),
        }
    }
    Ok(options)
}

fn layers(options: &Options) -> Vec<Layer> {
    let trust = if options.trust_project {
        Trust::Trusted
    } else {
        Trust::Untrusted
    };
    if options.user_file.is_none() && options.project_file.is_none() {
        let home = std::env::home_dir().unwrap_or_default();
        let conventional = Locations::in_user_home(home).with_project(".").layers();
        return conventional
            .into_iter()
            .map(|layer| match layer.name() {
                "project" => layer.with_trust(trust),
                _ => layer,
            })
            .collect();
    }
    let user = options
        .user_file
        .as_ref()
        .map(|file| Layer::user(file).required());
    let project = options.project_file.as_ref();
    let project = project.map(|file| Layer::project(file).with_trust(trust).required());
    user.into_iter().chain(project).collect()
}
