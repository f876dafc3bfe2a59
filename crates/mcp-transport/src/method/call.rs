//! Tool calls.

use serde_json::value::RawValue;

use crate::rpc::Ask;
use crate::wire::ObjectWriter;
use crate::{CallOptions, CallResult, Connection, RequestError};

/// The error of a server whose idea of the mirrored parameters is another one than ours.
const HEADER_MISMATCH: i64 = -32020;

impl Connection {
    /// Calls a tool, with the arguments as they are written. It is never sent a second time once it may have run: only
    /// a refusal for its headers, because the tool's parameters changed, has it sent again after a new listing
    /// (2026-07-28, basic/transports/streamable-http §Client Behavior).
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
        let params = |params: &mut ObjectWriter<'_>| {
            params.value("name", name);
            params.raw("arguments", arguments.get());
        };
        let mut reply = self.request_with_input(&ask, params).await;
        if matches!(
            &reply,
            Err(RequestError::Server {
                code: HEADER_MISMATCH,
                http_status: Some(_),
                ..
            })
        ) {
            // The listing is rare and large, so it does not make every call's future large.
            self.core().kept_tools.outdate();
            Box::pin(self.tools()).await?;
            reply = Box::pin(self.request_with_input(&ask, params)).await;
        }
        CallResult::new(reply?)
    }
}
