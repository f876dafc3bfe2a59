//! Events around the model: what the scenario does to its own world.

use std::collections::BTreeMap;

use mcp_session::ServerStatus;

use crate::artifact::Json;
use crate::sandbox::{Place, Sandbox};
use crate::scenario::{Await, AwaitState, Event, Kill, Signal};
use crate::trace::Entry;

use super::wait::{seen, until};
use super::{PlayError, Story};

/// What events change beside files: the session's side of the world.
pub(super) trait Host {
    /// Takes over the host's variables.
    fn set_environment(&mut self, environment: &BTreeMap<String, String>);
    /// Forgets what a server's commands printed.
    fn refresh(&mut self, server: &str) -> Result<(), PlayError>;
    /// A server, as the session shows it.
    fn status(&self, server: &str) -> Option<ServerStatus>;
}

/// The world that events act on.
pub(super) struct World<'a> {
    pub(super) sandbox: &'a Sandbox,
    pub(super) story: &'a Story,
    pub(super) environment: BTreeMap<String, String>,
}

impl World<'_> {
    /// Makes one event happen.
    pub(super) async fn play(
        &mut self,
        event: &Event,
        host: &mut dyn Host,
    ) -> Result<(), PlayError> {
        self.story
            .now(format!("the event {}", show(event).to_line()));
        self.story.record(|| Entry::Event(show(event)));
        match event {
            Event::Open(gate) => self
                .sandbox
                .gates()
                .open(gate)
                .map_err(PlayError::gate(gate))?,
            Event::Write(files) => {
                for (name, content) in files {
                    self.sandbox.lay(&place(name)?, content.as_str())?;
                }
            }
            Event::Remove(name) => self.sandbox.remove(&place(name)?)?,
            Event::Set(changes) => {
                for (name, value) in changes {
                    match value {
                        Some(value) => drop(self.environment.insert(name.clone(), value.clone())),
                        None => drop(self.environment.remove(name)),
                    }
                }
                host.set_environment(&self.environment);
            }
            Event::Start(web) => self.sandbox.start_web(web)?,
            Event::Stop(web) => self.sandbox.stop_web(web),
            Event::Kill(kill) => self.kill(kill)?,
            Event::Refresh(server) => host.refresh(server)?,
            Event::Await(what) => self.wait(what, host).await,
        }
        Ok(())
    }

    async fn wait(&self, what: &Await, host: &dyn Host) {
        match what {
            Await::Gate(gate) => until(|| self.sandbox.gates().is_open(gate)).await,
            Await::Journal(entry) => {
                until(|| seen(&self.sandbox.journal(&entry.server), &entry.saw) >= entry.times)
                    .await;
            }
            Await::State(wanted) => {
                until(|| match host.status(&wanted.server) {
                    Some(status) => is_so(&status, wanted),
                    None => wanted.is == GONE,
                })
                .await;
            }
        }
    }

    fn kill(&self, kill: &Kill) -> Result<(), PlayError> {
        let pid = self
            .sandbox
            .journal(&kill.server)
            .iter()
            .rev()
            .find_map(|line| Json::lenient(line).get("pid")?.as_u64())
            .ok_or_else(|| PlayError::NoPid {
                server: kill.server.clone(),
            })?;
        send(pid, kill).map_err(|reason| PlayError::Kill {
            server: kill.server.clone(),
            reason,
        })
    }
}

/// The state of a server that the session no longer knows.
const GONE: &str = "gone";

fn is_so(status: &ServerStatus, wanted: &AwaitState) -> bool {
    // The word of the state, as it stands in artifacts.
    let state = super::show::json(&status.state);
    state.as_str() == Some(wanted.is.as_str())
        && wanted.tools.is_none_or(|count| status.tools == count)
        && wanted.listings.is_none_or(|count| status.listings >= count)
        && wanted.restarts.is_none_or(|count| status.restarts >= count)
}

#[cfg(unix)]
fn send(pid: u64, kill: &Kill) -> Result<(), String> {
    use rustix::process::{Pid, Signal as Number, kill_process, kill_process_group};
    let pid = i32::try_from(pid)
        .ok()
        .and_then(Pid::from_raw)
        .ok_or("that is no process id")?;
    let number = match kill.signal {
        Signal::Kill => Number::KILL,
        Signal::Terminate => Number::TERM,
        Signal::Stop => Number::STOP,
    };
    let sent = if kill.group {
        kill_process_group(pid, number)
    } else {
        kill_process(pid, number)
    };
    sent.map_err(|error| error.to_string())
}

#[cfg(not(unix))]
fn send(_pid: u64, _kill: &Kill) -> Result<(), String> {
    Err("signals need Unix".to_owned())
}

fn place(name: &str) -> Result<Place, PlayError> {
    Place::named(name).ok_or_else(|| PlayError::Place {
        name: name.to_owned(),
    })
}

/// The event as the artifact shows it: what happened, without the contents of files.
pub(super) fn show(event: &Event) -> Json {
    match event {
        Event::Open(gate) => Json::object([("open", Json::from(gate.as_str()))]),
        Event::Write(files) => {
            let names: Vec<Json> = files.keys().map(|name| Json::from(name.as_str())).collect();
            Json::object([("write", Json::Array(names))])
        }
        Event::Remove(name) => Json::object([("remove", Json::from(name.as_str()))]),
        Event::Set(changes) => {
            let names: Vec<Json> = changes
                .keys()
                .map(|name| Json::from(name.as_str()))
                .collect();
            Json::object([("set", Json::Array(names))])
        }
        Event::Kill(kill) => {
            let what = if kill.group { "killGroup" } else { "kill" };
            Json::object([
                (what, Json::from(kill.server.as_str())),
                ("signal", Json::from(signal_name(kill.signal))),
            ])
        }
        Event::Start(web) => Json::object([("start", Json::from(web.as_str()))]),
        Event::Stop(web) => Json::object([("stop", Json::from(web.as_str()))]),
        Event::Refresh(server) => Json::object([("refresh", Json::from(server.as_str()))]),
        Event::Await(Await::Gate(gate)) => Json::object([("awaitGate", Json::from(gate.as_str()))]),
        Event::Await(Await::Journal(entry)) => Json::object([
            ("awaitJournal", Json::from(entry.server.as_str())),
            ("saw", Json::from(entry.saw.as_str())),
            ("times", Json::from(entry.times)),
        ]),
        Event::Await(Await::State(wanted)) => show_state(wanted),
    }
}

fn show_state(wanted: &AwaitState) -> Json {
    let mut members = vec![
        ("awaitState", Json::from(wanted.server.as_str())),
        ("is", Json::from(wanted.is.as_str())),
    ];
    members.extend(wanted.tools.map(|count| ("tools", Json::from(count))));
    members.extend(wanted.listings.map(|count| ("listings", Json::from(count))));
    members.extend(
        wanted
            .restarts
            .map(|count| ("restarts", Json::from(u64::from(count)))),
    );
    Json::object(members)
}

fn signal_name(signal: Signal) -> &'static str {
    match signal {
        Signal::Kill => "SIGKILL",
        Signal::Terminate => "SIGTERM",
        Signal::Stop => "SIGSTOP",
    }
}
