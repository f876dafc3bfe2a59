//! What the tests with real servers share: a scripted server as a process, and its journal.

#![allow(dead_code, reason = "each test file uses its own part")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use mcp_transport::process::{Ladder, ProcessSpec};
use mcp_transport::{
    CallOptions, CallResult, ConnectError, Connection, Events, Options, RequestError,
};
use serde_json::Value;
use serde_json::value::RawValue;
use tempfile::TempDir;

/// No step of a test takes this long unless it hangs.
const HANG: Duration = Duration::from_secs(30);

/// A scripted server and the directory that it writes to.
pub(crate) struct Fixture {
    pub(crate) dir: TempDir,
    script: Value,
}

impl Fixture {
    /// A server that plays this script.
    pub(crate) fn new(script: Value) -> Self {
        Self {
            dir: TempDir::new().unwrap(),
            script,
        }
    }

    pub(crate) fn spec(&self) -> ProcessSpec {
        let path = |name: &str| self.dir.path().join(name).into_os_string();
        ProcessSpec::new(example("fixture-server"), self.dir.path())
            .args(["--script-json".into(), self.script.to_string()])
            .args([
                "--journal".into(),
                path("journal"),
                "--state".into(),
                path("state"),
            ])
            .args([
                "--gates".into(),
                path("gates"),
                "--max-life-ms".into(),
                "60000".into(),
            ])
    }

    pub(crate) async fn connect(
        &self,
        options: Options,
    ) -> Result<(Connection, Events), ConnectError> {
        fs::create_dir_all(self.dir.path().join("gates")).unwrap();
        fs::create_dir_all(self.dir.path().join("state")).unwrap();
        within("connecting", Connection::stdio(self.spec(), options)).await
    }

    /// Opens a gate that the server waits at.
    pub(crate) fn open(&self, gate: &str) {
        fs::write(self.dir.path().join("gates").join(gate), "").unwrap();
    }

    /// The journal so far.
    pub(crate) fn journal(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.dir.path().join("journal")).unwrap_or_default();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The methods that the server received, in order.
    pub(crate) fn received(&self) -> Vec<String> {
        let journal = self.journal();
        let methods = journal
            .iter()
            .filter_map(|line| line["received"]["method"].as_str());
        methods.map(str::to_owned).collect()
    }

    /// How often the server was started.
    pub(crate) fn starts(&self) -> usize {
        self.journal()
            .iter()
            .filter(|line| line.get("start").is_some())
            .count()
    }

    /// Waits until the journal has such a line.
    pub(crate) async fn journalled(&self, what: &str, found: impl Fn(&Value) -> bool) {
        within(what, async {
            while !self.journal().iter().any(&found) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        })
        .await;
    }
}

impl Fixture {
    /// The id of the server's process, once it has started; its script has `journal: ["pid"]`.
    pub(crate) async fn pid(&self) -> u32 {
        self.journalled("the start", |line| line.get("pid").is_some())
            .await;
        let pid = self.journal().iter().find_map(|line| line["pid"].as_u64());
        pid.unwrap().try_into().unwrap()
    }
}

/// Options with short steps for the ways that have no event to wait for.
pub(crate) fn quick() -> Options {
    let (grace, term) = (Duration::from_millis(150), Duration::from_millis(150));
    Options::default().close_ladder(Ladder { grace, term })
}

/// A shell script as a server.
pub(crate) fn shell(script: &str) -> ProcessSpec {
    ProcessSpec::new("/bin/sh", "/")
        .args(["-c", script])
        .env([("PATH", "/usr/bin:/bin")])
}

/// Waits for something that must happen, and says what did not.
pub(crate) async fn within<F: Future>(what: &str, future: F) -> F::Output {
    let done = tokio::time::timeout(HANG, future).await;
    assert!(done.is_ok(), "{what} did not happen within {HANG:?}");
    done.unwrap()
}

/// Calls a tool without arguments.
pub(crate) async fn call(connection: &Connection, name: &str) -> Result<CallResult, RequestError> {
    let arguments = RawValue::from_string("{}".to_owned()).unwrap();
    within(
        "a call",
        connection.call_tool(name, &arguments, CallOptions::new()),
    )
    .await
}

/// The text of a result's first part.
pub(crate) fn text_of(outcome: Result<CallResult, RequestError>) -> String {
    let result = outcome.unwrap();
    let part: Value = serde_json::from_str(result.parts()[0].get()).unwrap();
    part["text"].as_str().unwrap().to_owned()
}

/// Whether a process is there and is no zombie.
pub(crate) fn alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ")
        .next()
        .is_some_and(|fields| !fields.is_empty() && !fields.starts_with('Z'))
}

/// Waits until a process is gone.
pub(crate) async fn gone(pid: u32) {
    within("the end of the process", async {
        while alive(pid) {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
}

/// Cargo builds the examples beside the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let this = std::env::current_exe().unwrap();
    let profile = this.ancestors().find(|path| path.join("examples").is_dir());
    let program = profile.unwrap().join("examples").join(name);
    assert!(program.exists(), "{} is not built", program.display());
    program
}
