//! The folders of one scenario and what is laid into them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use fixture_server::Gates;
use tempfile::TempDir;

use super::Fixture;
use super::launcher::{LAUNCHER, make_executable};
use super::web::{self, Webs};

/// The folders of one scenario; removed with everything in them when it is dropped.
///
/// ```text
/// home/               HOME; home/.codework holds the user layer and the server log
/// project/            the base directory; project/.codework holds the project layer
/// bin/fixture-server  starts a server's script; found through PATH
/// servers/<name>/     its script, the journal of each of its processes, its start counter
/// gates/              open gates
/// tmp/                TMPDIR
/// ```
#[derive(Debug)]
pub struct Sandbox {
    root: PathBuf,
    webs: Webs,
    fixture: Fixture,
    /// Held for its `Drop`.
    _folder: TempDir,
}

/// A file of the sandbox, as scenarios name them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// `user`: the user layer.
    User,
    /// `project`: the project layer.
    Project,
    /// Any other: a path relative to the sandbox.
    Path(PathBuf),
}

/// Why a sandbox could not be made or changed.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what} {}", path.display())]
pub struct SandboxError {
    what: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl Place {
    /// The place that a scenario means by `name`; nothing where it would leave the sandbox.
    pub fn named(name: &str) -> Option<Place> {
        use std::path::Component;
        Some(match name {
            "user" => Place::User,
            "project" => Place::Project,
            path => {
                let path = Path::new(path);
                let inside = path
                    .components()
                    .all(|component| matches!(component, Component::Normal(_)));
                if !inside || path.as_os_str().is_empty() {
                    return None;
                }
                Place::Path(path.to_owned())
            }
        })
    }

    fn relative(&self) -> &Path {
        match self {
            Place::User => Path::new("home/.codework/mcp.json"),
            Place::Project => Path::new("project/.codework/mcp.json"),
            Place::Path(path) => path,
        }
    }
}

impl Sandbox {
    /// Makes the folders. Each script goes to the fixture server of its name.
    pub fn new(
        fixture: &Fixture,
        scripts: &BTreeMap<String, String>,
    ) -> Result<Self, SandboxError> {
        let temporary = std::env::temp_dir();
        let folder = tempfile::Builder::new()
            .prefix("mcp-harness-")
            .tempdir()
            .map_err(|source| failed("make a folder in", &temporary, source))?;
        // Programs report resolved paths, so ours must be one for both to be the same text.
        let root = fs::canonicalize(folder.path())
            .map_err(|source| failed("resolve", folder.path(), source))?;
        let sandbox = Sandbox {
            root,
            webs: Webs::default(),
            fixture: fixture.clone(),
            _folder: folder,
        };
        for directory in [
            "home/.codework",
            "project/.codework",
            "bin",
            "servers",
            "gates",
            "tmp",
        ] {
            let path = sandbox.path(directory);
            fs::create_dir_all(&path).map_err(|source| failed("make", &path, source))?;
        }
        for (name, script) in scripts {
            sandbox.write_file(&Path::new("servers").join(name).join("script.json"), script)?;
        }
        let bin = sandbox.path("bin");
        fixture
            .link_into(&bin)
            .map_err(|source| failed("make a link in", &bin, source))?;
        Ok(sandbox)
    }

    /// The outermost folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path of the sandbox.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// The file of a place.
    pub fn file(&self, place: &Place) -> PathBuf {
        self.root.join(place.relative())
    }

    /// Writes or replaces a file. `$FIXTURE` in it becomes the name of the fixture server's command, which
    /// is the same in every sandbox, so that columns in problems are too; `$URL(name)` the URL of a web
    /// server that was started. A text that begins with `#!` can
    /// be executed.
    pub fn lay(&self, place: &Place, text: &str) -> Result<(), SandboxError> {
        let filled = web::with_urls(&text.replace("$FIXTURE", LAUNCHER), &self.webs.ports());
        self.write_file(place.relative(), &filled)?;
        if text.starts_with("#!") {
            let path = self.file(place);
            make_executable(&path).map_err(|source| failed("make executable", &path, source))?;
        }
        Ok(())
    }

    /// Removes a file; that there is none is an error, since the scenario believes that there is.
    pub fn remove(&self, place: &Place) -> Result<(), SandboxError> {
        let path = self.file(place);
        fs::remove_file(&path).map_err(|source| failed("remove", &path, source))
    }

    /// The variables that the host has: always the same, whatever the runner's own are.
    pub fn environment(&self) -> BTreeMap<String, String> {
        let shown = |relative: &str| self.path(relative).display().to_string();
        [
            ("HOME", shown("home")),
            ("LANG", "C.UTF-8".to_owned()),
            ("LOGNAME", "tester".to_owned()),
            (
                "PATH",
                format!("{}:/usr/local/bin:/usr/bin:/bin", shown("bin")),
            ),
            ("SHELL", "/bin/sh".to_owned()),
            ("TERM", "dumb".to_owned()),
            ("TMPDIR", shown("tmp")),
            ("TZ", "UTC".to_owned()),
            ("USER", "tester".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// The same with variables of the runner: a `PATH` comes behind the sandbox's own commands. One that the
    /// runner does not have is left out.
    pub fn environment_with(&self, inherited: &[String]) -> BTreeMap<String, String> {
        let mut environment = self.environment();
        for name in inherited {
            let Some(value) = self.fixture.variable(name) else {
                continue;
            };
            let value = match name.as_str() {
                "PATH" => format!("{}:{value}", self.path("bin").display()),
                _ => value.to_owned(),
            };
            environment.insert(name.clone(), value);
        }
        environment
    }

    /// The gates that scripts and the scenario open for each other.
    pub fn gates(&self) -> Gates {
        Gates::new(self.path("gates"))
    }

    /// Starts a fixture server over HTTP; started again, it has the port that it had.
    pub fn start_web(&self, name: &str) -> Result<(), SandboxError> {
        let launcher = self.path("bin").join(LAUNCHER);
        let command = web::command(&launcher, name, &self.path("project"), self.environment());
        let server = self.path("servers").join(name);
        self.webs
            .start(name, command)
            .map_err(|source| failed("serve HTTP from", &server, source))
    }

    /// Ends a web server by the end of its input, and by SIGKILL where that is not enough.
    pub fn stop_web(&self, name: &str) {
        self.webs.stop(name);
    }

    /// Ends all web servers.
    pub fn stop_webs(&self) {
        self.webs.stop_all();
    }

    /// The URL of a web server that was started.
    pub fn web_url(&self, name: &str) -> Option<String> {
        self.webs.ports().get(name).map(|port| web::url(*port))
    }

    /// The ports of all web servers that were started.
    pub fn web_ports(&self) -> Vec<u16> {
        self.webs.ports().into_values().collect()
    }

    /// The journal lines of a server so far, one process after the other.
    pub fn journal(&self, server: &str) -> Vec<String> {
        super::journal::lines(&self.path("servers").join(server))
    }

    fn write_file(&self, relative: &Path, text: &str) -> Result<(), SandboxError> {
        let path = self.root.join(relative);
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, text))
            .map_err(|source| failed("write", &path, source))
    }
}

fn failed(what: &'static str, path: &Path, source: io::Error) -> SandboxError {
    SandboxError {
        what,
        path: path.to_owned(),
        source,
    }
}
