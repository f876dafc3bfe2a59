//! Media types of answers, compared as RFC 9110 §8.3 asks: without parameters and in any case.

use std::fmt;

/// What an answer's `Content-Type` says its body is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Media {
    Json,
    EventStream,
    /// Another type, as written but without its parameters.
    Other(String),
    Absent,
}

impl Media {
    /// Reads the value of a `Content-Type` header.
    pub(crate) fn of(header: Option<&str>) -> Self {
        let essence = header
            .unwrap_or_default()
            .split(';')
            .next()
            .unwrap_or_default()
            .trim();
        let is = |name: &str| essence.eq_ignore_ascii_case(name);
        if essence.is_empty() {
            Self::Absent
        } else if is("application/json") {
            Self::Json
        } else if is("text/event-stream") {
            Self::EventStream
        } else {
            Self::Other(essence.to_owned())
        }
    }

    /// Whether the body is text that a person can read with its tags taken out.
    pub(crate) fn is_markup(&self) -> bool {
        matches!(self, Self::Other(name) if ["text/html", "application/xhtml+xml", "text/xml", "application/xml"]
            .iter()
            .any(|markup| name.eq_ignore_ascii_case(markup)))
    }
}

impl fmt::Display for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Json => "application/json",
            Self::EventStream => "text/event-stream",
            Self::Other(name) => name,
            Self::Absent => "no content type",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Media;

    #[test]
    fn a_media_type_is_read_without_parameters_and_in_any_case() {
        for (header, expected) in [
            (Some("application/json; charset=utf-8"), Media::Json),
            (Some("Application/JSON"), Media::Json),
            (Some("Text/Event-Stream;charset=UTF-8"), Media::EventStream),
            (
                Some(" text/html ; x=y"),
                Media::Other("text/html".to_owned()),
            ),
            (Some(""), Media::Absent),
            (None, Media::Absent),
        ] {
            assert_eq!(Media::of(header), expected, "{header:?}");
        }
    }
}
