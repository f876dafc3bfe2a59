//! The end of the beginning: the tools as the servers have them, as the plugins leave them, frozen.

use std::sync::Arc;

use mcp_config::Problem;

use super::begin::BeginError;
use super::inner::{Inner, State};
use crate::catalogue::{Catalogue, Offer, collect};
use crate::plugin::{Plugin, PromptBucket, ToolBucket};
use crate::settle::SettledServers;

/// A catalogue with what it was made of, to be used again while that is the same.
#[derive(Debug)]
pub(super) struct Frozen {
    offers: Vec<Offer>,
    catalogue: Arc<Catalogue>,
    problems: Vec<Problem>,
}

impl Frozen {
    fn is_of(&self, offers: &[Offer]) -> bool {
        self.offers.len() == offers.len()
            && self.offers.iter().zip(offers).all(|(old, new)| old.is(new))
    }
}

impl Inner {
    /// The catalogue and the prompt text.
    pub(super) fn freeze(
        &self,
        settled: &SettledServers,
        problems: &mut Vec<Problem>,
    ) -> Result<(Arc<Catalogue>, String), BeginError> {
        let edits = self
            .settings
            .plugins
            .iter()
            .any(|plugin| matches!(plugin, Plugin::Tool(_)));
        let catalogue = if edits {
            self.edited(settled, problems)?
        } else {
            self.plain(problems)
        };
        let prompt = self.prompt(settled, &catalogue, problems)?;
        Ok((catalogue, prompt))
    }

    /// The tools as the servers have them.
    fn plain(&self, problems: &mut Vec<Problem>) -> Arc<Catalogue> {
        let mut state = self.state();
        let offers = state.offers();
        let frozen = match state.frozen.take() {
            Some(frozen) if frozen.is_of(&offers) => frozen,
            _ => {
                let mut problems = Vec::new();
                let tools = collect(&offers, &mut state.names, &mut problems);
                Frozen {
                    offers,
                    catalogue: Arc::new(Catalogue::freeze(tools)),
                    problems,
                }
            }
        };
        problems.extend(frozen.problems.iter().cloned());
        let catalogue = Arc::clone(&frozen.catalogue);
        state.frozen = Some(frozen);
        catalogue
    }

    /// The tools as the plugins leave them.
    fn edited(
        &self,
        settled: &SettledServers,
        problems: &mut Vec<Problem>,
    ) -> Result<Arc<Catalogue>, BeginError> {
        let mut tools = {
            let mut state = self.state();
            let offers = state.offers();
            collect(&offers, &mut state.names, problems)
        };
        let offered: Vec<Arc<str>> = tools.keys().cloned().collect();
        for plugin in &self.settings.plugins {
            let Plugin::Tool(edits) = plugin else {
                continue;
            };
            let mut bucket = ToolBucket {
                tools: tools.clone(),
                settled,
                plugin: Arc::from(plugin.name()),
            };
            match edits.edit(&mut bucket) {
                Ok(()) => tools = bucket.tools,
                Err(source) => self.plugin_failed(plugin, source, problems)?,
            }
        }
        Ok(Arc::new(
            Catalogue::freeze(tools).without(offered.into_iter()),
        ))
    }

    fn prompt(
        &self,
        settled: &SettledServers,
        catalogue: &Catalogue,
        problems: &mut Vec<Problem>,
    ) -> Result<String, BeginError> {
        let mut text = String::new();
        for plugin in &self.settings.plugins {
            let Plugin::Prompt(edits) = plugin else {
                continue;
            };
            let mut bucket = PromptBucket {
                text: text.clone(),
                tools: catalogue.definitions(),
                settled,
            };
            match edits.edit(&mut bucket) {
                Ok(()) => text = bucket.text,
                Err(source) => self.plugin_failed(plugin, source, problems)?,
            }
        }
        Ok(text)
    }
}

impl State {
    /// Every server whose tools are known, also while its connection is being brought back.
    fn offers(&self) -> Vec<Offer> {
        let offers = self.servers.values().filter_map(|handle| {
            let tools = handle.shared.view().tools.clone()?;
            Some(Offer {
                server: Arc::clone(&handle.shared),
                entry: Arc::clone(&handle.entry),
                tools,
            })
        });
        offers.collect()
    }
}
