//! Where a value comes from.

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::exposure::{Exposure, ToolExposure};
use crate::document::Position;
use crate::problem::{Problem, escape_terminal};
use crate::secret::MASK;
use crate::template::Template;

/// The layer that a value comes from, and its place in the layer's file. Displays as `user: /path/mcp.json:3:5`.
///
/// ```
/// use mcp_config::Origin;
///
/// assert_eq!(Origin::plugin("tenant").to_string(), "plugin tenant");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Origin {
    layer: Arc<str>,
    file: Option<Arc<Path>>,
    position: Option<Position>,
}

impl Origin {
    /// The origin of what a plugin sets.
    pub fn plugin(name: &str) -> Self {
        Origin::layer_only(&format!("plugin {name}"))
    }

    /// The origin of what does not come from a file.
    pub fn layer_only(layer: &str) -> Self {
        Origin {
            layer: layer.into(),
            file: None,
            position: None,
        }
    }

    pub(crate) fn in_file(layer: Arc<str>, file: Arc<Path>, position: Position) -> Self {
        Origin {
            layer,
            file: Some(file),
            position: Some(position),
        }
    }

    /// The name of the layer.
    pub fn layer(&self) -> &str {
        &self.layer
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

    /// The problem, at this place.
    pub(crate) fn place(&self, problem: Problem) -> Problem {
        match (&self.file, self.position) {
            (Some(file), Some(position)) => problem.at(Arc::clone(file), position),
            _ => problem,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape_terminal(&self.layer))?;
        if let Some(file) = &self.file {
            write!(f, ": {}", escape_terminal(&file.display().to_string()))?;
        }
        match self.position {
            Some(Position { line, column }) => write!(f, ":{line}:{column}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Origin({self})")
    }
}

/// A value that knows where it comes from, and what it took the place of.
///
/// ```
/// use mcp_config::{Origin, ServerEntry, Transport};
///
/// let (entry, _) = ServerEntry::parse("a", r#"{ "url": "https://host.invalid" }"#, &Origin::plugin("demo"));
/// let entry = entry.expect("the entry is right");
/// let Transport::Http(http) = entry.transport() else { unreachable!("a URL means http") };
/// assert_eq!(http.url().as_str(), "https://host.invalid");
/// assert_eq!(http.url().origin().layer(), "plugin demo");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Sourced<T> {
    value: T,
    origin: Origin,
    shadowed: Option<Origin>,
}

impl<T> Sourced<T> {
    pub(crate) fn new(value: T, origin: Origin) -> Self {
        Sourced {
            value,
            origin,
            shadowed: None,
        }
    }

    /// The same value, as one that took the place of another.
    pub(crate) fn shadowing(mut self, other: Option<&Sourced<T>>) -> Self {
        self.shadowed = other.map(|other| other.origin.clone());
        self
    }

    /// The same value as one that comes from elsewhere.
    pub(crate) fn with_origin(self, origin: &Origin) -> Self {
        Sourced {
            origin: origin.clone(),
            ..self
        }
    }

    /// Where the value comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Where the value that it took the place of comes from.
    pub fn shadowed(&self) -> Option<&Origin> {
        self.shadowed.as_ref()
    }
}

/// What `Debug` may show of a value.
pub(crate) trait Showable {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// Commands, arguments and URLs may hold credentials; the entry that holds them shows them masked.
impl Showable for String {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MASK}")
    }
}

macro_rules! shows_itself {
    ($($kind:ty),*) => {
        $(impl Showable for $kind {
            fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        })*
    };
}

shows_itself!(bool, Duration, Exposure, Template, ToolExposure);

impl<T: Showable> fmt::Debug for Sourced<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.show(f)?;
        write!(f, " ({})", self.origin)
    }
}

impl<T> Deref for Sourced<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
