//! A name that the catalogue does not have: why not, as far as the session knows.

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
        if self.hides(name) {
            return words::hidden(name);
        }
        // A name of an earlier exchange, or of the session that this one resumes.
        let names = self.session.names_given();
        let Some((server, raw_name)) = names.resolve(name) else {
            return words::unknown(name);
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

    /// Whether a hidden tool would have this name, were it shown. Hidden tools get no names in the
    /// session's table, so that none of them can take one from a tool that the model sees.
    fn hides(&self, name: &str) -> bool {
        let servers = self.session.listings();
        let hidden = servers.iter().flat_map(|(server, entry, tools)| {
            let of_server = tools
                .iter()
                .filter(|tool| entry.exposure_of(&tool.raw_name) == Exposure::Hidden);
            of_server.map(move |tool| (&**server, &*tool.raw_name))
        });
        let mut names = self.session.names_given();
        names
            .assign(hidden)
            .iter()
            .flatten()
            .any(|given| given.as_str() == name)
    }
}
