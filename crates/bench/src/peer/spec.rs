//! What a server is asked to be, as its command line carries it.

use crate::outcome::Outcome;

/// The word by which the command is started as a server over standard input and output.
pub(crate) const STDIO_COMMAND: &str = "peer";
/// The word by which the command is started as a server over HTTP.
pub(crate) const HTTP_COMMAND: &str = "http-peer";
/// The tool whose call ends the server before it answers.
pub(crate) const EXIT_TOOL: &str = "exit";
/// The tool whose call is answered with a text.
pub(crate) const ECHO_TOOL: &str = "echo";

/// What a server is asked to be.
#[derive(Clone, Copy)]
pub(crate) struct PeerSpec {
    /// Bytes of text in the result of a call.
    pub(crate) text: usize,
    /// Tools in the listing.
    pub(crate) tools: usize,
    /// Bytes of schema a tool, roughly.
    pub(crate) schema: usize,
    /// What a body of HTTP is; a line of standard output is JSON in any case.
    pub(crate) form: Form,
}

/// How an answer over HTTP is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    /// One server-sent event.
    Event,
}

impl PeerSpec {
    /// The arguments that start such a server.
    pub(crate) fn arguments(self, command: &str) -> [String; 5] {
        let Self {
            text,
            tools,
            schema,
            form,
        } = self;
        let form = match form {
            Form::Json => "json",
            Form::Event => "event",
        };
        [
            command.to_owned(),
            text.to_string(),
            tools.to_string(),
            schema.to_string(),
            form.to_owned(),
        ]
    }

    pub(super) fn parse(arguments: &[String]) -> Outcome<Self> {
        let [text, tools, schema, form] = arguments else {
            return Err("usage: mcp-bench peer|http-peer TEXT TOOLS SCHEMA json|event".into());
        };
        Ok(Self {
            text: text.parse()?,
            tools: tools.parse()?,
            schema: schema.parse()?,
            form: match form.as_str() {
                "json" => Form::Json,
                "event" => Form::Event,
                other => return Err(format!("there is no form {other:?}").into()),
            },
        })
    }
}
