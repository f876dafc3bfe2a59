//! The beginning of an exchange, step by step: read, settle, reconcile, wait, freeze.

use std::sync::{Arc, PoisonError};

use mcp_config::{Config, Problem};
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

use super::handle::Session;
use super::inner::Inner;
use super::open::OpenExchange;
use crate::catalogue::Catalogue;
use crate::exchange::Exchange;
use crate::plugin::{Domain, Plugin, PluginError, PluginFailures};
use crate::settle::{ServerBucket, SettledServers};

/// Why an exchange did not begin.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BeginError {
    /// An exchange of this session is open.
    #[error("an exchange of this session is still open; finish or drop it first")]
    AlreadyOpen,
    /// The session is closed.
    #[error("the session is closed")]
    Closed,
    /// A plugin failed.
    #[error("plugin \"{name}\" of the {domain} domain failed")]
    Plugin {
        /// The plugin's name.
        name: String,
        /// Its domain.
        domain: Domain,
        /// What it met.
        source: PluginError,
    },
    /// The configuration could not be read because the runtime is shutting down.
    #[error("the configuration could not be read")]
    Read(#[source] tokio::task::JoinError),
}

impl Session {
    /// Begins an exchange: reads the layers, starts, restarts, reconnects and stops servers in the
    /// background, waits a while for the direct ones that it starts, and freezes the tools.
    ///
    /// Bad files and entries are problems of the exchange, not errors. Dropping the future leaves
    /// no exchange open; servers that it started go on connecting.
    pub async fn begin_exchange(&self) -> Result<Exchange, BeginError> {
        let inner = &self.inner;
        let open = OpenExchange::mark(&inner.open).ok_or(BeginError::AlreadyOpen)?;
        let mut problems = Vec::new();
        let begun = inner.begin(&mut problems).await;
        inner.state().problems.clone_from(&problems);
        let (settled, catalogue, prompt) = begun?;
        Ok(Exchange::new(
            Arc::clone(inner),
            catalogue,
            settled,
            prompt,
            problems,
            open,
        ))
    }
}

impl Inner {
    async fn begin(
        &self,
        problems: &mut Vec<Problem>,
    ) -> Result<(SettledServers, Arc<Catalogue>, String), BeginError> {
        let config = self.read().await?;
        problems.extend_from_slice(config.problems());
        let settled = self.settle(&config, problems)?;
        let started = self.apply(&settled)?;
        self.wait(started).await;
        if self.closing.is_cancelled() {
            return Err(BeginError::Closed);
        }
        let (catalogue, prompt) = self.freeze(&settled, problems)?;
        Ok((settled, catalogue, prompt))
    }

    /// Reads the files on a thread that may block.
    async fn read(&self) -> Result<Config, BeginError> {
        if self.closing.is_cancelled() {
            return Err(BeginError::Closed);
        }
        let (reader, layers) = (Arc::clone(&self.reader), self.state().layers.clone());
        let load = move || {
            reader
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .load(&layers)
        };
        tokio::task::spawn_blocking(load)
            .await
            .map_err(BeginError::Read)
    }

    fn settle(
        &self,
        config: &Config,
        problems: &mut Vec<Problem>,
    ) -> Result<SettledServers, BeginError> {
        let mut bucket = ServerBucket::new(config);
        for plugin in &self.settings.plugins {
            let Plugin::Mcp(edits) = plugin else { continue };
            let mut edited = bucket.clone();
            edited.edited_by(plugin.name());
            match edits.edit(&mut edited) {
                Ok(()) => bucket = edited,
                Err(source) => self.plugin_failed(plugin, source, problems)?,
            }
        }
        let (settled, found) = bucket.settle();
        problems.extend(found);
        Ok(settled)
    }

    /// An error, or a problem where the host wants to go on without the plugin.
    pub(super) fn plugin_failed(
        &self,
        plugin: &Plugin,
        source: PluginError,
        problems: &mut Vec<Problem>,
    ) -> Result<(), BeginError> {
        let error = BeginError::Plugin {
            name: plugin.name().to_owned(),
            domain: plugin.domain(),
            source,
        };
        match self.settings.plugin_failures {
            PluginFailures::Fail => Err(error),
            PluginFailures::Skip => {
                problems.push(Problem::error(format!(
                    "{}; its edits are left out",
                    crate::server::chain(&error)
                )));
                Ok(())
            }
        }
    }

    /// Waits until each of these attempts has ended, but no longer than the session's limit for all
    /// of them.
    async fn wait(&self, started: Vec<oneshot::Receiver<()>>) {
        let deadline = Instant::now() + self.settings.initial_wait;
        for attempt in started {
            // An attempt whose owner has gone is over as well.
            if timeout_at(deadline, attempt).await.is_err() {
                return;
            }
        }
    }
}
