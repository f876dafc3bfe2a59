//! Calls of a tool by the program: waited for, started and ended later, cancelled, dropped.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcp_transport::{CallOptions, CallResult, Connection, Progress};
use serde_json::value::RawValue;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::artifact::Json;
use crate::scenario::{ClientCall, ClientStart};

use super::super::PlayError;
use super::program::{Failed, raw_value};
use super::show;

/// The calls that go on.
#[derive(Default)]
pub(super) struct Calls(BTreeMap<String, Running>);

struct Running {
    prepared: Prepared,
    task: JoinSet<Result<CallResult, Failed>>,
}

/// A call with everything it needs, and the progress that came for it.
struct Prepared {
    call: ClientCall,
    arguments: Box<RawValue>,
    cancel: CancellationToken,
    progress: Arc<Mutex<Vec<Json>>>,
}

impl Calls {
    pub(super) async fn call(
        &mut self,
        connection: &Connection,
        call: &ClientCall,
    ) -> Result<Json, PlayError> {
        let prepared = Prepared::new(call)?;
        let result = connection
            .call_tool(&call.tool, &prepared.arguments, prepared.options())
            .await;
        Ok(prepared.entry("call", &result))
    }

    pub(super) async fn parallel(
        &mut self,
        connection: &Connection,
        calls: &[ClientCall],
    ) -> Result<Json, PlayError> {
        let mut tasks = JoinSet::new();
        for (index, call) in calls.iter().enumerate() {
            let prepared = Prepared::new(call)?;
            let connection = connection.clone();
            tasks.spawn(async move {
                let options = prepared.options();
                let tool = prepared.call.tool.clone();
                let result = connection
                    .call_tool(&tool, &prepared.arguments, options)
                    .await;
                (index, prepared.entry("call", &result))
            });
        }
        let mut entries = tasks.join_all().await;
        entries.sort_by_key(|(index, _)| *index);
        let entries = entries.into_iter().map(|(_, entry)| entry).collect();
        Ok(Json::object([("parallel", Json::Array(entries))]))
    }

    pub(super) fn start(
        &mut self,
        connection: &Connection,
        start: &ClientStart,
    ) -> Result<Json, PlayError> {
        let prepared = Prepared::new(&start.call)?;
        let (connection, options) = (connection.clone(), prepared.options());
        let (tool, arguments) = (start.call.tool.clone(), prepared.arguments.clone());
        let mut task = JoinSet::new();
        task.spawn(async move { connection.call_tool(&tool, &arguments, options).await });
        let entry = Json::object([
            ("start", Json::from(start.name.as_str())),
            ("call", Json::from(start.call.tool.as_str())),
        ]);
        self.0
            .insert(start.name.clone(), Running { prepared, task });
        Ok(entry)
    }

    pub(super) async fn finish(&mut self, name: &str) -> Result<Json, PlayError> {
        self.end("finish", name).await
    }

    pub(super) async fn cancel(&mut self, name: &str) -> Result<Json, PlayError> {
        self.0.get(name).ok_or(NO_CALL)?.prepared.cancel.cancel();
        self.end("cancel", name).await
    }

    /// Drops the call's future, as a program does that no longer cares.
    pub(super) async fn forget(&mut self, name: &str) -> Result<Json, PlayError> {
        let mut running = self.0.remove(name).ok_or(NO_CALL)?;
        running.task.shutdown().await;
        Ok(Json::object([("forget", Json::from(name))]))
    }

    async fn end(&mut self, what: &'static str, name: &str) -> Result<Json, PlayError> {
        let mut running = self.0.remove(name).ok_or(NO_CALL)?;
        let result = running
            .task
            .join_next()
            .await
            .ok_or(PlayError::Task)?
            .map_err(|_| PlayError::Task)?;
        let mut entry = vec![(what, Json::from(name))];
        entry.extend(running.prepared.outcome(&result));
        Ok(Json::object(entry))
    }
}

const NO_CALL: PlayError = PlayError::Misplaced {
    what: "the end of a call",
    needs: "a call of its name",
};

impl Prepared {
    fn new(call: &ClientCall) -> Result<Prepared, PlayError> {
        let arguments = match (&call.arguments, call.arguments_of_bytes) {
            (Some(text), _) => raw_value(text)?,
            (None, Some(bytes)) => raw(large(bytes))?,
            (None, None) => raw("{}".to_owned())?,
        };
        Ok(Prepared {
            call: call.clone(),
            arguments,
            cancel: CancellationToken::new(),
            progress: Arc::default(),
        })
    }

    fn options(&self) -> CallOptions {
        let mut options = CallOptions::new().cancel(self.cancel.clone());
        if let Some(timeout) = self.call.timeout_ms {
            options = options.timeout(Duration::from_millis(timeout));
        }
        if let Some(total) = self.call.max_total_ms {
            options = options.max_total(Duration::from_millis(total));
        }
        if self.call.progress {
            let seen = Arc::clone(&self.progress);
            options = options.on_progress(move |progress: Progress| {
                seen.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(crate::play::show::progress(&progress));
            });
        }
        options
    }

    fn entry(&self, what: &'static str, result: &Result<CallResult, Failed>) -> Json {
        let mut entry = vec![(what, Json::from(self.call.tool.as_str()))];
        match self.call.arguments_of_bytes {
            Some(bytes) => entry.push(("argumentsOfBytes", Json::from(bytes))),
            None => entry.push(("arguments", Json::lenient(self.arguments.get()))),
        }
        entry.extend(self.outcome(result));
        Json::object(entry)
    }

    fn outcome(&self, result: &Result<CallResult, Failed>) -> Vec<(&'static str, Json)> {
        let mut entry = Vec::new();
        if self.call.progress {
            let seen = self
                .progress
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            entry.push(("progress", Json::Array(seen)));
        }
        entry.push(("result", show::raw(result.as_ref().map(CallResult::raw))));
        entry
    }
}

/// Arguments of exactly this many bytes.
fn large(bytes: usize) -> String {
    let empty = r#"{"text":""}"#;
    format!(
        r#"{{"text":"{}"}}"#,
        "x".repeat(bytes.saturating_sub(empty.len()))
    )
}

fn raw(text: String) -> Result<Box<RawValue>, PlayError> {
    RawValue::from_string(text).map_err(|_| PlayError::Value {
        text: "the arguments".to_owned(),
        expected: "JSON",
    })
}
