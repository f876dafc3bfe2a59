//! Expanding prompts.

use serde_json::value::RawValue;

use super::request::array;
use crate::rpc::Ask;
use crate::wire::Member;
use crate::{Connection, PromptResult, RequestError};

impl Connection {
    /// Expands a prompt; `arguments` is a JSON object of strings.
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: Option<&RawValue>,
    ) -> Result<PromptResult, RequestError> {
        let plain = self.plain("prompts/get");
        let size = arguments.map_or(0, |arguments| arguments.get().len());
        let ask = Ask {
            name: Some(name),
            room: 64 + name.len() + size,
            ..plain
        };
        let reply = self.request_with_input(&ask, |params| {
            params.value("name", name);
            if let Some(arguments) = arguments {
                params.raw("arguments", arguments.get());
            }
        });
        let reply = reply.await?;
        array(ask.method, &reply, Member::Messages)?;
        Ok(PromptResult { reply })
    }
}
