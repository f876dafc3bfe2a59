//! What the tests of HTTP share: a scripted server on a real socket, and its journal.

#![allow(dead_code, reason = "each test file uses its own part")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mcp_transport::{ConnectError, Connection, Era, Events, HttpSpec, Options};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::stdio_support::{example, within};

/// A scripted HTTP server; it ends with the value.
pub(crate) struct Site {
    pub(crate) dir: TempDir,
    pub(crate) url: String,
    /// The end of its input ends it.
    server: Child,
}

impl Site {
    /// A server that plays this script.
    pub(crate) fn new(script: &Value) -> Self {
        let dir = TempDir::new().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs::create_dir(path("gates")).unwrap();
        let mut server = Command::new(example("fixture-server"))
            .args([
                "--script-json",
                &script.to_string(),
                "--http",
                "--max-life-ms",
                "60000",
            ])
            .arg("--journal")
            .arg(path("journal"))
            .arg("--gates")
            .arg(path("gates"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut url)
            .unwrap();
        Self {
            dir,
            url: url.trim().to_owned(),
            server,
        }
    }

    /// A server of the initialize era with one tool, `t`, that does this.
    pub(crate) fn with_tool(steps: &Value) -> Self {
        Self::new(
            &json!({ "tools": [{ "name": "t", "inputSchema": { "type": "object" } }], "calls": { "t": steps } }),
        )
    }

    pub(crate) fn spec(&self) -> HttpSpec {
        HttpSpec::new(&self.url).unwrap()
    }

    pub(crate) async fn connect(
        &self,
        options: Options,
    ) -> Result<(Connection, Events), ConnectError> {
        within("connecting", Connection::http(self.spec(), options)).await
    }

    /// A connection of the initialize era, without the probe.
    pub(crate) async fn session(&self) -> (Connection, Events) {
        self.connect(Options::default().era(Some(Era::Initialize)))
            .await
            .unwrap()
    }

    pub(crate) fn open(&self, gate: &str) {
        fs::write(self.dir.path().join("gates").join(gate), "").unwrap();
    }

    /// The requests so far.
    pub(crate) fn journal(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.dir.path().join("journal")).unwrap_or_default();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The requests with this method of MCP, or of HTTP.
    pub(crate) fn requests(&self, method: &str) -> Vec<Value> {
        let is = |line: &Value| line["received"]["method"] == method || line["http"] == method;
        self.journal().into_iter().filter(is).collect()
    }

    /// Waits until the journal has such a line.
    pub(crate) async fn journalled(&self, what: &str, found: impl Fn(&Value) -> bool) {
        self.journalled_times(what, 1, found).await;
    }

    /// Waits until the journal has so many lines of the kind.
    pub(crate) async fn journalled_times(
        &self,
        what: &str,
        times: usize,
        found: impl Fn(&Value) -> bool,
    ) {
        within(what, async {
            while self.journal().iter().filter(|line| found(line)).count() < times {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
        .await;
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        drop(self.server.stdin.take());
        let _ = self.server.wait();
    }
}
