//! What a host of chaos does: exchanges, calls, and trouble, in an order that depends on the seed alone.

use std::sync::Arc;
use std::time::Duration;

use mcp_config::{Environment, Layer, Trust};
use mcp_session::{BeginError, CallFailure, CallOptions, Exchange, Session, ToolResult};
use rustix::process::Signal;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::configuration::{Bases, Configuration, PROJECT_FILE, USER_FILE};
use super::host::{HostArguments, Voice};
use super::life::ID_STRIDE;
use super::line::{ANSWERED, GIVEN_UP, Line, Over};
use super::names::Names;
use super::population::{self, Member};
use super::tools::{BIG, Tool};
use crate::dice::Dice;
use crate::fleet::Folder;
use crate::outcome::Outcome;
use crate::procfs;

/// Longer than every deadline of a call, and than a new start of its server.
const CALL_LIMIT: Duration = Duration::from_mins(1);
const INITIAL_WAIT: Duration = Duration::from_secs(2);
/// The end of a session goes through the ladder of signals at most.
const CLOSE_LIMIT: Duration = Duration::from_secs(20);

/// A host in the middle of its servers.
pub(super) struct World {
    pub(super) dice: Dice,
    pub(super) voice: Voice,
    pub(super) folder: Folder,
    pub(super) members: Vec<Member>,
    pub(super) configuration: Configuration,
    pub(super) session: Session,
    pub(super) over: Over,
    /// What stops servers for a moment and lets them go on.
    pub(super) stopped: JoinSet<()>,
    names: Names,
    first_id: u64,
}

/// A call that is about to be made.
struct Call {
    name: String,
    tool: Tool,
    arguments: String,
    fate: Fate,
}

/// What the host does with a call that it has begun.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Wait,
    CancelAfter(u64),
    DropAfter(u64),
}

impl World {
    pub(super) fn new(arguments: &HostArguments, voice: Voice) -> Outcome<World> {
        let folder = Folder::with_journals(&arguments.folder);
        let bases: Bases =
            serde_json::from_str(&std::fs::read_to_string(folder.path(BASES_FILE))?)?;
        let (names, table) = Names::resume(folder.clone())?;
        let layers = [
            Layer::user(folder.path(USER_FILE)),
            Layer::project(folder.path(PROJECT_FILE)).with_trust(Trust::Trusted),
        ];
        let session = Session::builder()
            .layers(layers)
            .home(folder.path("home"))
            .base(folder.root())
            .environment(environment("first"))
            .initial_wait(INITIAL_WAIT)
            .names(table)
            .build();
        let mut configuration = Configuration::new(folder.clone(), bases);
        configuration.restore()?;
        Ok(World {
            dice: Dice::part(arguments.seed, arguments.life),
            voice,
            members: population::members(arguments.servers),
            configuration,
            session,
            over: Over::default(),
            stopped: JoinSet::new(),
            names,
            first_id: arguments.life * ID_STRIDE,
            folder,
        })
    }

    /// Lives until so many calls were begun, and ends in the middle of some.
    pub(super) async fn live(mut self, calls: u64) -> Outcome<Over> {
        while self.over.begun < calls {
            self.exchange(calls).await?;
            if self.dice.one_in(6) {
                self.rest().await?;
            }
        }
        self.rest().await?;
        self.end().await?;
        Ok(self.over)
    }

    /// One exchange: what changed since the last one, calls side by side, and trouble among them.
    async fn exchange(&mut self, calls: u64) -> Outcome<()> {
        for _ in 0..self.dice.roll(4) {
            self.over.edits += 1;
            self.configuration.edit(&mut self.dice)?;
        }
        if self.dice.one_in(5) {
            let token = *self.dice.pick(&["first", "second"]);
            self.session.set_environment(environment(token));
        }
        let together = 1 + self.dice.roll(48);
        let count = 50 + self.dice.roll(250) as u64;
        let count = count.min(calls.saturating_sub(self.over.begun)).max(1);
        let exchange = self.begin().await?;
        let mut running = JoinSet::new();
        for _ in 0..count {
            if self.dice.one_in(25) {
                self.trouble().await?;
            }
            if running.len() >= together {
                running.join_next().await;
            }
            self.call(&exchange, &mut running);
        }
        if self.dice.one_in(8) {
            running.shutdown().await;
        }
        while running.join_next().await.is_some() {}
        Ok(())
    }

    /// Begins an exchange, which nothing may hold up, and looks at its names.
    pub(super) async fn begin(&mut self) -> Outcome<Arc<Exchange>> {
        self.over.exchanges += 1;
        let begun = timeout(
            INITIAL_WAIT + Duration::from_secs(10),
            self.session.begin_exchange(),
        );
        let exchange = begun
            .await
            .map_err(|_| "the beginning of an exchange has no end")??;
        if !exchange.tools().is_sorted_by(|a, b| a.name() < b.name()) {
            self.voice.fault("the tools are not in order".to_owned());
        }
        for line in self.names.note(&self.session, &exchange)? {
            self.voice.say(&line);
        }
        Ok(Arc::new(exchange))
    }

    /// Begins a call of any tool of any server, whether the exchange has it or not.
    fn call(&mut self, exchange: &Arc<Exchange>, running: &mut JoinSet<()>) {
        let member = self.dice.roll(self.members.len());
        let tools = &self.members[member].tools;
        let tool = tools[self.dice.roll(tools.len())];
        let fate = match self.dice.roll(40) {
            0 => Fate::CancelAfter(self.dice.next() % 20),
            1 => Fate::DropAfter(self.dice.next() % 20),
            _ => Fate::Wait,
        };
        let fits = !self.dice.one_in(50);
        self.begin_call(exchange, running, (member, tool), fits, fate);
    }

