//! The handle of an exchange.

use std::sync::Arc;

use mcp_config::Problem;

use crate::catalogue::{Catalogue, ToolDefinition};
use crate::session::{Inner, OpenExchange};
use crate::settle::SettledServers;

/// One user turn with the model's whole tool loop. Its tools are frozen; it ends when the handle is
/// finished or dropped, and only then can the next one begin. Share it behind an `Arc` for calls
/// side by side.
///
/// ```
/// # async fn turn(session: mcp_session::Session) -> Result<(), mcp_session::BeginError> {
/// let exchange = std::sync::Arc::new(session.begin_exchange().await?);
/// let call = |name: &'static str| {
///     let exchange = exchange.clone();
///     async move { exchange.call(name, "{}").await }
/// };
/// let (files, time) = tokio::join!(call("mcp__files__list"), call("mcp__clock__now"));
/// assert!(!files.text().is_empty() && !time.text().is_empty(), "a call always has a result");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Exchange {
    pub(super) session: Arc<Inner>,
    pub(super) catalogue: Arc<Catalogue>,
    pub(super) settled: SettledServers,
    prompt: String,
    problems: Vec<Problem>,
    open: OpenExchange,
}

impl Exchange {
    pub(crate) fn new(
        session: Arc<Inner>,
        catalogue: Arc<Catalogue>,
        settled: SettledServers,
        prompt: String,
        problems: Vec<Problem>,
        open: OpenExchange,
    ) -> Exchange {
        Exchange {
            session,
            catalogue,
            settled,
            prompt,
            problems,
            open,
        }
    }

    /// The tools for the model, in an order that depends on their names alone.
    pub fn tools(&self) -> &[ToolDefinition] {
        self.catalogue.definitions()
    }

    /// A hash that changes exactly when what the model sees of the tools does.
    pub fn revision(&self) -> &str {
        self.catalogue.revision()
    }

    /// The text that the prompt plugins made; empty without any.
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// What was wrong with files, entries, plugins, lists and names; none of it kept the rest from
    /// working.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The servers as layers and plugins settled them.
    pub fn settled(&self) -> &SettledServers {
        &self.settled
    }

    /// Ends the exchange, as dropping it does. Servers stay connected.
    pub fn finish(self) {
        drop(self.open);
    }
}
