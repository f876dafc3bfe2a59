//! The types behind the schema. They are never built; their names, types and comments become the schema.

#![expect(dead_code, reason = "only the schema of these types is used")]

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::entry::{Exposure, LONGEST_MS};

/// The servers of the Model Context Protocol that a host connects to. Comments and trailing commas are allowed.
#[derive(JsonSchema)]
#[schemars(title = "mcp.json", extend(
    "anyOf" = [{ "required": ["mcpServers"] }, { "propertyNames": { "const": "$schema" } }]
))]
pub(super) struct File {
    /// The schema of this file, for editors.
    #[schemars(rename = "$schema")]
    schema: Option<String>,
    /// The servers by their names.
    #[schemars(rename = "mcpServers", default, extend("propertyNames" = { "pattern": "\\S" }))]
    mcp_servers: BTreeMap<String, Entry>,
}

/// One server: a local one with `command`, a remote one with `url`, or an override of an earlier layer's entry.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", extend(
    "anyOf" = [
        { "required": ["command"] },
        { "required": ["url"] },
        {
            "anyOf": [
                { "required": ["enabled"] },
                { "required": ["disabled"] },
                { "required": ["exposure"] },
                { "required": ["toolExposure"] }
            ],
            "not": { "anyOf": [
                { "required": ["type"] },
                { "required": ["args"] },
                { "required": ["env"] },
                { "required": ["cwd"] },
                { "required": ["headers"] },
                { "required": ["startTimeoutMs"] },
                { "required": ["requestTimeoutMs"] },
                { "required": ["maxRequestMs"] }
            ] }
        }
    ],
    "allOf" = [
        {
            "if": { "required": ["command", "url"] },
            "then": { "required": ["type"] }
        },
        {
            "if": { "required": ["type"], "properties": { "type": { "pattern": "^[sS][tT][dD][iI][oO]$" } } },
            "then": { "required": ["command"] }
        },
        {
            "if": { "required": ["type"], "properties": { "type": { "pattern": "[hH][tT][tT][pP]$" } } },
            "then": { "required": ["url"] }
        },
        { "not": { "required": ["enabled", "disabled"], "properties": { "enabled": { "const": true }, "disabled": { "const": true } } } },
        { "not": { "required": ["enabled", "disabled"], "properties": { "enabled": { "const": false }, "disabled": { "const": false } } } }
    ]
))]
struct Entry {
    /// How the server is reached. It may be left out: `command` means stdio, `url` http.
    r#type: Option<Type>,
    /// The program of a local server, alone: a name that is looked up in PATH, or a path. `~/` is expanded.
    #[schemars(extend("pattern" = "^(\\S+|\\S*[/\\\\].*)$"))]
    command: Option<String>,
    /// The arguments of the program. `~/` is expanded.
    args: Option<Vec<String>>,
    /// Variables that are added to the program's environment. Values may hold ${VAR}, ${VAR:-default} and
    /// ${VAR:?message}; a value that begins with ! is a command whose output is taken.
    #[schemars(extend("propertyNames" = { "pattern": "^[^=]+$" }))]
    env: Option<BTreeMap<String, String>>,
    /// The working directory, relative to the base directory, which it is by default. `~/` is expanded.
    #[schemars(length(min = 1))]
    cwd: Option<String>,
    /// The URL of a remote server.
    #[schemars(extend("pattern" = "^([hH][tT][tT][pP][sS]?://[^\\s/?#]+\\S*|.*\\$.*)$"))]
    url: Option<String>,
    /// Headers that are sent with each request. Values are written like those of `env`.
    #[schemars(extend("propertyNames" = { "pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }))]
    headers: Option<BTreeMap<String, String>>,
    /// Whether the server runs; true by default.
    enabled: Option<bool>,
    /// The opposite of `enabled`.
    disabled: Option<bool>,
    /// Whether the model sees the server's tools; direct by default.
    exposure: Option<Exposure>,
    /// The exposure of single tools, by their names or by patterns with * and ?. An exact name wins, then the first
    /// pattern that matches.
    #[schemars(extend("propertyNames" = { "minLength": 1 }))]
    tool_exposure: Option<BTreeMap<String, Exposure>>,
    /// How long the server may take to start, in milliseconds; 30000 by default.
    start_timeout_ms: Option<Milliseconds>,
    /// How long a request may take without progress, in milliseconds; 60000 by default.
    request_timeout_ms: Option<Milliseconds>,
    /// How long a request may take in all, in milliseconds; 600000 by default.
    max_request_ms: Option<Milliseconds>,
    /// Not supported yet.
    auth: Option<Unsupported>,
    /// Not supported yet.
    oauth: Option<Unsupported>,
}

/// The spellings of a server's kind.
struct Type;

impl JsonSchema for Type {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Type".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // Any mixture of upper and lower case is read; an editor offers the usual ones.
        json_schema!({
            "type": "string",
            "anyOf": [
                { "enum": ["stdio", "http", "streamable-http", "streamable_http", "streamableHttp"] },
                { "pattern": "^([sS][tT][dD][iI][oO]|([sS][tT][rR][eE][aA][mM][aA][bB][lL][eE][-_]?)?[hH][tT][tT][pP])$" }
            ]
        })
    }
}

/// A time limit.
struct Milliseconds;

impl JsonSchema for Milliseconds {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Milliseconds".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": LONGEST_MS })
    }
}

/// A member that is refused whatever its value.
struct Unsupported;

impl JsonSchema for Unsupported {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Unsupported".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "not": {} })
    }
}
