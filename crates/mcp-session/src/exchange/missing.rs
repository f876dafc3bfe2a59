//! A name that the catalogue does not have: why not, as far as the session knows.

use std::sync::Arc;

use mcp_config::Exposure;

use super::handle::Exchange;
use super::words;
use crate::result::ToolResult;
use crate::server::{ListedTool, ServerState};

impl Exchange {
    pub(super) fn missing(&self, name: &str) -> ToolResult {
        if self.catalogue.took_away(name) {
            return words::taken_away(name);
        }
        if self.unnamed(name, Exposure::Hidden).is_some() {
            return words::hidden(name);
        }
        // A name of an earlier exchange, or of the session that this one resumes.
        let names = self.session.names_given();
        let Some((server, raw_name)) = names.resolve(name) else {
            return match self.unnamed(name, Exposure::Direct) {
                Some((server, tool)) => later(name, &server, &tool),
                None => words::unknown(name),
            };
        };
        let Some((entry, view)) = self.session.running(server) else {
            return words::without_server(name, server);
        };
        let tool = view.tools.as_ref().map(|tools| tools.get(raw_name));
        match tool {
            Some(None) => words::gone(name, server),
            Some(_) if entry.exposure_of(raw_name) == Exposure::Hidden => words::hidden(name),
            Some(Some(tool)) => later(name, server, tool),
            None if view.state == ServerState::Connecting => words::connecting(name, server),
            None => match &view.failure {
                Some(failure) => words::unavailable(server, failure),
                None => words::gone(name, server),
            },
        }
    }

    /// The tool of this exposure that would have this name, were it named now, with its server. Hidden tools
    /// get no names in the session's table, so that none of them can take one from a tool that the
    /// model sees; those that were listed since the exchange began get theirs with the next one.
    fn unnamed(&self, name: &str, exposure: Exposure) -> Option<(Arc<str>, Arc<ListedTool>)> {
        let servers = self.session.listings();
        let tools: Vec<(&Arc<str>, &Arc<ListedTool>)> = servers
            .iter()
            .flat_map(|(server, entry, tools)| {
                let of_server = tools
                    .iter()
                    .filter(|tool| entry.exposure_of(&tool.raw_name) == exposure);
                of_server.map(move |tool| (server, tool))
            })
            .collect();
        let mut names = self.session.names_given();
        let given = names.assign(
            tools
                .iter()
                .map(|(server, tool)| (&***server, &*tool.raw_name)),
        );
        tools
            .iter()
            .zip(given)
            .find(|(_, given)| given.as_ref().is_ok_and(|given| given.as_str() == name))
            .map(|((server, tool), _)| (Arc::clone(server), Arc::clone(tool)))
    }
}

/// A tool that is listed, and was not when the exchange began; unless no exchange ever has it.
fn later(name: &str, server: &str, tool: &ListedTool) -> ToolResult {
    match tool.input.withheld() {
        Some(reason) => words::withheld(name, server, &reason.to_string()),
        None => words::later(name, server),
    }
}
