//! The exchanges of one session.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mcp_config::{Environment, Layer, Trust};
use mcp_session::{
    Commands, Exchange, OutputPolicy, PluginFailures, ServerStatus, Session, SessionBuilder,
    ToolDefinition,
};
use mcp_transport::ClientInfo;

use crate::artifact::{Json, Redactor};
use crate::chain::chain;
use crate::number::plural;
use crate::sandbox::{Place, Sandbox};
use crate::scenario::{
    ExchangeScript, ExpectExchange, ImageInput, OutputSchemas, PluginFailure, Scenario,
};
use crate::trace::Entry;

use super::client::PATIENCE;
use super::event::{Host, World};
use super::model::Model;
use super::plugin::{Refusals, plugin};
use super::show::{Shown, problems, report, statuses};
use super::{PlayError, Story};

/// What the exchanges brought.
pub(super) struct Told {
    pub(super) story: Json,
    pub(super) unmet: Vec<String>,
}

/// Plays all exchanges in one session, then closes it.
pub(super) async fn play(
    scenario: &Scenario,
    sandbox: &Sandbox,
    redactor: &Redactor,
    story: &Story,
) -> Result<Told, PlayError> {
    let mut environment = sandbox.environment_with(&scenario.inherit);
    environment.extend(scenario.environment.clone());
    let refusals = Refusals::default();
    let session = builder(scenario, sandbox, &environment, &refusals).build();
    let world = World {
        sandbox,
        story,
        environment,
    };
    let mut play = Play {
        scenario,
        session,
        world,
        redactor,
        shown: Shown::default(),
        unmet: Vec::new(),
        refusals,
    };
    let mut exchanges = Vec::new();
    for (number, script) in scenario.exchanges.iter().enumerate() {
        exchanges.push(play.exchange(script, number + 1).await?);
    }
    story.now("the session to close");
    story.record(|| Entry::asked("close the session", None));
    let closed = report(&play.session.close().await);
    story.record(|| Entry::answered("closed", closed.clone()));
    exchanges.push(Json::object([("closed", closed)]));
    Ok(Told {
        story: Json::Array(exchanges),
        unmet: play.unmet,
    })
}

struct Play<'a> {
    scenario: &'a Scenario,
    session: Session,
    world: World<'a>,
    redactor: &'a Redactor,
    shown: Shown,
    unmet: Vec<String>,
    refusals: Refusals,
}

impl Play<'_> {
    async fn exchange(
        &mut self,
        script: &ExchangeScript,
        number: usize,
    ) -> Result<Json, PlayError> {
        let mut entry = Vec::new();
        if script.resume {
            entry.push(("resumedAfter", self.resume().await?));
        }
        let mut host = SessionHost(self.session.clone());
        self.world.story.record(|| Entry::Exchange {
            number,
            user: script.user.clone(),
        });
        entry.extend(opening(script));
        for event in &script.before {
            self.world.play(event, &mut host).await?;
        }
        self.world.story.now(format!("exchange {number} to begin"));
        let during = async {
            for event in &script.during {
                self.world.play(event, &mut host).await?;
            }
            Ok::<(), PlayError>(())
        };
        let (begun, happened) = tokio::join!(self.session.begin_exchange(), during);
        happened?;
        let refused = self.refusals.take();
        if !refused.is_empty() {
            entry.push(("refusedEdits", Json::Array(refused)));
        }
        match begun {
            Ok(exchange) => {
                let talk = self.talk(exchange, script, number, &mut host).await?;
                entry.extend(talk);
            }
            Err(error) => entry.push(("failed", self.unbegun(&chain(&error), script, number))),
        }
        entry.push(("states", statuses(&self.session.status())));
        Ok(Json::object(entry))
    }

    /// The exchange as the model has it: what it is given, then its moves.
    async fn talk(
        &mut self,
        exchange: Exchange,
        script: &ExchangeScript,
        number: usize,
        host: &mut SessionHost,
    ) -> Result<Vec<(&'static str, Json)>, PlayError> {
        let exchange = Arc::new(exchange);
        self.world.story.record(|| declared(&exchange));
        let mut entry = vec![("problems", problems(exchange.problems(), self.redactor))];
        if !exchange.prompt().is_empty() {
            entry.push(("prompt", Json::from(exchange.prompt())));
        }
        entry.push(("revision", Json::from(exchange.revision())));
        entry.push(("tools", self.shown.tools(exchange.tools())));
        self.expect(script.expect.as_ref(), &exchange, number);
        let mut model = Model::new(Arc::clone(&exchange), number);
        let moves = model.play(&script.moves, &mut self.world, host).await?;
        entry.push(("moves", Json::Array(moves)));
        self.unmet.append(&mut model.unmet);
        Ok(entry)
    }

    fn unbegun(&mut self, reason: &str, script: &ExchangeScript, number: usize) -> Json {
        self.world.story.record(|| Entry::Answered {
            what: "the exchange does not begin".to_owned(),
            detail: Json::from(reason),
            failed: true,
        });
        if script.expect.is_some() || !script.moves.is_empty() {
            self.unmet
                .push(format!("exchange {number} did not begin: {reason}"));
        }
        Json::from(reason)
    }

    /// Ends the session and begins another with the names that it saved; tells how the servers of
    /// the first ended.
    async fn resume(&mut self) -> Result<Json, PlayError> {
        self.world.story.now("the session to close, to be resumed");
        let story = self.world.story;
        story.record(|| Entry::asked("close the session, to be resumed", None));
        let closed = report(&self.session.close().await);
        story.record(|| Entry::answered("closed", closed.clone()));
        let saved = serde_json::to_string(&self.session.name_table()).map_err(PlayError::Names)?;
        let World {
            sandbox,
            environment,
            ..
        } = &self.world;
        self.session = builder(self.scenario, sandbox, environment, &self.refusals)
            .names(serde_json::from_str(&saved).map_err(PlayError::Names)?)
            .build();
        Ok(closed)
    }

    fn expect(&mut self, expect: Option<&ExpectExchange>, exchange: &Exchange, number: usize) {
        let Some(expect) = expect else { return };
        if let Some(wanted) = &expect.tools {
            let mut wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
            wanted.sort_unstable();
            let given: Vec<&str> = exchange.tools().iter().map(ToolDefinition::name).collect();
            if given != wanted {
                self.unmet.push(format!(
                    "exchange {number}: the model was given the tools {given:?}, not {wanted:?}"
                ));
            }
        }
        let count = exchange.problems().len();
        if expect.problems.is_some_and(|wanted| wanted != count) {
            self.unmet.push(format!(
                "exchange {number}: {}, not {}",
                plural(count, "problem"),
                expect.problems.unwrap_or_default()
            ));
        }
    }
}

