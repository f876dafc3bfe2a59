//! The program's moves, one after the other.

use std::collections::BTreeMap;

use mcp_session::ServerStatus;
use mcp_transport::{
    CompletionRef, Connection, Event as ServerEvent, Events, LogLevel, PromptResult, RequestError,
    ResourceContents,
};
use serde_json::value::RawValue;

use crate::artifact::Json;
use crate::sandbox::Sandbox;
use crate::scenario::{ClientMove, CompleteMove, JsonText, ListKind, PromptMove, Scenario};
use crate::trace::Entry;

use super::super::event::{Host, World};
use super::super::show::Shown;
use super::super::{PlayError, Story};
use super::call::Calls;
use super::{connect, http, show};

/// Plays all moves; each is an entry of the artifact.
pub(in super::super) async fn play(
    scenario: &Scenario,
    sandbox: &Sandbox,
    story: &Story,
) -> Result<Json, PlayError> {
    let mut environment = sandbox.environment_with(&scenario.inherit);
    environment.extend(scenario.environment.clone());
    let mut program = Program {
        world: World {
            sandbox,
            story,
            environment,
        },
        link: None,
        calls: Calls::default(),
        era: None,
        shown: Shown::default(),
    };
    let mut entries = Vec::new();
    for (number, step) in scenario.client.iter().enumerate() {
        let name = show::name(step);
        story.now(format!("the client move {} ({name})", number + 1));
        // Events of the scenario are recorded as such, where they happen.
        let is_move = !matches!(step, ClientMove::Event(_));
        if is_move {
            story.record(|| Entry::asked(show::title(step), None));
        }
        let entry = program.step(step).await?;
        if is_move {
            story.record(|| show::outcome(name, &entry));
        }
        entries.push(entry);
    }
    Ok(Json::Array(entries))
}

/// A connection and what it reports.
struct Link {
    connection: Connection,
    events: Events,
}

struct Program<'a> {
    world: World<'a>,
    link: Option<Link>,
    calls: Calls,
    era: Option<mcp_transport::Era>,
    shown: Shown,
}

