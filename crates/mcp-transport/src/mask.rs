//! Hides secret values in text that a server wrote before a person or a log sees it.
//! What the model sees is not masked; which values are secret is the caller's business.

use std::borrow::Cow;
use std::fmt;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem::Finder;

const PLACEHOLDER: &str = "[SECRET]";
/// A line of a longer secret is only worth hiding where it says something.
const SHORTEST_LINE: usize = 6;

/// The values that must not be shown: each is replaced by `[SECRET]`.
///
/// A value is also found where it is escaped inside JSON or a URL, and a value of several lines also line by line,
/// since standard error is shown by lines.
///
/// ```
/// use mcp_transport::Mask;
///
/// let mask = Mask::new(["hunter22"]);
/// assert_eq!(mask.apply("login hunter22 refused"), "login [SECRET] refused");
/// assert_eq!(format!("{mask:?}"), "Mask(1 values)");
/// ```
#[derive(Clone, Default)]
pub struct Mask(Option<Arc<Values>>);

struct Values {
    /// How many values were given; the needles below may be more.
    count: usize,
    needles: Vec<Finder<'static>>,
}

impl Mask {
    /// Hides each of these values. Empty ones are left out.
    pub fn new<I>(values: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let values: Vec<String> = values
            .into_iter()
            .map(Into::into)
            .filter(|value: &String| !value.is_empty())
            .collect();
        if values.is_empty() {
            return Self(None);
        }
        let mut needles: Vec<String> = values.iter().flat_map(|value| forms(value)).collect();
        needles.sort_unstable();
        needles.dedup();
        Self(Some(Arc::new(Values {
            count: values.len(),
            needles: needles
                .iter()
                .map(|needle| Finder::new(needle.as_bytes()).into_owned())
                .collect(),
        })))
    }

    /// The text with each hidden value replaced.
    pub fn apply<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let ranges = self.ranges(text);
        if ranges.is_empty() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(replace(text, &ranges, text.len()))
    }

    /// The first `limit` bytes of the text, masked as the whole text would be: a value that begins before
    /// the limit is hidden entirely, also where it ends behind it.
    pub(crate) fn apply_prefix(&self, text: &str, limit: usize) -> String {
        replace(text, &self.ranges(text), limit.min(text.len()))
    }

    /// How far a value can reach beyond a cut.
    #[cfg(feature = "stdio")]
    pub(crate) fn longest(&self) -> usize {
        let needles = self.0.iter().flat_map(|values| &values.needles);
        needles
            .map(|needle| needle.needle().len())
            .max()
            .unwrap_or(0)
    }

    /// Where hidden values stand, in order and without overlaps.
    fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let Some(values) = &self.0 else {
            return Vec::new();
        };
        let mut found: Vec<Range<usize>> = Vec::new();
        for needle in &values.needles {
            let length = needle.needle().len();
            found.extend(
                needle
                    .find_iter(text.as_bytes())
                    .map(|start| start..start + length),
            );
        }
        found.sort_unstable_by_key(|range| (range.start, range.end));
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for range in found {
            match merged.last_mut() {
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        merged
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Mask({} values)",
            self.0.as_ref().map_or(0, |values| values.count)
        )
    }
}

/// The ways in which a value may appear: as it is, escaped in a JSON string or in a URL, and by its lines.
fn forms(value: &str) -> Vec<String> {
    let json = serde_json::Value::from(value).to_string();
    let json = &json[1..json.len() - 1];
    // PHP escapes slashes too.
    let mut forms = vec![
        value.to_owned(),
        json.to_owned(),
        json.replace('/', "\\/"),
        in_url(value),
    ];
    if value.contains('\n') {
        let lines = value
            .lines()
            .map(str::trim)
            .filter(|line| line.len() >= SHORTEST_LINE);
        forms.extend(lines.map(str::to_owned));
    }
    forms
}

/// The value as it stands in the query of a URL, which programs print with their errors.
fn in_url(value: &str) -> String {
    let mut url = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

fn replace(text: &str, ranges: &[Range<usize>], limit: usize) -> String {
    let limit = text.floor_char_boundary(limit);
    let mut out = String::with_capacity(limit);
    let mut at = 0;
    for range in ranges.iter().take_while(|range| range.start < limit) {
        out.push_str(&text[at..range.start]);
        out.push_str(PLACEHOLDER);
        at = range.end;
    }
    if at < limit {
        out.push_str(&text[at..limit]);
    }
    out
}
