//! The server that every client is measured against: it answers with prepared text, so that its own
//! cost is small and the same for all.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::process;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::outcome::Outcome;

/// The word by which the command is started as a server.
pub(crate) const COMMAND: &str = "peer";
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
}

impl PeerSpec {
    /// The arguments that start such a server.
    pub(crate) fn arguments(self) -> [String; 4] {
        let Self {
            text,
            tools,
            schema,
        } = self;
        [
            COMMAND.to_owned(),
            text.to_string(),
            tools.to_string(),
            schema.to_string(),
        ]
    }

    fn parse(arguments: &[String]) -> Outcome<Self> {
        let [text, tools, schema] = arguments else {
            return Err(format!("usage: mcp-bench {COMMAND} TEXT TOOLS SCHEMA").into());
        };
        Ok(Self {
            text: text.parse()?,
            tools: tools.parse()?,
            schema: schema.parse()?,
        })
    }
}

#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow, default)]
    id: Option<&'m RawValue>,
    #[serde(borrow)]
    method: Cow<'m, str>,
    #[serde(borrow, default)]
    params: Option<&'m RawValue>,
}

#[derive(Deserialize)]
struct Call<'m> {
    #[serde(borrow)]
    name: Cow<'m, str>,
}

/// Serves standard input until its end.
pub(crate) fn run(arguments: &[String]) -> Outcome<()> {
    let mut answers = Answers::prepare(PeerSpec::parse(arguments)?);
    let mut input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    let mut pending = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        answers.answer(&line, &mut pending)?;
        line.clear();
        // What came in one piece is answered in one piece.
        if memchr::memchr(b'\n', input.buffer()).is_none() {
            output.write_all(&pending)?;
            output.flush()?;
            pending.clear();
        }
    }
    Ok(())
}

/// The prepared results.
struct Answers {
    call: String,
    list: String,
    /// The revision without a handshake is spoken, whose results name their type.
    stateless: bool,
}

impl Answers {
    fn prepare(spec: PeerSpec) -> Self {
        Self {
            call: format!(
                r#"{{"content":[{{"type":"text","text":"{}"}}]"#,
                text(spec.text)
            ),
            list: listing(spec),
            stateless: false,
        }
    }

    fn answer(&mut self, line: &[u8], out: &mut Vec<u8>) -> Outcome<()> {
        let message: Message<'_> = serde_json::from_slice(line)?;
        let Some(id) = message.id else { return Ok(()) };
        let result = match &*message.method {
            "tools/call" => {
                let call: Option<Call<'_>> = message
                    .params
                    .map(|params| serde_json::from_str(params.get()))
                    .transpose()?;
                if call.is_some_and(|call| call.name == EXIT_TOOL) {
                    process::exit(7);
                }
                &self.call
            }
            "tools/list" => &self.list,
            "initialize" => INITIALIZED,
            "server/discover" => {
                self.stateless = true;
                DISCOVERED
            }
            _ => "{",
        };
        let end = match (self.stateless, result) {
            (true, "{") => r#""resultType":"complete"}}"#,
            (true, _) => r#","resultType":"complete"}}"#,
            (false, _) => "}}",
        };
        for part in [
            r#"{"jsonrpc":"2.0","id":"#,
            id.get(),
            r#","result":"#,
            result,
            end,
            "\n",
        ] {
            out.extend_from_slice(part.as_bytes());
        }
        Ok(())
    }
}

const INITIALIZED: &str = concat!(
    r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"#,
    r#""serverInfo":{"name":"peer","version":"1"}"#
);
const DISCOVERED: &str = concat!(
    r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"#,
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}},"#,
    r#""ttlMs":0,"cacheScope":"private""#
);

/// The JSON form of a text of that many bytes, with an escaped line break at the end of each 80.
fn text(bytes: usize) -> String {
    const LINE: usize = 80;
    let mut text = format!("{}\\n", "x".repeat(LINE - 1)).repeat(bytes / LINE);
    text.push_str(&"x".repeat(bytes % LINE));
    text
}

fn listing(spec: PeerSpec) -> String {
    let mut list = String::from(r#"{"tools":["#);
    for tool in 0..spec.tools {
        let comma = if tool == 0 { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(
            list,
            r#"{comma}{{"name":"tool_{tool}","description":"Does what tool number {tool} does.","inputSchema":{}}}"#,
            schema(spec.schema)
        );
    }
    list.push(']');
    list
}

/// An object schema of about that many bytes, with nested properties as servers have them.
fn schema(bytes: usize) -> String {
    const PROPERTY: usize = 119;
    let mut schema = String::from(r#"{"type":"object","properties":{"#);
    for property in 0..(bytes / PROPERTY).max(1) {
        let comma = if property == 0 { "" } else { "," };
        let _ = write!(
            schema,
            r#"{comma}"property_{property:03}":{{"type":["string","null"],"description":"What this is for, in a few words.","enum":["a","b"]}}"#
        );
    }
    schema.push_str(r#"},"required":["property_000"]}"#);
    schema
}
