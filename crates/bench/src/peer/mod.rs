//! The server that every client is measured against: it answers with prepared text, so that its own
//! cost is small and the same for all. Over standard input and output, or over HTTP.

mod answers;
mod http;
mod spec;
mod stdio;

pub(crate) use http::run_http;
pub(crate) use spec::{ECHO_TOOL, EXIT_TOOL, Form, HTTP_COMMAND, PeerSpec, STDIO_COMMAND};
pub(crate) use stdio::run_stdio;
