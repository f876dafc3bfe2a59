//! The scripted model: its moves in one exchange, and what came back.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use mcp_session::{CallOptions, Exchange, ToolResult};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::artifact::Json;
use crate::scenario::{ModelCall, Move};
use crate::trace::Entry;

use super::event::{Host, World};
use super::show::{progress, result};
use super::{PlayError, Story};

/// A model that plays a script.
pub(super) struct Model<'a> {
    exchange: Arc<Exchange>,
    number: usize,
    running: BTreeMap<&'a str, Running<'a>>,
    pub(super) unmet: Vec<String>,
}

/// A call that goes on while other moves are made. The set holds its one task, and ends it when dropped.
struct Running<'a> {
    call: &'a ModelCall,
    task: JoinSet<ToolResult>,
    cancel: CancellationToken,
}

impl<'a> Model<'a> {
    pub(super) fn new(exchange: Arc<Exchange>, number: usize) -> Self {
        Model {
            exchange,
            number,
            running: BTreeMap::new(),
            unmet: Vec::new(),
        }
    }

    /// Makes all moves; each is an entry of the artifact.
    pub(super) async fn play(
        &mut self,
        moves: &'a [Move],
        world: &mut World<'_>,
        host: &mut dyn Host,
    ) -> Result<Vec<Json>, PlayError> {
        let mut entries = Vec::new();
        for step in moves {
            entries.push(self.step(step, world, host).await?);
        }
        Ok(entries)
    }

    async fn step(
        &mut self,
        step: &'a Move,
        world: &mut World<'_>,
        host: &mut dyn Host,
    ) -> Result<Json, PlayError> {
        Ok(match step {
            Move::Say(text) => {
                world.story.record(|| Entry::Said(text.clone()));
                Json::object([("say", Json::from(text.as_str()))])
            }
            Move::Call(call) => {
                world.story.now(format!("the call of {}", call.tool));
                self.call(call, world.story).await
            }
            Move::Parallel(calls) => {
                world.story.now(format!("{} parallel calls", calls.len()));
                let back = self.parallel(calls, world.story).await?;
                Json::object([("parallel", Json::Array(back))])
            }
            Move::Start(start) => {
                let what = format!("start {}: call {}", start.name, start.call.tool);
                world
                    .story
                    .record(|| Entry::asked(what, arguments(&start.call)));
                self.start(&start.name, &start.call);
                let mut entry = called("start", &start.call);
                entry.insert(1, ("name".to_owned(), Json::from(start.name.as_str())));
                Json::Object(entry)
            }
            Move::Finish(name) => {
                world.story.now(format!("the call `{name}` to finish"));
                self.end("finish", name, false, world.story).await?
            }
            Move::Cancel(name) => {
                world.story.now(format!("the cancelled call `{name}`"));
                let what = format!("cancel {name}");
                world.story.record(|| Entry::asked(what, None));
                self.end("cancel", name, true, world.story).await?
            }
            Move::Event(event) => {
                world.play(event, host).await?;
                Json::object([("event", super::event::show(event))])
            }
        })
    }

    async fn call(&mut self, call: &ModelCall, story: &Story) -> Json {
        story.record(|| asked(call));
        let heard = Arc::<Mutex<Vec<Json>>>::default();
        let told = Arc::clone(&heard);
        let options = CallOptions::new().on_progress(move |step| {
            told.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(progress(&step));
        });
        let text = call.arguments_text();
        let came_back = self.exchange.call_with(&call.tool, text, options).await;
        story.record(|| Entry::answered("result", result(&came_back)));
        let mut entry = self.answered("call", call, &came_back);
        let heard = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
        if let Json::Object(members) = &mut entry
            && !heard.is_empty()
        {
            members.push(("progress".to_owned(), Json::Array(heard)));
        }
        entry
    }

