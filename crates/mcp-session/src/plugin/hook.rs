//! Code of the host around a call, and in the place of one.

use serde_json::value::RawValue;

use crate::connect::BoxFuture;
use crate::result::ToolResult;

/// A call as a hook sees it: looked up, its arguments cleaned and checked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HookedCall<'a> {
    /// The name that the model used.
    pub name: &'a str,
    /// The server; absent for a plugin's own tool.
    pub server: Option<&'a str>,
    /// The tool's own name.
    pub raw_name: &'a str,
    /// The arguments as they will be sent. If the server changes the tool before that, so that other
    /// bytes would be sent, the call fails; `before` is asked once a call.
    pub arguments: &'a RawValue,
}

/// Why a hook refused a call; the model reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    /// The reason, as the model should read it.
    pub fn new(reason: impl Into<String>) -> Refusal {
        Refusal(reason.into())
    }

    /// The reason.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

/// Runs before and after calls of a tool. Either method may be left out.
///
/// ```
/// use mcp_session::{BoxFuture, HookedCall, Refusal, ToolHook};
///
/// struct ReadOnly;
///
/// impl ToolHook for ReadOnly {
///     fn before<'a>(&'a self, call: HookedCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
///         Box::pin(async move {
///             match call.raw_name {
///                 "write" => Err(Refusal::new("this session only reads")),
///                 _ => Ok(()),
///             }
///         })
///     }
/// }
/// ```
pub trait ToolHook: Send + Sync {
    /// May refuse the call.
    fn before<'a>(&'a self, call: HookedCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        let _ = call;
        Box::pin(async { Ok(()) })
    }

    /// May change the result; runs for every call that `before` let through.
    fn after<'a>(&'a self, call: HookedCall<'a>, result: &'a mut ToolResult) -> BoxFuture<'a, ()> {
        let _ = (call, result);
        Box::pin(async {})
    }
}

/// Runs a plugin's own tool.
pub trait ToolHandler: Send + Sync {
    /// The arguments are checked against the tool's schema.
    fn call<'a>(&'a self, arguments: &'a RawValue) -> BoxFuture<'a, ToolResult>;
}

impl<F> ToolHandler for F
where
    F: Fn(&RawValue) -> BoxFuture<'static, ToolResult> + Send + Sync,
{
    fn call<'a>(&'a self, arguments: &'a RawValue) -> BoxFuture<'a, ToolResult> {
        self(arguments)
    }
}
