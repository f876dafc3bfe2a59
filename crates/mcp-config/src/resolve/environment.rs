//! A snapshot of an environment.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;

/// The host's environment at one moment. This crate never reads the process's own; a host passes it in.
///
/// ```
/// use mcp_config::Environment;
///
/// let environment: Environment = [("HOME", "/home/demo"), ("EMPTY", "")].into_iter().collect();
/// assert_eq!(environment.get("HOME"), Some("/home/demo"));
/// assert_eq!(environment.get("EMPTY"), Some(""));
/// assert_eq!(environment.get("UNSET"), None);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// An environment without variables.
    pub fn new() -> Self {
        Environment::default()
    }

    /// The same environment with one variable set.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// The same environment with one variable unset.
    #[must_use]
    pub fn without(mut self, name: impl AsRef<OsStr>) -> Self {
        self.variables.remove(name.as_ref());
        self
    }

    /// The value of a variable, if it is set and Unicode.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.get_os(name).and_then(OsStr::to_str)
    }

    /// The value of a variable, if it is set.
    pub fn get_os(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        self.variables.get(name.as_ref()).map(OsString::as_os_str)
    }

    /// All variables, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        let variables = variables
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()));
        Environment {
            variables: variables.collect(),
        }
    }
}

/// Values may be credentials, so only names show.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Environment")?;
        f.debug_set().entries(self.variables.keys()).finish()
    }
}
