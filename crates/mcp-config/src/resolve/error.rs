//! Why an entry cannot be resolved. No error holds a value.

use std::fmt;

use super::outputs::CommandFailure;
use crate::entry::Origin;
use crate::problem::Problem;

/// One value that cannot be resolved.
///
/// ```
/// use mcp_config::ResolveError;
///
/// let error = ResolveError::Unset { variable: "TOKEN".to_owned() };
/// assert_eq!(error.to_string(), "environment variable TOKEN is not set");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// A variable that has no default is not set.
    #[error("environment variable {variable} is not set")]
    Unset {
        /// The variable.
        variable: String,
    },
    /// A variable with `:?` is not set, or empty.
    #[error("environment variable {variable} is not set: {message}")]
    Required {
        /// The variable.
        variable: String,
        /// The message that the file gives.
        message: String,
    },
    /// A variable is set to something that is not Unicode.
    #[error("environment variable {variable} is not valid Unicode")]
    NotUnicode {
        /// The variable.
        variable: String,
    },
    /// A header resolved to nothing.
    #[error("the header is empty{}", blame(variables))]
    EmptyHeader {
        /// The variables that are empty.
        variables: Vec<String>,
    },
    /// A header resolved to an authentication scheme without credentials.
    #[error(
        "the header is only `{scheme}`, without a credential{}",
        blame(variables)
    )]
    BareScheme {
        /// The scheme.
        scheme: String,
        /// The variables that are empty.
        variables: Vec<String>,
    },
    /// A header resolved to something with a character that headers must not have.
    #[error("the header contains {what}, which a header must not")]
    InvalidHeader {
        /// The kind of character.
        what: &'static str,
    },
    /// A value of `env` resolved to something with a NUL character.
    #[error("the value contains a NUL character")]
    NulInEnv,
    /// A command failed.
    #[error("{0}")]
    CommandFailed(CommandFailure),
    /// The outcome of a command was not given.
    #[error("the command has not been run")]
    CommandNotRun,
    /// `~/` cannot be expanded.
    #[error("`~/` needs the environment variable HOME, which is not set")]
    NoHome,
}

fn blame(variables: &[String]) -> String {
    if variables.is_empty() {
        String::new()
    } else {
        format!(" (empty: {})", variables.join(", "))
    }
}

/// All that stands in the way of one entry, each with its key and where that was written.
///
/// ```
/// use std::path::Path;
///
/// use mcp_config::{Environment, Origin, Outputs, ServerEntry};
///
/// let json = r#"{ "command": "srv", "env": { "A": "${TOKEN}" } }"#;
/// let (entry, _) = ServerEntry::parse("a", json, &Origin::plugin("demo"));
/// let entry = entry.expect("the entry is right");
/// let errors = entry.resolve(&Environment::new(), &Outputs::new(), Path::new("/")).expect_err("unset");
/// assert_eq!(errors.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["env.A"]);
/// assert_eq!(errors.problems()[0].path(), Some("mcpServers.a.env.A"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveErrors {
    pub(super) server: String,
    pub(super) errors: Vec<KeyedError>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyedError {
    /// Such as `env.TOKEN` or `headers.Authorization`.
    pub(super) key: String,
    pub(super) path: crate::document::JsonPath,
    pub(super) origin: Origin,
    pub(super) error: ResolveError,
}

impl ResolveErrors {
    /// The server.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The keys, such as `headers.Authorization`, and what is wrong with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ResolveError)> {
        self.errors
            .iter()
            .map(|keyed| (keyed.key.as_str(), &keyed.error))
    }

    /// The errors as problems with the places of the values.
    pub fn problems(&self) -> Vec<Problem> {
        let problem = |keyed: &KeyedError| {
            let problem = Problem::error(keyed.error.to_string())
                .with_path(&keyed.path)
                .with_server(&self.server);
            let problem = match help(&keyed.error) {
                Some(help) => problem.with_help(help),
                None => problem,
            };
            keyed.origin.place(problem)
        };
        self.errors.iter().map(problem).collect()
    }
}

fn help(error: &ResolveError) -> Option<String> {
    let variable = match error {
        ResolveError::Unset { variable } => variable,
        ResolveError::EmptyHeader { .. } | ResolveError::BareScheme { .. } => {
            return Some("set the variable, or remove the header".to_owned());
        }
        ResolveError::InvalidHeader { .. } => {
            return Some("look for a stray line break or character in the value".to_owned());
        }
        ResolveError::NulInEnv => return Some("no variable can hold one".to_owned()),
        _ => return None,
    };
    Some(match variable.as_str() {
        "workspaceFolder" | "workspaceRoot" | "extensionPath" | "userHome"
        | "CLAUDE_PLUGIN_ROOT" => {
            format!(
                "${{{variable}}} is another program's; write the path, or leave `cwd` out for the project's directory"
            )
        }
        "env" => "references are written ${NAME}, not $env:NAME".to_owned(),
        _ => format!(
            "set it, or give a default: ${{{variable}:-…}}; for a plain dollar sign write $$"
        ),
    })
}

/// One line: `server "r": headers.Authorization: environment variable X is not set`.
impl fmt::Display for ResolveErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "server {:?}: ", self.server)?;
        for (index, keyed) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{}: {}", keyed.key, keyed.error)?;
        }
        Ok(())
    }
}

impl std::error::Error for ResolveErrors {}
