//! One playing of a scenario, from laying its files to reading its journals.

use std::io;

use crate::artifact::{Json, Redactor};
use crate::sandbox::{Place, Sandbox, SandboxError};
use crate::scenario::Scenario;

use super::journal::journals;
use super::{Story, client, session, show};

/// What a playing brought.
#[derive(Debug)]
pub(crate) struct Played {
    /// The artifact.
    pub(crate) artifact: Json,
    /// What the scenario expected and did not get.
    pub(crate) unmet: Vec<String>,
}

/// Why a scenario could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlayError {
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error("`{name}` is not a place in the sandbox")]
    Place { name: String },
    #[error("cannot open the gate `{gate}`")]
    Gate { gate: String, source: io::Error },
    #[error("the journal of `{server}` shows no process; its script needs journal: [\"pid\"]")]
    NoPid { server: String },
    #[error("cannot kill `{server}`: {reason}")]
    Kill { server: String, reason: String },
    #[error("the session does not know a server `{server}`")]
    UnknownServer { server: String },
    #[error("{what} needs {needs}")]
    Misplaced {
        what: &'static str,
        needs: &'static str,
    },
    #[error("`{text}` is not {expected}")]
    Value {
        text: String,
        expected: &'static str,
    },
    #[error("the names of the session could not be saved or read again")]
    Names(#[source] serde_json::Error),
    #[error("a call ended without an answer: its task failed")]
    Task,
}

impl PlayError {
    pub(super) fn gate(gate: &str) -> impl FnOnce(io::Error) -> PlayError {
        let gate = gate.to_owned();
        move |source| PlayError::Gate { gate, source }
    }
}

/// Plays a scenario in a sandbox that was made for it.
pub(crate) async fn play(
    scenario: &Scenario,
    sandbox: &Sandbox,
    story: &Story,
) -> Result<Played, PlayError> {
    let webs = Webs::start(scenario, sandbox)?;
    for (name, content) in &scenario.files {
        let place = Place::named(name).ok_or_else(|| PlayError::Place { name: name.clone() })?;
        sandbox.lay(&place, content.as_str())?;
    }
    let mut redactor = Redactor::new(sandbox.root(), &scenario.secrets);
    let (story_name, story_json, mut unmet) = if scenario.client.is_empty() {
        let told = session::play(scenario, sandbox, &redactor, story).await?;
        ("exchanges", told.story, told.unmet)
    } else {
        (
            "client",
            client::play(scenario, sandbox, story).await?,
            Vec::new(),
        )
    };
    story.now("the web servers to end");
    drop(webs);
    redactor.learn_ports(sandbox.web_ports());
    let journals = journals(scenario, sandbox, &mut redactor);
    let mut artifact = vec![
        ("title", Json::from(scenario.title.as_str())),
        (story_name, story_json),
    ];
    artifact.push(("servers", journals));
    if scenario.show_server_log {
        let log = sandbox.path("home/.codework/mcp.log");
        artifact.push(("serverLog", show::server_log(&log)));
    }
    let artifact = Json::object(artifact);
    let artifact = redacted(redactor.artifact(artifact), &scenario.redact, &mut unmet);
    Ok(Played { artifact, unmet })
}

/// Replaces what the scenario says is unstable. A place that does not exist is a mistake: what was meant
/// would go on differing.
fn redacted(artifact: Json, places: &[String], unmet: &mut Vec<String>) -> Json {
    places.iter().fold(artifact, |artifact, place| {
        let (artifact, found) = artifact.redacted(place);
        if !found {
            let like = artifact.place_like(place).map_or_else(String::new, |like| {
                format!("; did you mean {like}, or with `*` for some of its steps?")
            });
            unmet.push(format!(
                "nothing in the artifact is at `redact` {place}{like}"
            ));
        }
        artifact
    })
}

/// The web servers of a playing; they end with it, also where it is given up.
struct Webs<'a>(&'a Sandbox);

impl<'a> Webs<'a> {
    fn start(scenario: &Scenario, sandbox: &'a Sandbox) -> Result<Self, PlayError> {
        let webs = Webs(sandbox);
        for name in scenario.webs() {
            sandbox.start_web(name)?;
        }
        Ok(webs)
    }
}

impl Drop for Webs<'_> {
    fn drop(&mut self) {
        self.0.stop_webs();
    }
}
