//! The command that starts a fixture server inside a sandbox.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use tempfile::TempDir;

use crate::shell::word;

/// How fixture servers are started: through the executable that has the hidden subcommand
/// `fixture-server`.
///
/// Make one per process, before the first scenario starts: a file that is being written in one thread while
/// another starts a process cannot be executed at that moment.
///
/// ```
/// use mcp_harness::sandbox::Fixture;
///
/// let fixture = Fixture::new("/usr/local/bin/mcp-harness".as_ref())?;
/// # drop(fixture);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fixture {
    folder: Arc<TempDir>,
    /// The runner's own environment.
    variables: Arc<BTreeMap<String, String>>,
}

impl Fixture {
    /// `executable` is the `mcp-harness` command.
    pub fn new(executable: &Path) -> io::Result<Fixture> {
        let folder = tempfile::Builder::new().prefix("mcp-harness-").tempdir()?;
        let launcher = folder.path().join(LAUNCHER);
        fs::write(&launcher, script(executable))?;
        make_executable(&launcher)?;
        Ok(Fixture {
            folder: Arc::new(folder),
            variables: Arc::default(),
        })
    }

    /// The runner's own variables, of which a scenario for real commands may `inherit` some.
    #[must_use]
    pub fn variables(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Fixture {
        self.variables = Arc::new(variables.into_iter().collect());
        self
    }

    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// Puts the command into a sandbox. The script knows the sandbox by the path it is started with.
    #[cfg(unix)]
    pub(super) fn link_into(&self, bin: &Path) -> io::Result<()> {
        std::os::unix::fs::symlink(self.folder.path().join(LAUNCHER), bin.join(LAUNCHER))
    }

    #[cfg(not(unix))]
    pub(super) fn link_into(&self, _bin: &Path) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

/// The name of the command in a sandbox.
pub(crate) const LAUNCHER: &str = "fixture-server";

/// Takes the server's name as its first argument and fills in the server's files, so that no path, which
/// would differ from run to run, stands in a configuration file.
fn script(executable: &Path) -> String {
    format!(
        "#!/bin/sh\n\
         root=${{0%/bin/*}}\n\
         server=$root/servers/$1\n\
         shift\n\
         exec {executable} fixture-server --script \"$server/script.json\" \
         --journal \"$server/$$.journal\" --state \"$server\" --gates \"$root/gates\" \"$@\"\n",
        executable = word(&executable.display().to_string()),
    )
}

#[cfg(unix)]
pub(super) fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
pub(super) fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}