impl Program<'_> {
    async fn step(&mut self, step: &ClientMove) -> Result<Json, PlayError> {
        let name = show::name(step);
        Ok(match step {
            ClientMove::Connect(wanted) => self.connect(wanted).await?,
            ClientMove::List(kind) => entry(name, show::kind(*kind), self.list(*kind).await?),
            ClientMove::Read(uri) => {
                let read = self.connection(name)?.read_resource(uri).await;
                entry(
                    name,
                    Json::from(uri.as_str()),
                    show::raw(read.as_ref().map(ResourceContents::raw)),
                )
            }
            ClientMove::Prompt(wanted) => self.prompt(wanted).await?,
            ClientMove::Complete(wanted) => self.complete(wanted).await?,
            ClientMove::Call(call) => {
                let connection = self.connection(name)?.clone();
                self.calls.call(&connection, call).await?
            }
            ClientMove::Parallel(calls) => {
                let connection = self.connection(name)?.clone();
                self.calls.parallel(&connection, calls).await?
            }
            ClientMove::Start(start) => {
                let connection = self.connection(name)?.clone();
                self.calls.start(&connection, start)?
            }
            ClientMove::Finish(call) => self.calls.finish(call).await?,
            ClientMove::Cancel(call) => self.calls.cancel(call).await?,
            ClientMove::Forget(call) => self.calls.forget(call).await?,
            ClientMove::SetLogLevel(level) => {
                let wanted = LogLevel::ALL
                    .into_iter()
                    .find(|known| known.as_str() == level);
                let wanted = wanted.ok_or_else(|| PlayError::Value {
                    text: level.clone(),
                    expected: "a log level (debug, info, notice, warning, error, …)",
                })?;
                let done = self.connection(name)?.set_log_level(wanted).await;
                entry(name, Json::from(level.as_str()), show::done(done.as_ref()))
            }
            ClientMove::Ping => {
                let done = self.connection(name)?.ping().await;
                Json::object([(name, show::done(done.as_ref()))])
            }
            ClientMove::RootsChanged => {
                self.connection(name)?.roots_changed();
                Json::from(name)
            }
            ClientMove::Event(event) => {
                self.world.play(event, &mut NoSession).await?;
                Json::object([(name, super::super::event::show(event))])
            }
            other => self.look(other).await?,
        })
    }

    /// The moves that show something of the connection itself, or end it.
    async fn look(&mut self, step: &ClientMove) -> Result<Json, PlayError> {
        let name = show::name(step);
        Ok(match step {
            ClientMove::Events(count) => Json::object([(name, self.events(Some(*count)).await?)]),
            ClientMove::EventsToEnd => Json::object([(name, self.events(None).await?)]),
            ClientMove::Dropped => {
                let connection = self.connection(name)?;
                let reason = connection.drop_reason().map(|reason| reason.to_string());
                let dropped = Json::from(connection.dropped());
                Json::object([(name, dropped), ("reason", Json::from(reason))])
            }
            ClientMove::Stats => {
                Json::object([(name, show::stats(&self.connection(name)?.stats()))])
            }
            ClientMove::ServerLog => Json::object([(
                name,
                super::super::show::server_log(&self.world.sandbox.path("home/.codework/mcp.log")),
            )]),
            ClientMove::Close => {
                let report = self.connection(name)?.close().await;
                Json::object([(name, show::close(&report))])
            }
            ClientMove::Abandon => {
                self.link = None;
                Json::from(name)
            }
            _ => {
                return Err(PlayError::Misplaced {
                    what: name,
                    needs: "another way to be played",
                });
            }
        })
    }

    async fn connect(&mut self, wanted: &crate::scenario::Connect) -> Result<Json, PlayError> {
        self.link = None;
        let sandbox = self.world.sandbox;
        let options = connect::options(wanted, sandbox, self.era)?;
        let target = Json::from(connect::target(wanted));
        let connected = if let Some(url) = http::url(wanted, sandbox)? {
            match http::spec(wanted, &url) {
                Ok(spec) => Connection::http(spec, options).await,
                Err(error) => return Ok(entry("connect", target, show::error(&error))),
            }
        } else {
            let spec = connect::spec(wanted, sandbox, &self.world.environment);
            Connection::stdio(spec, options).await
        };
        match connected {
            Ok((connection, events)) => {
                self.era = Some(connection.server().era);
                let server = show::server(connection.server());
                self.link = Some(Link { connection, events });
                Ok(entry("connect", target, server))
            }
            Err(error) => Ok(entry("connect", target, show::error(&error))),
        }
    }

    async fn list(&mut self, kind: ListKind) -> Result<Json, PlayError> {
        let connection = self.connection("list")?.clone();
        Ok(match kind {
            ListKind::Tools => show::tools(&connection.tools().await, &mut self.shown),
            ListKind::Resources => show::resources(&connection.resources().await),
            ListKind::ResourceTemplates => show::templates(&connection.resource_templates().await),
            ListKind::Prompts => show::prompts(&connection.prompts().await),
        })
    }

    async fn prompt(&mut self, wanted: &PromptMove) -> Result<Json, PlayError> {
        let arguments = wanted.arguments.as_ref().map(raw_value).transpose()?;
        let got = self
            .connection("prompt")?
            .get_prompt(&wanted.name, arguments.as_deref())
            .await;
        let target = Json::from(wanted.name.as_str());
        Ok(entry(
            "prompt",
            target,
            show::raw(got.as_ref().map(PromptResult::raw)),
        ))
    }

    async fn complete(&mut self, wanted: &CompleteMove) -> Result<Json, PlayError> {
        let reference = match (&wanted.prompt, &wanted.resource) {
            (Some(prompt), None) => CompletionRef::Prompt(prompt),
            (None, Some(uri)) => CompletionRef::Resource(uri),
            _ => {
                return Err(PlayError::Misplaced {
                    what: "complete",
                    needs: "either `prompt` or `resource`",
                });
            }
        };
        let connection = self.connection("complete")?;
        let got = connection
            .complete(reference, &wanted.argument, &wanted.value, None)
            .await;
        let target = Json::from(wanted.argument.as_str());
        Ok(entry("complete", target, show::completion(&got)))
    }

    /// The next events: a given number of them, or all to the end of the stream.
    async fn events(&mut self, count: Option<usize>) -> Result<Json, PlayError> {
        let link = self.link.as_mut().ok_or(NOT_CONNECTED)?;
        let mut shown = Vec::new();
        while count.is_none_or(|count| shown.len() < count) {
            let Some(event) = link.events.recv().await else {
                shown.push(Json::from("end"));
                break;
            };
            let last = matches!(event, ServerEvent::Dropped(_));
            shown.push(show::event(&event));
            if last && count.is_none() {
                break;
            }
        }
        Ok(Json::Array(shown))
    }

    fn connection(&self, _for: &str) -> Result<&Connection, PlayError> {
        self.link
            .as_ref()
            .map(|link| &link.connection)
            .ok_or(NOT_CONNECTED)
    }
}

const NOT_CONNECTED: PlayError = PlayError::Misplaced {
    what: "the move",
    needs: "a connection, and the last one failed or was abandoned",
};

pub(super) fn raw_value(text: &JsonText) -> Result<Box<RawValue>, PlayError> {
    RawValue::from_string(text.as_str().to_owned()).map_err(|_| PlayError::Value {
        text: text.as_str().to_owned(),
        expected: "JSON",
    })
}

/// `{ <move>: <of what>, "result": … }`
pub(super) fn entry(name: &'static str, target: Json, result: Json) -> Json {
    Json::object([(name, target), ("result", result)])
}

/// What events of a scenario without a session cannot do.
struct NoSession;

impl Host for NoSession {
    fn set_environment(&mut self, _: &BTreeMap<String, String>) {}

    fn refresh(&mut self, _: &str) -> Result<(), PlayError> {
        Err(PlayError::Misplaced {
            what: "refresh",
            needs: "a session",
        })
    }

    fn status(&self, _: &str) -> Option<ServerStatus> {
        None
    }
}

/// What a failed request looks like, whatever it asked for.
pub(super) type Failed = RequestError;
