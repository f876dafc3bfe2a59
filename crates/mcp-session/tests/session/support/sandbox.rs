//! A folder with configuration files, and a session over a fleet of scripted servers.

use std::path::PathBuf;

use mcp_config::{Environment, Layer};
use mcp_session::{Session, SessionBuilder};

use super::peer::Fleet;

pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
    pub(crate) fleet: Fleet,
}

impl Sandbox {
    /// The user's file holds these entries, as the inside of `mcpServers`.
    pub(crate) fn new(entries: &str) -> Sandbox {
        let sandbox = Sandbox {
            folder: tempfile::tempdir().unwrap(),
            fleet: Fleet::default(),
        };
        sandbox.write(entries);
        sandbox
    }

    pub(crate) fn write(&self, entries: &str) {
        self.write_file("user.json", &format!(r#"{{"mcpServers":{{{entries}}}}}"#));
    }

    pub(crate) fn write_file(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn builder(&self) -> SessionBuilder {
        Session::builder()
            .layers([Layer::user(self.path("user.json"))])
            .base(self.folder.path())
            .environment(environment(&[]))
            .connector(self.fleet.clone())
    }

    pub(crate) fn session(&self) -> Session {
        self.builder().build()
    }
}

pub(crate) fn environment(variables: &[(&str, &str)]) -> Environment {
    let plain = [("PATH", "/usr/bin:/bin"), ("HOME", "/nowhere")];
    plain
        .iter()
        .chain(variables)
        .map(|(name, value)| (*name, *value))
        .collect()
}
