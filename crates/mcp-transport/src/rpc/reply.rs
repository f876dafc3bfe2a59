//! The result of a request: one owned text, and where its members stand in it.

use crate::wire::{Body, Envelope, Member, Members};

/// A result that is an object. The only copy of the message's text.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    text: String,
    members: Box<Members>,
}

impl Reply {
    pub(super) fn new(text: String, members: Box<Members>) -> Self {
        Self { text, members }
    }

    /// The JSON text of a member.
    pub(crate) fn member(&self, member: Member) -> Option<&str> {
        self.members.get(&self.text, member)
    }

    /// The JSON text of a member, unless it is null.
    pub(crate) fn present(&self, member: Member) -> Option<&str> {
        self.member(member).filter(|json| *json != "null")
    }

    /// A member that is a string.
    pub(crate) fn string(&self, member: Member) -> Option<String> {
        serde_json::from_str(self.present(member)?).ok()
    }

    /// The JSON text of the whole result.
    pub(crate) fn raw(&self) -> &str {
        &self.text[self.members.range.clone()]
    }

    /// Reads a result from its own text, as if it had been received.
    pub(crate) fn from_result(json: &str) -> Result<Self, String> {
        let text = format!("{{\"jsonrpc\":\"2.0\",\"result\":{json}}}");
        let envelope = Envelope::parse(&text).map_err(|error| error.to_string())?;
        match envelope.result {
            Some(Body::Object(members)) => Ok(Self::new(text, members)),
            Some(Body::Other(kind)) => Err(format!("expected an object, found {kind}")),
            None => Err("expected an object".to_owned()),
        }
    }
}