/// What stands in the artifact before the exchange begins.
fn opening(script: &ExchangeScript) -> Vec<(&'static str, Json)> {
    let mut entry = Vec::new();
    if let Some(user) = &script.user {
        entry.push(("user", Json::from(user.as_str())));
    }
    let events = script.before.iter().chain(&script.during);
    let events: Vec<Json> = events.map(super::event::show).collect();
    if !events.is_empty() {
        entry.push(("events", Json::Array(events)));
    }
    entry
}

/// What the model is given when an exchange begins.
fn declared(exchange: &Exchange) -> Entry {
    let names: Vec<Json> = exchange
        .tools()
        .iter()
        .map(|tool| Json::from(tool.name()))
        .collect();
    Entry::answered("declared tools", Json::Array(names))
}

struct SessionHost(Session);

impl Host for SessionHost {
    fn set_environment(&mut self, environment: &BTreeMap<String, String>) {
        self.0.set_environment(snapshot(environment));
    }

    fn refresh(&mut self, server: &str) -> Result<(), PlayError> {
        self.0
            .refresh(server)
            .map_err(|_| PlayError::UnknownServer {
                server: server.to_owned(),
            })
    }

    fn status(&self, server: &str) -> Option<ServerStatus> {
        self.0
            .status()
            .into_iter()
            .find(|status| status.server == server)
    }
}

fn snapshot(environment: &BTreeMap<String, String>) -> Environment {
    environment.iter().collect()
}

fn builder(
    scenario: &Scenario,
    sandbox: &Sandbox,
    environment: &BTreeMap<String, String>,
    refusals: &Refusals,
) -> SessionBuilder {
    let options = &scenario.session;
    let trust = if options.trust_project {
        Trust::Trusted
    } else {
        Trust::Untrusted
    };
    let layers = vec![
        Layer::user(sandbox.file(&Place::User)),
        Layer::project(sandbox.file(&Place::Project)).with_trust(trust),
    ];
    let mut builder = Session::builder()
        .layers(layers)
        .home(sandbox.path("home/.codework"))
        .base(sandbox.path("project"))
        .environment(snapshot(environment))
        .client_info(client_info())
        .images(options.images == ImageInput::Accepted)
        .output_schemas(match options.output_schemas {
            OutputSchemas::Advise => OutputPolicy::Advise,
            OutputSchemas::Enforce => OutputPolicy::Enforce,
            OutputSchemas::Ignore => OutputPolicy::Ignore,
        });
    builder = builder.plugin_failures(match options.plugin_failures {
        PluginFailure::Fail => PluginFailures::Fail,
        PluginFailure::Skip => PluginFailures::Skip,
    });
    for script in &scenario.plugins {
        builder = builder.plugin(plugin(script, refusals));
    }
    let probe_wait = options
        .probe_wait_ms
        .map_or(PATIENCE, Duration::from_millis);
    builder = builder.probe_wait(probe_wait);
    if let Some(wait) = options.initial_wait_ms {
        builder = builder.initial_wait(Duration::from_millis(wait));
    }
    if let Some(limits) = options.command_limits {
        let [run, kill] = [limits.run_ms, limits.kill_ms].map(Duration::from_millis);
        let commands = Commands::new(snapshot(environment)).time_limits(run, kill);
        builder = builder.commands(commands);
    }
    builder
}

/// Who the scenarios' host says it is. The version is no real one, since servers write it down.
pub(super) fn client_info() -> ClientInfo {
    ClientInfo::new("scenario", "1")
}
