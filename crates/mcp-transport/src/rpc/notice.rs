//! Notifications of the server.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Core;
use crate::event::{Event, LogEntry, LogSource};
use crate::wire::AnswerId;
use crate::{Progress, RequestError};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProgressParams<'a> {
    #[serde(borrow)]
    progress_token: &'a RawValue,
    #[serde(default)]
    progress: f64,
    total: Option<f64>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct LogParams<'a> {
    #[serde(borrow)]
    level: Option<&'a RawValue>,
    #[serde(borrow)]
    logger: Option<&'a RawValue>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct UpdatedParams {
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelledParams<'a> {
    #[serde(borrow)]
    request_id: Option<&'a RawValue>,
    #[serde(borrow)]
    reason: Option<&'a RawValue>,
}

impl Core {
    pub(super) fn notice(&self, method: &str, params: Option<&RawValue>) {
        let understood = match method {
            "notifications/progress" => self.on_progress(params),
            "notifications/message" => self.on_log(params),
            "notifications/cancelled" => self.on_cancelled(params),
            "notifications/resources/updated" => match read::<UpdatedParams>(params) {
                Some(UpdatedParams { uri }) => self.on_change(Event::ResourceUpdated { uri }),
                None => false,
            },
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

    /// Progress of a request that is no longer pending is nothing special.
    fn on_progress(&self, params: Option<&RawValue>) -> bool {
        let Some(params) = read::<ProgressParams<'_>>(params) else {
            return false;
        };
        if let AnswerId::Number(id) = AnswerId::parse(Some(params.progress_token.get())) {
            let ProgressParams {
                progress, total, ..
            } = params;
            let message = params
                .message
                .and_then(|text| serde_json::from_str(text.get()).ok());
            self.pending.progress(
                id,
                Progress {
                    progress,
                    total,
                    message,
                },
            );
        }
        true
    }

    fn on_log(&self, params: Option<&RawValue>) -> bool {
        let Some(params) = read::<LogParams<'_>>(params) else {
            return false;
        };
        let mask = &self.options.mask;
        let show = |json: &RawValue| mask.apply(&text_of(json)).into_owned();
        self.log(LogEntry {
            source: LogSource::Message,
            level: params.level.map_or_else(|| "info".to_owned(), show),
            logger: params
                .logger
                .filter(|logger| logger.get() != "null")
                .map(show),
            data: params.data.map(show).unwrap_or_default(),
        });
        true
    }

    /// The server gives up a request of its own to us, or one of ours. Ids of both sides may be equal;
    /// its own comes first, since that is what the specification has it mean.
    fn on_cancelled(&self, params: Option<&RawValue>) -> bool {
        let Some(params) = read::<CancelledParams<'_>>(params) else {
            return false;
        };
        let id = params.request_id.map(RawValue::get);
        if id.is_some_and(|id| self.serving.cancel(id)) {
            return true;
        }
        if let AnswerId::Number(id) = AnswerId::parse(id) {
            let reason = params.reason.filter(|reason| reason.get() != "null");
            let reason = reason.map(|json| self.options.mask.apply(&text_of(json)).into_owned());
            self.pending.settle(id, |method| {
                Err(RequestError::CancelledByServer { method, reason })
            });
        }
        true
    }
}

fn read<'a, T: Deserialize<'a>>(params: Option<&'a RawValue>) -> Option<T> {
    serde_json::from_str(params?.get()).ok()
}

/// A string as it is; any other JSON as its text.
fn text_of(json: &RawValue) -> String {
    serde_json::from_str(json.get()).unwrap_or_else(|_| json.get().to_owned())
}
