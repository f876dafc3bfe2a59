//! The JSON form of `mcp-harness tools`, whose members the README promises.

use std::collections::BTreeMap;

use mcp_config::{Exposure, Problem};
use mcp_session::{Exchange, ServerState, ServerStatus, ToolStatus};
use serde::Serialize;
use serde_json::value::RawValue;

use super::tokens::tokens;
use super::tools::{error_below, server_tokens};

#[derive(Serialize)]
pub(super) struct Listing<'a> {
    servers: BTreeMap<&'a str, Server<'a>>,
    tools: Vec<Tool<'a>>,
    hidden: Vec<Hidden<'a>>,
    tokens: usize,
    problems: &'a [Problem],
}

#[derive(Serialize)]
struct Server<'a> {
    state: ServerState,
    version: Option<&'a str>,
    error: Option<&'a str>,
    tokens: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool<'a> {
    name: &'a str,
    server: Option<&'a str>,
    raw_name: &'a str,
    description: Option<&'a str>,
    /// The server's own bytes.
    input_schema: &'a RawValue,
    tokens: usize,
}

/// A tool that the model is not given.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Hidden<'a> {
    server: &'a str,
    raw_name: &'a str,
    exposure: Exposure,
    rule: Option<&'a str>,
    withheld: Option<String>,
}

impl<'a> Listing<'a> {
    pub(super) fn new(
        statuses: &'a [ServerStatus],
        tools: &'a [ToolStatus],
        exchange: &'a Exchange,
    ) -> Self {
        let shown: Vec<Tool<'a>> = exchange
            .tools()
            .iter()
            .map(|tool| Tool {
                name: tool.name(),
                server: tool.server(),
                raw_name: tool.raw_name(),
                description: tool.description(),
                input_schema: tool.input_schema(),
                tokens: tokens(tool.name(), tool.description(), tool.input_schema()),
            })
            .collect();
        let hidden = tools
            .iter()
            .filter(|tool| tool.name().is_none())
            .map(|tool| Hidden {
                server: tool.server(),
                raw_name: tool.raw_name(),
                exposure: tool.exposure(),
                rule: tool.rule(),
                withheld: tool.withheld(),
            });
        Listing {
            servers: statuses
                .iter()
                .map(|status| (status.server.as_str(), server(status, tools)))
                .collect(),
            tokens: shown.iter().map(|tool| tool.tokens).sum(),
            tools: shown,
            hidden: hidden.collect(),
            problems: exchange.problems(),
        }
    }
}

fn server<'a>(status: &'a ServerStatus, tools: &'a [ToolStatus]) -> Server<'a> {
    let own: Vec<&ToolStatus> = tools
        .iter()
        .filter(|tool| tool.server() == status.server)
        .collect();
    Server {
        state: status.state,
        version: status.version.as_deref(),
        error: error_below(status),
        tokens: server_tokens(&own),
    }
}
