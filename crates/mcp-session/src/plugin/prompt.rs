//! What plugins of the prompt domain edit.

use crate::catalogue::ToolDefinition;
use crate::settle::SettledServers;

/// The exchange's prompt text, beside the tools it is about.
#[derive(Debug)]
pub struct PromptBucket<'a> {
    pub(crate) text: String,
    pub(crate) tools: &'a [ToolDefinition],
    pub(crate) settled: &'a SettledServers,
}

impl PromptBucket<'_> {
    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Puts `text` in the place of what is there.
    pub fn set(&mut self, text: impl Into<String>) {
        self.text = text.into();
    }

    /// Adds a paragraph.
    pub fn extend(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
    }

    /// The tools of the exchange, in their order.
    pub fn tools(&self) -> &[ToolDefinition] {
        self.tools
    }

    /// The servers of the exchange.
    pub fn settled(&self) -> &SettledServers {
        self.settled
    }
}
