//! A name that the catalogue does not have: why not, as far as the session knows.

use std::sync::Arc;

use mcp_config::Exposure;

use super::handle::Exchange;
use super::words;
use crate::result::ToolResult;
use crate::server::ServerState;

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
                Some(server) => words::later(name, &server),
                None => words::unknown(name),
            };
        };
        let Some((entry, view)) = self.session.running(server) else {
            return words::without_server(name, server);
        };
        match &view.tools {
            Some(tools) if tools.get(raw_name).is_none() => words::gone(name, server),
            Some(_) if entry.exposure_of(raw_name) == Exposure::Hidden => words::hidden(name),
            Some(_) => words::later(name, server),
            None if view.state == ServerState::Connecting => words::connecting(name, server),
            None => match &view.failure {
                Some(failure) => words::unavailable(server, failure),
                None => words::gone(name, server),
            },
        }
    }

    /// The server whose tool of this exposure would have this name, were it named now. Hidden tools
    /// get no names in the session's table, so that none of them can take one from a tool that the
    /// model sees; those that were listed since the exchange began get theirs with the next one.
    fn unnamed(&self, name: &str, exposure: Exposure) -> Option<Arc<str>> {
        let servers = self.session.listings();
        let tools: Vec<(&Arc<str>, &str)> = servers
            .iter()
            .flat_map(|(server, entry, tools)| {
                let of_server = tools
                    .iter()
                    .filter(|tool| entry.exposure_of(&tool.raw_name) == exposure);
                of_server.map(move |tool| (server, &*tool.raw_name))
            })
            .collect();
        let mut names = self.session.names_given();
        let given = names.assign(
            tools
                .iter()
                .map(|(server, raw_name)| (&***server, *raw_name)),
        );
        tools
            .iter()
            .zip(given)
            .find(|(_, given)| given.as_ref().is_ok_and(|given| given.as_str() == name))
            .map(|((server, _), _)| Arc::clone(server))
    }
}
