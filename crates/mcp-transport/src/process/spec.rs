//! What to start: command, arguments, the complete environment, working directory.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use super::error::SpawnError;

/// What to start.
///
/// Nothing is inherited: the environment is exactly the one given here, and a command without a
/// slash is looked up in *its* `PATH`.
///
/// ```
/// use mcp_transport::process::ProcessSpec;
///
/// let spec = ProcessSpec::new("sh", "/").args(["-c", "exit 3"]).env([("PATH", "/bin:/usr/bin")]);
/// assert!(spec.resolve()?.is_absolute());
/// # Ok::<(), mcp_transport::process::SpawnError>(())
/// ```
#[derive(Clone)]
pub struct ProcessSpec {
    pub(super) command: OsString,
    pub(super) args: Vec<OsString>,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) cwd: PathBuf,
    pub(super) stdin: bool,
}

impl ProcessSpec {
    /// A command in a working directory, with no arguments, an empty environment and all three
    /// standard streams piped.
    pub fn new(command: impl Into<OsString>, cwd: impl Into<PathBuf>) -> Self {
        Self {
            command: command.into(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: cwd.into(),
            stdin: true,
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<I>(mut self, args: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Adds variables to the environment; of two with the same name the later one holds.
    #[must_use]
    pub fn env<K, V>(mut self, variables: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<OsString>,
        V: Into<OsString>,
    {
        let variables = variables.into_iter();
        self.env
            .extend(variables.map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// Gives the process an empty standard input instead of a pipe.
    #[must_use]
    pub fn stdin_null(mut self) -> Self {
        self.stdin = false;
        self
    }
}

#[cfg(unix)]
impl ProcessSpec {
    /// The absolute path of the program that would be started.
    ///
    /// A command with a slash is relative to the working directory. Any other is looked up in the
    /// `PATH` of the environment given here: without one in the system's default, with an empty
    /// one in the working directory alone.
    pub fn resolve(&self) -> Result<PathBuf, SpawnError> {
        super::input::check(self)?;
        let cwd = self.directory()?;
        super::resolve::program(&self.command, self.search_path(), &cwd)
    }

    /// Says what an exit before any work most likely means, where the status alone tells it.
    ///
    /// Scripts and launchers that do not find the next program exit with 126 or 127; the operating
    /// system started them well, so no [`SpawnError`] can say it.
    pub fn explain_exit(&self, status: std::process::ExitStatus) -> Option<String> {
        match status.code() {
            Some(127) => Some(super::interpreter::explain_not_found(self)),
            Some(126) => Some(String::from(
                "exit status 126 means that a command was found but could not be run",
            )),
            _ => None,
        }
    }

    /// The `PATH` that the process will see, if any.
    pub(super) fn search_path(&self) -> Option<&OsStr> {
        let mut paths = self.env.iter().rev();
        paths
            .find(|(name, _)| name == "PATH")
            .map(|(_, value)| value.as_os_str())
    }

    /// The working directory as an absolute path, once it is known to be one.
    pub(super) fn directory(&self) -> Result<PathBuf, SpawnError> {
        let directory = std::path::absolute(&self.cwd)
            .map_err(|_| super::input::invalid("the working directory", "is empty"))?;
        super::resolve::check_directory(directory)
    }
}

/// Arguments and values may be secrets, so only their number and names are shown.
impl fmt::Debug for ProcessSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&OsStr> = self.env.iter().map(|(name, _)| name.as_os_str()).collect();
        f.debug_struct("ProcessSpec")
            .field("command", &self.command)
            .field("args", &self.args.len())
            .field("env", &names)
            .field("cwd", &self.cwd)
            .field("stdin", &self.stdin)
            .finish()
    }
}
