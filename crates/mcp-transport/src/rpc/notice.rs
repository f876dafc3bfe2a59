//! Notifications of the server.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Core;
use crate::event::{Event, LogEntry, LogSource};
use crate::types::Object;
use crate::wire::AnswerId;
use crate::{Progress, RequestError};

impl Core {
    pub(super) fn notice(&self, method: &str, params: Option<&RawValue>) {
        let understood = match method {
            "notifications/progress" => self.on_progress(params),
            "notifications/message" => self.on_log(params),
            "notifications/cancelled" => self.on_cancelled(params),
            "notifications/resources/updated" => self.on_updated(params),
            "notifications/tools/list_changed" => self.on_change(Event::ToolsChanged),
            "notifications/resources/list_changed" => self.on_change(Event::ResourcesChanged),
            "notifications/prompts/list_changed" => self.on_change(Event::PromptsChanged),
            "notifications/subscriptions/acknowledged"
            | "notifications/elicitation/complete"
            | "notifications/tasks/status" => true,
            _ => {
                self.counters.unknown_notifications.one();
                true
            }
        };
        if !understood {
            self.malformed(
                params.map_or("no params", RawValue::get),
                &format!("params of {method}"),
            );
        }
    }

    fn on_change(&self, event: Event) -> bool {
        if matches!(event, Event::ToolsChanged) {
            self.kept_tools.outdate();
        }
        self.tell(event);
        true
    }

    fn on_updated(&self, params: Option<&RawValue>) -> bool {
        let uri = read(params).and_then(|mut params| params.take("uri").and_then(value));
        uri.is_some_and(|uri| self.on_change(Event::ResourceUpdated { uri }))
    }

    /// Progress of a request that is no longer pending is nothing special. A number that is none costs itself: the
    /// request makes progress all the same.
    fn on_progress(&self, params: Option<&RawValue>) -> bool {
        let Some(mut params) = read(params) else {
            return false;
        };
        let Some(token) = params.take("progressToken") else {
            return false;
        };
        let numbers = [params.take("progress"), params.take("total")];
        if let AnswerId::Number(id) = AnswerId::parse(Some(token.get())) {
            let [progress, total] = numbers.map(|number| number.and_then(value));
            let message = params.take("message").and_then(value);
            self.pending.progress(
                id,
                Progress {
                    progress: progress.unwrap_or_default(),
                    total,
                    message,
                },
            );
        }
        numbers
            .into_iter()
            .flatten()
            .all(|number| value::<f64>(number).is_some())
    }

    fn on_log(&self, params: Option<&RawValue>) -> bool {
        let Some(mut params) = read(params) else {
            return false;
        };
        let mut shown = |member| {
            let json = params.take(member)?;
            Some(self.options.mask.apply(&text_of(json)).into_owned())
        };
        self.log(LogEntry {
            source: LogSource::Message,
            level: shown("level").unwrap_or_else(|| "info".to_owned()),
            logger: shown("logger"),
            data: shown("data").unwrap_or_default(),
        });
        true
    }

    /// The server gives up a request of its own to us, or one of ours. Ids of both sides may be equal;
    /// its own comes first, since that is what the specification has it mean.
    fn on_cancelled(&self, params: Option<&RawValue>) -> bool {
        let Some(mut params) = read(params) else {
            return false;
        };
        let id = params.take("requestId").map(RawValue::get);
        if id.is_some_and(|id| self.serving.cancel(id)) {
            return true;
        }
        if let AnswerId::Number(id) = AnswerId::parse(id) {
            let reason = params
                .take("reason")
                .map(|json| self.options.mask.apply(&text_of(json)).into_owned());
            self.pending.settle(id, |method| {
                Err(RequestError::CancelledByServer { method, reason })
            });
        }
        true
    }
}

fn read(params: Option<&RawValue>) -> Option<Object<'_>> {
    Object::parse(params?.get()).ok()
}

fn value<'a, T: Deserialize<'a>>(json: &'a RawValue) -> Option<T> {
    serde_json::from_str(json.get()).ok()
}

/// A string as it is; any other JSON as its text.
fn text_of(json: &RawValue) -> String {
    serde_json::from_str(json.get()).unwrap_or_else(|_| json.get().to_owned())
}
