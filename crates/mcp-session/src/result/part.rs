//! The content that a model receives for a call.

use std::fmt;

use serde::Serialize;
use serde_json::value::RawValue;

/// One part of what a model receives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum ContentPart {
    /// Text.
    Text {
        /// Never empty.
        text: String,
    },
    /// An image in a format that model providers take.
    Image {
        /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`, as the first bytes say.
        mime_type: String,
        /// The bytes in padded standard base64.
        data: String,
    },
}

impl ContentPart {
    /// A part of text.
    pub fn text(text: impl Into<String>) -> ContentPart {
        ContentPart::Text { text: text.into() }
    }

    /// The size of the part as it stands, in bytes: of the text, or of the base64.
    pub fn len(&self) -> usize {
        match self {
            ContentPart::Text { text } => text.len(),
            ContentPart::Image { data, .. } => data.len(),
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a call came to, ready for the model; the same type whether it succeeded, failed or never
/// ran.
///
/// ```
/// use mcp_session::ToolResult;
///
/// let result = ToolResult::error("the disk is full");
/// assert!(result.is_error);
/// assert_eq!(serde_json::to_string(&result).unwrap(),
///     r#"{"isError":true,"content":[{"type":"text","text":"the disk is full"}]}"#);
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// Whether the model should read it as a failure.
    pub is_error: bool,
    /// Text and images, in the server's order; never empty.
    pub content: Vec<ContentPart>,
    /// What a person may want to know and the model need not: a mismatch with the output schema, an
    /// argument that could not be checked.
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// The server's `structuredContent`, byte for byte.
    #[serde(skip)]
    pub structured: Option<Box<RawValue>>,
    /// Why there is no answer of the server; absent when the server ran the tool, also where the
    /// tool itself failed.
    #[serde(skip)]
    pub failure: Option<CallFailure>,
}

impl ToolResult {
    /// A successful result of one text.
    pub fn ok(text: impl Into<String>) -> ToolResult {
        ToolResult::new(false, text.into())
    }

    /// A failed result of one text.
    pub fn error(text: impl Into<String>) -> ToolResult {
        ToolResult::new(true, text.into())
    }

    /// A call that did not come to an answer.
    pub(crate) fn failed(failure: CallFailure, text: impl Into<String>) -> ToolResult {
        ToolResult {
            failure: Some(failure),
            ..ToolResult::error(text)
        }
    }

    fn new(is_error: bool, text: String) -> ToolResult {
        ToolResult {
            is_error,
            content: vec![ContentPart::Text { text }],
            warnings: Vec::new(),
            structured: None,
            failure: None,
        }
    }

    /// All text parts, joined by line breaks.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|part| match part {
            ContentPart::Text { text } => Some(text.as_str()),
            ContentPart::Image { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The size of the content for the model, in bytes.
    pub fn len(&self) -> usize {
        self.content.iter().map(ContentPart::len).sum()
    }

    /// Whether the content holds not a single byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Why a call has no answer of its server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CallFailure {
    /// No tool has this name, now or earlier in the session.
    UnknownTool,
    /// The tool exists, and the configuration or a plugin keeps it from the model.
    HiddenTool,
    /// The tool was there and its server no longer has it.
    Withdrawn,
    /// The tool's schema changed during the exchange, and the arguments do not fit the new one.
    Changed,
    /// The arguments do not fit the tool's schema.
    RefusedArguments,
    /// A plugin refused the call.
    RefusedByPlugin,
    /// The server is not there and could not be brought back; the call was not sent.
    Unavailable,
    /// The connection was lost while the call ran; its outcome is unknown.
    Lost,
    /// The call ran into its deadline.
    TimedOut,
    /// The host or the server cancelled the call.
    Cancelled,
    /// The server answered with a protocol error.
    ServerError,
    /// The server's answer is not what the protocol or the tool's output schema says.
    InvalidResult,
    /// The server wants other credentials.
    NeedsAuth,
    /// The HTTP session expired, and so did the one that replaced it.
    SessionExpired,
    /// The request is larger than a message may be.
    TooLarge,
    /// The session is closed.
    Closed,
}

impl fmt::Display for CallFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CallFailure::UnknownTool => "unknown tool",
            CallFailure::HiddenTool => "hidden tool",
            CallFailure::Withdrawn => "withdrawn tool",
            CallFailure::Changed => "changed tool",
            CallFailure::RefusedArguments => "refused arguments",
            CallFailure::RefusedByPlugin => "refused by a plugin",
            CallFailure::Unavailable => "server not available",
            CallFailure::Lost => "connection lost",
            CallFailure::TimedOut => "timed out",
            CallFailure::Cancelled => "cancelled",
            CallFailure::ServerError => "server error",
            CallFailure::InvalidResult => "invalid result",
            CallFailure::NeedsAuth => "credentials wanted",
            CallFailure::SessionExpired => "session expired",
            CallFailure::TooLarge => "too large",
            CallFailure::Closed => "session closed",
        })
    }
}
