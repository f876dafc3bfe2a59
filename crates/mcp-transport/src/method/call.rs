//! Tool calls.

use serde_json::value::RawValue;

use crate::rpc::Ask;
use crate::{CallOptions, CallResult, Connection, RequestError};

impl Connection {
    /// Calls a tool, with the arguments as they are written. It is never sent a second time.
    ///
    /// Dropping the future, or cancelling the token of `options`, gives the call up and tells the server.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: &RawValue,
        options: CallOptions,
    ) -> Result<CallResult, RequestError> {
        let plain = self.plain("tools/call");
        let ask = Ask {
            name: Some(name),
            timeout: options.timeout.unwrap_or(plain.timeout),
            max_total: options.max_total.unwrap_or(plain.max_total),
            cancel: options.cancel.as_ref(),
            on_progress: options.on_progress.as_ref(),
            room: 64 + name.len() + arguments.get().len(),
            ..plain
        };
        let reply = self.request_with_input(&ask, |params| {
            params.value("name", name);
            params.raw("arguments", arguments.get());
        });
        CallResult::new(reply.await?)
    }
}
