//! Which tools the model may see.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

/// Whether the model sees a tool.
///
/// ```
/// use mcp_config::Exposure;
///
/// assert_eq!(Exposure::default().to_string(), "direct");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
#[schemars(description = "Whether the model sees a tool.")]
pub enum Exposure {
    /// Declared to the model.
    #[default]
    Direct,
    /// Kept away from the model.
    Hidden,
}

impl Exposure {
    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "direct" => Some(Exposure::Direct),
            "hidden" => Some(Exposure::Hidden),
            _ => None,
        }
    }

    /// The word for it in a file.
    pub fn as_str(self) -> &'static str {
        match self {
            Exposure::Direct => "direct",
            Exposure::Hidden => "hidden",
        }
    }
}

impl fmt::Display for Exposure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Exposures of single tools, by their raw names or by patterns with `*` and `?`, in the order of the file.
///
/// ```
/// use mcp_config::{Exposure, ToolExposure};
///
/// let tools: ToolExposure =
///     [("read_*", Exposure::Direct), ("*", Exposure::Hidden), ("write", Exposure::Direct)].into_iter().collect();
/// assert_eq!(tools.get("read_file"), Some(Exposure::Direct));
/// assert_eq!(tools.get("write"), Some(Exposure::Direct));
/// assert_eq!(tools.rule_for("delete"), Some(("*", Exposure::Hidden)));
/// assert_eq!(tools.unmatched(&["read_file", "delete"]), ["write"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolExposure {
    rules: Arc<[(String, Exposure)]>,
}

impl ToolExposure {
    /// The exposure of a tool: an exact name wins, then the first pattern that matches.
    pub fn get(&self, raw_tool: &str) -> Option<Exposure> {
        self.rule_for(raw_tool).map(|(_, exposure)| exposure)
    }

    /// The name or pattern that decides about a tool, as it is written, with what it says.
    pub fn rule_for(&self, raw_tool: &str) -> Option<(&str, Exposure)> {
        let exact = self.rules().find(|(name, _)| *name == raw_tool);
        exact.or_else(|| self.rules().find(|(rule, _)| matches(rule, raw_tool)))
    }

    /// Names and patterns with their exposures, in the order of the file.
    pub fn rules(&self) -> impl Iterator<Item = (&str, Exposure)> {
        self.rules
            .iter()
            .map(|(rule, exposure)| (rule.as_str(), *exposure))
    }

    /// The rules that no tool of a server answers to, by the raw names of all its tools: perhaps misspelt.
    pub fn unmatched(&self, raw_tools: &[&str]) -> Vec<&str> {
        let answers = |rule: &str| {
            raw_tools
                .iter()
                .any(|tool| rule == *tool || matches(rule, tool))
        };
        self.rules()
            .map(|(rule, _)| rule)
            .filter(|rule| !answers(rule))
            .collect()
    }

    /// Whether there is no rule.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

impl<S: Into<String>> FromIterator<(S, Exposure)> for ToolExposure {
    fn from_iter<I: IntoIterator<Item = (S, Exposure)>>(rules: I) -> Self {
        let rules = rules
            .into_iter()
            .map(|(rule, exposure)| (rule.into(), exposure));
        ToolExposure {
            rules: rules.collect(),
        }
    }
}

/// Greedy matching that goes back to the last `*` only, so that it takes time in proportion to both lengths.
fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(c) = name.get(seen) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(p) if *p == '?' || p == c => {
                at += 1;
                seen += 1;
            }
            _ => match star {
                Some((star_at, star_seen)) => {
                    star = Some((star_at, star_seen + 1));
                    at = star_at + 1;
                    seen = star_seen + 1;
                }
                None => return false,
            },
        }
    }
    pattern
        .get(at..)
        .unwrap_or_default()
        .iter()
        .all(|p| *p == '*')
}
