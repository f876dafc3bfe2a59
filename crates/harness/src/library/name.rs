//! The name of a scenario, and the filters that pick some of them.

use std::fmt;

/// `<suite>/<scenario>`: the folder and the file of a scenario, and its name as a trial.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScenarioName(String);

impl ScenarioName {
    /// The name of the scenario in `<suite>/<stem>.<extension>`.
    pub(crate) fn new(suite: &str, stem: &str) -> ScenarioName {
        ScenarioName(format!("{suite}/{stem}"))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ScenarioName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which trials to run.
///
/// ```
/// use mcp_harness::library::Filter;
///
/// let some = Filter { text: Some("crash".into()), exact: false };
/// assert!(some.takes("mcp.session/crash-in-a-call"));
/// assert!(!Filter { exact: true, ..some }.takes("mcp.session/crash-in-a-call"));
/// assert!(Filter::default().takes("anything"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Part of the name, or nothing for all.
    pub text: Option<String>,
    /// The text is the whole name.
    pub exact: bool,
}

impl Filter {
    /// Whether a trial of this name is wanted.
    pub fn takes(&self, name: &str) -> bool {
        match &self.text {
            None => true,
            Some(text) if self.exact => name == text,
            Some(text) => name.contains(text),
        }
    }
}
