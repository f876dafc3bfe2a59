//! Suggestions for the values of arguments.

use serde_json::value::RawValue;

use crate::types::Object;
use crate::wire::{Member, kind_of};
use crate::{Completion, CompletionRef, Connection, RequestError};

const METHOD: &str = "completion/complete";

impl Connection {
    /// Suggestions for the value of an argument. `context` is a JSON object of the arguments that are
    /// settled already.
    pub async fn complete(
        &self,
        reference: CompletionRef<'_>,
        argument: &str,
        value: &str,
        context: Option<&RawValue>,
    ) -> Result<Completion, RequestError> {
        let ask = self.plain(METHOD);
        let reply = self.request(&ask, |params| {
            params.object("ref", |object| match reference {
                CompletionRef::Prompt(name) => {
                    object.value("type", "ref/prompt");
                    object.value("name", name);
                }
                CompletionRef::Resource(uri) => {
                    object.value("type", "ref/resource");
                    object.value("uri", uri);
                }
            });
            params.object("argument", |object| {
                object.value("name", argument);
                object.value("value", value);
            });
            if let Some(context) = context {
                params.object("context", |object| object.raw("arguments", context.get()));
            }
        });
        let reply = reply.await?;
        read(reply.member(Member::Completion).unwrap_or("null"))
            .map_err(|(path, message)| RequestError::invalid(METHOD, path, message))
    }
}

fn read(json: &str) -> Result<Completion, (&'static str, String)> {
    let mut object = Object::parse(json).map_err(|message| ("completion", message))?;
    let values = object.take("values").map_or("null", RawValue::get);
    let values = serde_json::from_str(values).map_err(|_| {
        (
            "completion.values",
            format!("expected an array of strings, found {}", kind_of(values)),
        )
    })?;
    Ok(Completion {
        values,
        total: object
            .take("total")
            .and_then(|total| serde_json::from_str(total.get()).ok()),
        has_more: object
            .take("hasMore")
            .is_some_and(|more| more.get() == "true"),
    })
}
