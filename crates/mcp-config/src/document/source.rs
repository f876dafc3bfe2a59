//! A text with the name of its file, from which problems are made.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::excerpt::Excerpt;
use super::path::JsonPath;
use super::sensitive;
use super::span::Span;
use crate::problem::{Problem, Severity};

/// The text of one file; cloning it is cheap.
///
/// Problems made from it show the line they are about. What may be a credential is hidden there: strings that are
/// not member names, comments, long words. [`Source::unmasked`] gives a source that hides nothing.
///
/// ```
/// use mcp_config::{Severity, document::{self, JsonPath}};
///
/// let document = document::parse("t", b"{ a: 'tok-123' }").document.expect("an object");
/// let (source, a) = (document.source(), document.root().get("a").expect("a member"));
/// let problem = source.problem(Severity::Warning, a.span(), &JsonPath::root().member("a"), "too short");
/// assert_eq!(problem.excerpt().expect("a line").text(), "{ a: '***' }");
/// ```
#[derive(Clone)]
pub struct Source {
    inner: Arc<Inner>,
    /// The starts of strings that are known to be harmless, sorted.
    shown: Arc<[u32]>,
    masked: bool,
}

struct Inner {
    file: Arc<Path>,
    text: String,
    hidden: OnceLock<Vec<(u32, u32)>>,
}

impl Source {
    pub(super) fn new(file: &Path, text: String) -> Self {
        let inner = Inner {
            file: file.into(),
            text,
            hidden: OnceLock::new(),
        };
        Source {
            inner: Arc::new(inner),
            shown: Arc::default(),
            masked: true,
        }
    }

    /// The file's name as the reader was given it.
    pub fn file(&self) -> &Path {
        &self.inner.file
    }

    pub(crate) fn shared_file(&self) -> Arc<Path> {
        Arc::clone(&self.inner.file)
    }

    pub(crate) fn text(&self) -> &str {
        &self.inner.text
    }

    /// A source whose excerpts hide nothing, for files that hold no credentials.
    #[must_use]
    pub fn unmasked(&self) -> Self {
        Source {
            masked: false,
            ..self.clone()
        }
    }

    /// A source whose excerpts show these values too.
    pub(crate) fn showing(&self, values: impl IntoIterator<Item = Span>) -> Self {
        // Hidden are the insides of strings; words have no quotes.
        let starts = values
            .into_iter()
            .flat_map(|span| [span.start, span.start + 1]);
        let shown: BTreeSet<u32> = starts.collect();
        Source {
            shown: shown.into_iter().collect(),
            ..self.clone()
        }
    }

    /// The line of a stretch of this text.
    pub(crate) fn excerpt(&self, span: Span) -> Excerpt {
        let hidden = if self.masked {
            self.inner
                .hidden
                .get_or_init(|| sensitive::hidden_ranges(self.text()))
        } else {
            &Vec::new()
        };
        Excerpt::cut(self.text(), span, hidden, &self.shown)
    }

    /// A problem about a stretch of this text.
    pub fn problem(
        &self,
        severity: Severity,
        span: Span,
        path: &JsonPath,
        message: impl Into<String>,
    ) -> Problem {
        let excerpt = self.excerpt(span);
        Problem::new(severity, message)
            .at(self.shared_file(), span.position())
            .with_path(path)
            .with_excerpt(excerpt)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("file", &self.inner.file)
            .field("bytes", &self.inner.text.len())
            .finish_non_exhaustive()
    }
}