    async fn parallel(
        &mut self,
        calls: &'a [ModelCall],
        story: &Story,
    ) -> Result<Vec<Json>, PlayError> {
        let mut tasks = JoinSet::new();
        for (index, call) in calls.iter().enumerate() {
            story.record(|| asked(call));
            let exchange = Arc::clone(&self.exchange);
            let (tool, text) = (call.tool.clone(), call.arguments_text().to_owned());
            tasks.spawn(async move { (index, exchange.call(&tool, &text).await) });
        }
        let mut results = tasks.join_all().await;
        results.sort_by_key(|(index, _)| *index);
        Ok(calls
            .iter()
            .zip(results)
            .map(|(call, (index, back))| {
                let what = || format!("result {}", index + 1);
                story.record(|| Entry::answered(what(), result(&back)));
                self.answered("call", call, &back)
            })
            .collect())
    }

    fn start(&mut self, name: &'a str, call: &'a ModelCall) {
        let cancel = CancellationToken::new();
        let options = CallOptions::new().cancel(cancel.clone());
        let exchange = Arc::clone(&self.exchange);
        let (tool, text) = (call.tool.clone(), call.arguments_text().to_owned());
        let mut task = JoinSet::new();
        task.spawn(async move { exchange.call_with(&tool, &text, options).await });
        self.running.insert(name, Running { call, task, cancel });
    }

    async fn end(
        &mut self,
        what: &str,
        name: &str,
        cancel: bool,
        story: &Story,
    ) -> Result<Json, PlayError> {
        let mut running = self.running.remove(name).ok_or(PlayError::Misplaced {
            what: "the end of a call",
            needs: "a call of its name",
        })?;
        if cancel {
            running.cancel.cancel();
        }
        let came_back = running
            .task
            .join_next()
            .await
            .ok_or(PlayError::Task)?
            .map_err(|_| PlayError::Task)?;
        let result_of = || format!("result of {name}");
        story.record(|| Entry::answered(result_of(), result(&came_back)));
        self.check(running.call, &came_back);
        Ok(Json::object([
            (what, Json::from(name)),
            ("result", result(&came_back)),
        ]))
    }

    fn answered(&mut self, what: &str, call: &ModelCall, came_back: &ToolResult) -> Json {
        self.check(call, came_back);
        let mut entry = called(what, call);
        entry.push(("result".to_owned(), result(came_back)));
        Json::Object(entry)
    }

    fn check(&mut self, call: &ModelCall, came_back: &ToolResult) {
        let Some(expect) = &call.expect else { return };
        let (number, tool) = (self.number, &call.tool);
        if expect
            .error
            .is_some_and(|error| error != came_back.is_error)
        {
            let kind = if came_back.is_error {
                "an error"
            } else {
                "no error"
            };
            let text = came_back.text();
            self.unmet.push(format!(
                "exchange {number}: {tool} brought back {kind}: {text}"
            ));
        }
        if let Some(wanted) = &expect.contains
            && !came_back.text().contains(wanted)
        {
            let text = came_back.text();
            self.unmet.push(format!(
                "exchange {number}: {tool} brought back no {wanted:?}: {text}"
            ));
        }
    }
}

/// What the record shows of a call.
fn asked(call: &ModelCall) -> Entry {
    Entry::asked(format!("call {}", call.tool), arguments(call))
}

fn arguments(call: &ModelCall) -> Option<Json> {
    let text = call.arguments_text();
    (!text.is_empty()).then(|| Json::lenient(text))
}

/// The entry of a call as far as the model wrote it.
fn called(what: &str, call: &ModelCall) -> Vec<(String, Json)> {
    let mut entry = vec![(what.to_owned(), Json::from(call.tool.as_str()))];
    if let Some(arguments) = &call.arguments {
        entry.push(("arguments".to_owned(), Json::lenient(arguments.as_str())));
    } else if let Some(text) = &call.text {
        entry.push(("text".to_owned(), Json::from(text.as_str())));
    }
    entry
}
