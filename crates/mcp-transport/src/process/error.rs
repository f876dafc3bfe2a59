//! Why a process did not start.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a process did not start, in terms of what its author wrote.
///
/// No message contains an argument or the value of a variable other than `PATH`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// A part of the specification cannot be handed to any process.
    #[error("{what} {why}")]
    InvalidInput {
        /// The part, such as `argument 2` or `the value of the variable "TOKEN"`.
        what: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// No file of that name exists where commands are looked up.
    #[error(
        "command {command:?} was not found: {searched}{}",
        arguments_hint(command)
    )]
    MissingCommand {
        /// The command as it was written.
        command: String,
        /// Where it was looked for.
        searched: Searched,
    },
    /// The file exists but cannot be run.
    #[error("command {command:?} cannot be run: {} {why}", file.display())]
    NotExecutable {
        /// The command as it was written.
        command: String,
        /// The file that was found.
        file: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The file exists and may be run, but the program that would run it does not exist.
    #[error("command {command:?} cannot be run: {}", missing_interpreter(file, interpreter.as_deref()))]
    MissingInterpreter {
        /// The command as it was written.
        command: String,
        /// The script, or the program whose loader is missing.
        file: PathBuf,
        /// What the script's first line asks for; none for a program.
        interpreter: Option<String>,
    },
    /// The working directory does not exist.
    #[error("the working directory {} does not exist", directory.display())]
    MissingDirectory {
        /// The directory, as an absolute path.
        directory: PathBuf,
    },
    /// The working directory is something else.
    #[error("the working directory {} is not a directory", directory.display())]
    NotADirectory {
        /// The path, absolute.
        directory: PathBuf,
    },
    /// The working directory exists but may not be entered.
    #[error("the working directory {} cannot be entered", directory.display())]
    ClosedDirectory {
        /// The directory, as an absolute path.
        directory: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// There is no tokio runtime to carry the pipes.
    #[error("a process can only be started inside a tokio runtime")]
    NoRuntime,
    /// This platform has no process groups.
    #[error("starting a server process is not supported on this platform")]
    Unsupported,
    /// The system refused for a reason that has no name here.
    #[error("{} could not be started", program.display())]
    System {
        /// The program, as an absolute path.
        program: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

/// Where a command was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Searched {
    /// The command has a slash, so it names this one file.
    File(PathBuf),
    /// The directories of the `PATH` in the process's own environment.
    Path(OsString),
    /// `PATH` is set but empty, which means the working directory.
    EmptyPath(PathBuf),
    /// The environment has no `PATH`, so the system's default applies.
    NoPath,
}

/// What a system without a `PATH` searches, by the C library's rules.
pub(crate) const DEFAULT_PATH: &str = "/bin:/usr/bin";

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => write!(f, "{} does not exist", file.display()),
            Self::Path(path) => write!(f, "it is in no directory of PATH={}", path.display()),
            Self::EmptyPath(cwd) => write!(
                f,
                "PATH is empty, so only the working directory {} was searched",
                cwd.display()
            ),
            Self::NoPath => write!(
                f,
                "its environment has no PATH, so only {DEFAULT_PATH} was searched"
            ),
        }
    }
}

/// The most common slip is a whole command line in `command`.
fn arguments_hint(command: &str) -> &'static str {
    if command.contains(char::is_whitespace) {
        " (arguments belong in `args`, not in `command`)"
    } else {
        ""
    }
}

fn missing_interpreter(file: &std::path::Path, interpreter: Option<&str>) -> String {
    let file = file.display();
    match interpreter {
        Some(name) if name.ends_with('\r') => format!(
            "the first line of {file} asks for {name:?}, which does not exist: the line ends in a \
             carriage return, so save the file with Unix line ends"
        ),
        Some(name) => {
            format!("the first line of {file} asks for {name:?}, which does not exist")
        }
        None => format!(
            "the loader that {file} needs does not exist, so it was built for another system"
        ),
    }
}
