//! What the command takes from the process it is: folder, variables, streams.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use mcp_config::Environment;

use super::exit::CommandError;
use crate::terminal::Style;

/// A snapshot of the process that a command runs in.
pub(super) struct Host {
    pub(super) directory: PathBuf,
    pub(super) executable: PathBuf,
    variables: Vec<(OsString, OsString)>,
}

impl Host {
    pub(super) fn of_process() -> Result<Host, CommandError> {
        let directory = std::env::current_dir().map_err(|error| {
            CommandError::usage(format!("cannot find the current folder: {error}"))
        })?;
        let executable = std::env::current_exe().map_err(|error| {
            CommandError::usage(format!("cannot find this executable: {error}"))
        })?;
        Ok(Host {
            directory,
            executable,
            variables: std::env::vars_os().collect(),
        })
    }

    pub(super) fn environment(&self) -> Environment {
        self.variables.iter().cloned().collect()
    }

    /// The variables that are text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (String, String)> {
        self.variables.iter().filter_map(|(name, value)| {
            Some((name.to_str()?.to_owned(), value.to_str()?.to_owned()))
        })
    }

    /// The folder that `~` means.
    pub(super) fn home_folder(&self) -> Option<PathBuf> {
        self.variable("HOME")
            .filter(|home| !home.is_empty())
            .map(PathBuf::from)
    }

    pub(super) fn processors() -> usize {
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
    }

    /// Colours only where a person looks at them and did not ask for none.
    pub(super) fn style(&self, stream: &impl IsTerminal) -> Style {
        let refused = self
            .variable("NO_COLOR")
            .is_some_and(|value| !value.is_empty());
        let dumb = self.variable("TERM").is_some_and(|term| term == "dumb");
        if stream.is_terminal() && !refused && !dumb {
            Style::Coloured
        } else {
            Style::Plain
        }
    }

    /// Whether a line on standard error can be drawn anew.
    pub(super) fn redraws(&self) -> bool {
        io::stderr().is_terminal() && self.variable("TERM").is_none_or(|term| term != "dumb")
    }

    /// How many columns standard output has, if it is a terminal.
    pub(super) fn output_columns() -> Option<usize> {
        let size = console::Term::stdout().size_checked();
        size.map(|(_, columns)| usize::from(columns))
    }

    pub(super) fn output_style(&self) -> Style {
        self.style(&io::stdout())
    }

    /// How a person calls this command: `cargo run` tells its children that it is there.
    pub(super) fn run_command(&self) -> &'static str {
        if self.variable("CARGO").is_some() && self.variable("CARGO_MANIFEST_DIR").is_some() {
            "cargo run -p mcp-harness -- run"
        } else {
            "mcp-harness run"
        }
    }

    fn variable(&self, name: &str) -> Option<&OsString> {
        self.variables
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value)
    }
}

/// Writes to standard output. A reader that went away (`| head`) ends no work and changes no exit code: what is
/// printed from then on is for nobody.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes a line to standard error, where nothing can be done about a failure to do so.
pub(super) fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
