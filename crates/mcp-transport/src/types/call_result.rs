//! The result of a tool call, as sent.

use serde_json::value::RawValue;

use crate::RequestError;
use crate::rpc::Reply;
use crate::wire::{Member, kind_of};

const METHOD: &str = "tools/call";

/// The result of a tool call: the one owned copy of the server's text, and slices of it.
///
/// Nothing is decoded, so that odd shapes reach whoever converts them.
///
/// ```
/// use mcp_transport::CallResult;
///
/// let result = CallResult::from_json(r#"{"content":[{"type":"text","text":"36"}],"structuredContent":36}"#)?;
/// assert_eq!(result.parts()[0].get(), r#"{"type":"text","text":"36"}"#);
/// assert_eq!(result.structured_content(), Some("36"));
/// assert!(!result.is_error());
/// # Ok::<(), mcp_transport::RequestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CallResult {
    reply: Reply,
    is_error: bool,
}

impl CallResult {
    /// Reads a result from JSON text, as if a server had sent it.
    pub fn from_json(json: &str) -> Result<Self, RequestError> {
        let reply = Reply::from_result(json);
        Self::new(reply.map_err(|message| RequestError::invalid(METHOD, "result", message))?)
    }

    pub(crate) fn new(reply: Reply) -> Result<Self, RequestError> {
        // The tool ran, so a boolean that a server wrote as a text or a number must not cost the result.
        let is_error = match reply.present(Member::IsError) {
            None | Some("false" | "0" | r#""false""# | r#""False""#) => false,
            Some("true" | "1" | r#""true""# | r#""True""#) => true,
            Some(other) => {
                let message = format!("expected a boolean, found {}", kind_of(other));
                return Err(RequestError::invalid(
                    METHOD,
                    Member::IsError.name(),
                    message,
                ));
            }
        };
        Ok(Self { reply, is_error })
    }

    /// The JSON text of `content`, whatever it is.
    pub fn content(&self) -> Option<&str> {
        self.reply.member(Member::Content)
    }

    /// The parts of `content`: the elements of an array, or the one value that is something else.
    pub fn parts(&self) -> Vec<&RawValue> {
        match self.reply.present(Member::Content) {
            None => Vec::new(),
            Some(array) if array.starts_with('[') => {
                serde_json::from_str(array).unwrap_or_default()
            }
            Some(other) => serde_json::from_str(other).into_iter().collect(),
        }
    }

    /// The JSON text of `structuredContent`, whatever it is.
    pub fn structured_content(&self) -> Option<&str> {
        self.reply.member(Member::StructuredContent)
    }

    /// Whether the tool says that it failed.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The JSON text of `_meta`.
    pub fn meta(&self) -> Option<&str> {
        self.reply.member(Member::Meta)
    }

    /// The JSON text of the whole result.
    pub fn raw(&self) -> &str {
        self.reply.raw()
    }
}