    /// The plain call that a server at rest must answer.
    pub(super) fn echo(
        &mut self,
        exchange: &Arc<Exchange>,
        running: &mut JoinSet<()>,
        member: usize,
    ) {
        let tool = self.members[member].tools[0];
        self.begin_call(exchange, running, (member, tool), true, Fate::Wait);
    }

    fn begin_call(
        &mut self,
        exchange: &Arc<Exchange>,
        running: &mut JoinSet<()>,
        (member, tool): (usize, Tool),
        fits: bool,
        fate: Fate,
    ) {
        let id = self.first_id + self.over.begun;
        self.over.begun += 1;
        let call = Call {
            name: self.names.of(&self.members[member].fixture.name, tool.name),
            tool,
            arguments: if fits {
                format!(r#"{{"id":{id}}}"#)
            } else {
                format!(r#"{{"id":{id},"more":true}}"#)
            },
            fate,
        };
        // Made here, so that a task that is dropped before its first turn tells too.
        let ending = Ending {
            voice: self.voice.clone(),
            id,
            end: GIVEN_UP.to_owned(),
        };
        running.spawn(call.run(Arc::clone(exchange), ending));
    }

    /// Something goes wrong, or is changed, while calls run.
    async fn trouble(&mut self) -> Outcome<()> {
        let member = self.dice.roll(self.members.len());
        let server = self.members[member].fixture.name.clone();
        match self.dice.roll(8) {
            0..=2 => self.signal(&server),
            3..=4 => {
                self.over.refreshes += 1;
                // A server that is switched off has nothing to refresh.
                let _ = self.session.refresh(&server);
            }
            5 => {
                self.over.edits += 1;
                self.configuration.edit(&mut self.dice)?;
            }
            6 => match self.session.begin_exchange().await {
                Err(BeginError::AlreadyOpen) => {}
                other => self.voice.fault(format!("a second exchange: {other:?}")),
            },
            _ => sleep(Duration::from_millis(self.dice.next() % 50)).await,
        }
        Ok(())
    }

    /// Sends a signal to the processes of a server that this host started.
    fn signal(&mut self, server: &str) {
        let pause = Duration::from_millis(50 + self.dice.next() % 400);
        let signal = *self
            .dice
            .pick(&[Signal::KILL, Signal::TERM, Signal::SEGV, Signal::STOP]);
        let mark = self.folder.mark_of(server);
        for process in procfs::children() {
            if !process.command.contains(&mark) {
                continue;
            }
            self.over.signals += 1;
            process.signal(signal);
            if signal == Signal::STOP {
                self.stopped.spawn(async move {
                    sleep(pause).await;
                    process.signal(Signal::CONT);
                });
            }
        }
    }

    /// Closes the session, half of the time while calls run.
    async fn end(&mut self) -> Outcome<()> {
        let exchange = self.begin().await?;
        let mut running = JoinSet::new();
        if self.dice.one_in(2) {
            for _ in 0..30 {
                self.call(&exchange, &mut running);
            }
        }
        if timeout(CLOSE_LIMIT, self.session.close()).await.is_err() {
            self.voice
                .fault("the end of the session has no end".to_owned());
        }
        while running.join_next().await.is_some() {}
        while self.stopped.join_next().await.is_some() {}
        Ok(())
    }
}

/// Where the run puts the entries of the servers.
pub(super) const BASES_FILE: &str = "bases.json";

fn environment(token: &str) -> Environment {
    [("PATH", "/usr/bin:/bin"), ("TOKEN", token)]
        .into_iter()
        .collect()
}

impl Call {
    async fn run(self, exchange: Arc<Exchange>, mut ending: Ending) {
        let cancel = CancellationToken::new();
        let options = CallOptions::new()
            .cancel(cancel.clone())
            .on_progress(|_| ());
        let call = exchange.call_with(&self.name, &self.arguments, options);
        let result = match self.fate {
            Fate::Wait => timeout(CALL_LIMIT, call).await,
            Fate::DropAfter(ms) => match timeout(Duration::from_millis(ms), call).await {
                Ok(result) => Ok(result),
                Err(_) => return,
            },
            Fate::CancelAfter(ms) => {
                let cancelled = async {
                    sleep(Duration::from_millis(ms)).await;
                    cancel.cancel();
                };
                tokio::join!(timeout(CALL_LIMIT, call), cancelled).0
            }
        };
        match result {
            Ok(result) => ending.end = self.judge(&result, &ending.voice),
            Err(_) => ending.voice.fault(format!("call {} has no end", ending.id)),
        }
    }

    /// What the call came to; an answer that is not the right one is a fault.
    fn judge(&self, result: &ToolResult, voice: &Voice) -> String {
        if let Some(failure) = result.failure {
            if failure == CallFailure::ServerError && self.tool.name != "refuse" {
                voice.fault(format!(
                    "{} {}: {}",
                    self.name,
                    self.arguments,
                    result.text()
                ));
            }
            return word(failure);
        }
        let text = result.text();
        let right = if self.tool.echoes() {
            text == self.arguments
        } else {
            text.len() == BIG
        };
        if result.is_error || !right {
            let start: String = text.chars().take(200).collect();
            voice.fault(format!(
                "{} {} was answered: {start}",
                self.name, self.arguments
            ));
        }
        ANSWERED.to_owned()
    }
}

/// A failure's word in the lines of a host.
fn word(failure: CallFailure) -> String {
    match serde_json::to_value(failure) {
        Ok(serde_json::Value::String(word)) => word,
        _ => failure.to_string(),
    }
}

/// Tells a call's end, also that of a call whose future is dropped.
struct Ending {
    voice: Voice,
    id: u64,
    end: String,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.voice.say(&Line::Ended {
            id: self.id,
            end: std::mem::take(&mut self.end),
        });
    }
}
