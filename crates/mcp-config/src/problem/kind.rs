//! The problem type.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::escape::escape_terminal;
use super::short::cut;
use crate::document::{Excerpt, JsonPath, Position};

/// How many characters a message or an advice may have.
const MAX_TEXT: usize = 600;

/// How bad a problem is.
///
/// ```
/// use mcp_config::Severity;
///
/// assert_eq!(Severity::Error.to_string(), "error");
/// assert!(Severity::Error < Severity::Warning);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// Something does not work as written.
    Error,
    /// Something works, though perhaps not as meant.
    Warning,
}

/// One thing that is wrong.
///
/// It never holds the text of a credential. It serialises as
/// `{"severity","file","line","column","path","message","help"}`, with `null` for what is not known.
///
/// ```
/// use mcp_config::{Problem, document::JsonPath};
///
/// let path = JsonPath::root().member("mcpServers").member("a");
/// let problem = Problem::error("neither `command` nor `url`")
///     .with_path(&path)
///     .with_help("add one of them");
/// assert_eq!(
///     problem.to_string(),
///     "error: mcpServers.a: neither `command` nor `url`; add one of them",
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Problem {
    severity: Severity,
    file: Option<Arc<Path>>,
    position: Option<Position>,
    path: Option<JsonPath>,
    server: Option<Arc<str>>,
    message: String,
    help: Option<String>,
    excerpt: Option<Box<Excerpt>>,
}

impl Problem {
    pub(crate) fn new(severity: Severity, message: impl Into<String>) -> Self {
        Problem {
            severity,
            file: None,
            position: None,
            path: None,
            server: None,
            message: cut(&message.into(), MAX_TEXT).into_owned(),
            help: None,
            excerpt: None,
        }
    }

    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Problem::new(Severity::Error, message)
    }

    /// A warning without a place.
    pub fn warning(message: impl Into<String>) -> Self {
        Problem::new(Severity::Warning, message)
    }

    /// The same as a warning: for what is wrong here and now, and may be right where it matters.
    ///
    /// ```
    /// use mcp_config::{Problem, Severity};
    ///
    /// assert_eq!(Problem::error("TOKEN is not set").as_warning().severity(), Severity::Warning);
    /// ```
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(cut(&help.into(), MAX_TEXT).into_owned());
        self
    }

    /// Adds the path of the value; the path of the whole document is none.
    #[must_use]
    pub fn with_path(mut self, path: &JsonPath) -> Self {
        self.path = Some(path.clone()).filter(|path| !path.as_str().is_empty());
        self
    }

    /// Adds the server that it concerns.
    #[must_use]
    pub fn with_server(mut self, server: &str) -> Self {
        self.server = Some(server.into());
        self
    }

    pub(crate) fn with_shared_server(mut self, server: &Arc<str>) -> Self {
        self.server = Some(Arc::clone(server));
        self
    }

    /// Adds the file that it concerns.
    #[must_use]
    pub fn in_file(mut self, file: impl AsRef<Path>) -> Self {
        self.file = Some(file.as_ref().into());
        self
    }

    pub(crate) fn at(mut self, file: Arc<Path>, position: Position) -> Self {
        self.file = Some(file);
        self.position = Some(position);
        self
    }

    /// The problem without file, position and excerpt, for texts that are no files.
    pub(crate) fn without_place(self) -> Self {
        Problem {
            file: None,
            position: None,
            excerpt: None,
            ..self
        }
    }

    pub(crate) fn with_excerpt(mut self, excerpt: Excerpt) -> Self {
        self.excerpt = Some(Box::new(excerpt));
        self
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The file.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The line, from 1.
    pub fn line(&self) -> Option<u32> {
        self.position.map(|position| position.line)
    }

    /// The column in characters, from 1.
    pub fn column(&self) -> Option<u32> {
        self.position.map(|position| position.column)
    }

    /// The path of the value in the document.
    pub fn path(&self) -> Option<&str> {
        self.path.as_ref().map(JsonPath::as_str)
    }

    /// The server that it concerns.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// What is wrong: a fragment that begins in lower case.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The line of the file, with what may be a credential hidden.
    pub fn excerpt(&self) -> Option<&Excerpt> {
        self.excerpt.as_deref()
    }

    /// `file:line:column`, as far as it is known.
    pub(super) fn place(&self) -> Option<String> {
        let file = self.file.as_ref()?.display();
        Some(match self.position {
            Some(Position { line, column }) => format!("{file}:{line}:{column}"),
            None => file.to_string(),
        })
    }
}

/// One line, safe for a terminal: `file:line:column: error: path: message; help`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place() {
            write!(f, "{}: ", escape_terminal(&place))?;
        }
        write!(f, "{}: ", self.severity)?;
        if let Some(path) = self.path() {
            write!(f, "{}: ", escape_terminal(path))?;
        }
        f.write_str(&escape_terminal(&self.message))?;
        match &self.help {
            Some(help) => write!(f, "; {}", escape_terminal(help)),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Problem({self})")
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// The form that tools read.
#[derive(Serialize)]
struct Report<'a> {
    severity: Severity,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    path: Option<&'a str>,
    message: &'a str,
    help: Option<&'a str>,
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Report {
            severity: self.severity,
            file: self.file().map(|file| file.display().to_string()),
            line: self.line(),
            column: self.column(),
            path: self.path(),
            message: &self.message,
            help: self.help(),
        }
        .serialize(serializer)
    }
}
