//! The handle that a host holds.

use std::sync::Arc;

use mcp_config::{Environment, Layer, Problem};
use mcp_naming::NameTable;
use thiserror::Error;

use super::builder::SessionBuilder;
use super::inner::Inner;
use crate::server::Command;
use crate::status::{ServerStatus, StatusChanges, ToolStatus};

/// One conversation's servers. A cheap clone; all clones are the same session.
///
/// Servers start in the background when an exchange begins and stay until
/// [`close`](Session::close). Dropping the last handle of a session and its exchanges, anywhere,
/// also outside a runtime, signals every connection to end at once: processes are killed. Only
/// `close` ends them in order and tells how.
///
/// ```
/// # async fn talk(arguments: &str) -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_config::Layer;
/// use mcp_session::Session;
///
/// let session = Session::builder().layers([Layer::user("mcp.json")]).base(".").build();
/// let exchange = session.begin_exchange().await?;
/// for tool in exchange.tools() {
///     println!("{}: {}", tool.name(), tool.input_schema());
/// }
/// let result = exchange.call("mcp__files__read", arguments).await;
/// println!("{}", result.text());
/// exchange.finish();
/// session.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    pub(super) inner: Arc<Inner>,
}

/// No running server has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no server named \"{server}\" is running")]
pub struct UnknownServer {
    /// The name that was given.
    pub server: String,
}

impl Session {
    /// A session to set up. Nothing starts before its first exchange.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    /// Where every configured server stands, by name.
    pub fn status(&self) -> Vec<ServerStatus> {
        let names = self.inner.names();
        names
            .iter()
            .filter_map(|name| self.inner.status_of(name))
            .collect()
    }

    /// Each change of a server's status from here on.
    pub fn changes(&self) -> StatusChanges {
        StatusChanges::new(&self.inner)
    }

    /// What the last beginning of an exchange found wrong, also where it failed.
    pub fn problems(&self) -> Vec<Problem> {
        self.inner.state().problems.clone()
    }

    /// Every tool that a server has listed, by server and in the server's order, hidden ones included.
    pub fn tools(&self) -> Vec<ToolStatus> {
        let names = self.inner.names_given();
        let listings = self.inner.listings();
        let tools = listings.iter().flat_map(|(server, entry, tools)| {
            let names = &names;
            tools
                .iter()
                .map(move |tool| ToolStatus::new(server, entry, tool, names))
        });
        tools.collect()
    }

    /// What a person should know about the schemas of every listed tool: what of them is not
    /// checked, and why. This compiles schemas that no call has used yet, so it is for a person who
    /// asks, not for each exchange.
    pub fn schema_notes(&self) -> Vec<(String, String)> {
        let listings = self.inner.listings();
        let notes = listings.iter().flat_map(|(server, _, tools)| {
            tools
                .iter()
                .flat_map(|tool| tool.schema_notes())
                .map(|note| (server.to_string(), note))
        });
        notes.collect()
    }

    /// Forgets what the server's commands printed and connects it again, in the background.
    pub fn refresh(&self, server: &str) -> Result<(), UnknownServer> {
        let state = self.inner.state();
        let Some(handle) = state.servers.get(server) else {
            return Err(UnknownServer {
                server: server.to_owned(),
            });
        };
        for command in handle.entry.commands() {
            self.inner
                .services
                .commands
                .forget(&command, &self.inner.settings.base);
        }
        handle.shared.tell(Command::Refresh);
        Ok(())
    }

    /// Other variables, from the next exchange on. Servers whose values use one that changed start
    /// anew. A command in a value gets them when it runs again; one that the host shares among
    /// sessions keeps the variables of its [`Commands`](crate::Commands).
    pub fn set_environment(&self, environment: Environment) {
        if self.inner.services.own_commands {
            self.inner
                .services
                .commands
                .set_environment(environment.clone());
        }
        self.inner.state().environment = environment;
    }

    /// Other layers, or the same with another trust, from the next exchange on.
    pub fn set_layers(&self, layers: impl IntoIterator<Item = Layer>) {
        self.inner.state().layers = layers.into_iter().collect();
    }

    /// The names that tools have had, to be saved with the conversation and given to
    /// [`SessionBuilder::names`] when it is resumed.
    pub fn name_table(&self) -> NameTable {
        self.inner.names_given()
    }
}
