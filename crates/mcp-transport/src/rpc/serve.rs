//! Requests of the server: a ping is answered by the reader itself, what the host offers by a task of
//! its own, everything else is refused at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::value::RawValue;
use tokio::task::AbortHandle;

use super::Core;
use crate::link::{Kind, Outbound};
use crate::wire::MessageWriter;

/// Requests of one server that are worked on at the same time; a person has to answer them.
const MAX_RUNNING: usize = 64;
const METHOD_NOT_FOUND: i64 = -32601;
const INTERNAL_ERROR: i64 = -32603;

/// The requests of the server that are being worked on, by their id as it was written.
#[derive(Debug, Default)]
pub(super) struct Serving {
    running: Mutex<HashMap<Box<str>, AbortHandle>>,
}

impl Serving {
    /// Gives up the work on a request. False if there is none.
    pub(super) fn cancel(&self, id: &str) -> bool {
        self.lock().remove(id).inspect(AbortHandle::abort).is_some()
    }

    /// Gives up everything.
    pub(super) fn stop(&self) {
        for (_, task) in self.lock().drain() {
            task.abort();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, AbortHandle>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Core {
    /// Answers a request of the server. Its id is echoed as it was written.
    pub(super) fn serve(self: &Arc<Self>, id: &str, method: &str, params: Option<&RawValue>) {
        if method == "ping" {
            return self.respond(MessageWriter::result(id, "{}"));
        }
        if self.serving.lock().len() >= MAX_RUNNING {
            let message = "too many requests are being worked on";
            return self.respond(MessageWriter::error(id, INTERNAL_ERROR, message));
        }
        if !self.options.handlers.offers(method) {
            self.counters.refused_requests.one();
            let message = format!("Method not found: {method}");
            return self.respond(MessageWriter::error(id, METHOD_NOT_FOUND, &message));
        }
        let work = Work {
            core: Arc::clone(self),
            id: id.into(),
            answered: false,
        };
        let (method, params) = (method.to_owned(), params.map(ToOwned::to_owned));
        // The lock is held until the task is in the table, so that its end cannot come before.
        let mut running = self.serving.lock();
        let task = self.tasks.spawn(work.run(method, params));
        running.insert(id.into(), task);
    }

    fn respond(&self, text: Vec<u8>) {
        self.send_control(Outbound {
            text,
            kind: Kind::Response,
            gather: false,
        });
    }
}

/// One request that is being worked on.
struct Work {
    core: Arc<Core>,
    id: Box<str>,
    answered: bool,
}

impl Work {
    async fn run(mut self, method: String, params: Option<Box<RawValue>>) {
        let answer = self
            .core
            .options
            .handlers
            .answer(&method, params.as_deref())
            .await;
        let message = match answer {
            Ok(result) => MessageWriter::result(&self.id, &result),
            Err(error) => MessageWriter::error(&self.id, error.code, &error.message),
        };
        self.core.respond(message);
        self.answered = true;
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.core.serving.lock().remove(&self.id);
        // A request that the server gave up gets no answer; one whose handler panicked does.
        if !self.answered && std::thread::panicking() {
            let message = "the handler failed";
            self.core
                .respond(MessageWriter::error(&self.id, INTERNAL_ERROR, message));
        }
    }
}
