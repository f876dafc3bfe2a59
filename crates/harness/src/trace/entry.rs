//! What a record is made of.

use crate::artifact::{Json, Redactor};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// An exchange begins.
    Exchange {
        /// Its number, from 1.
        number: usize,
        /// What the user said.
        user: Option<String>,
    },
    /// The model says something, for the user.
    Said(String),
    /// The model or the program asks the host for something.
    Asked {
        /// What it asks for, in a few words: `call mcp__notes__add`.
        what: String,
        /// With what.
        detail: Option<Json>,
    },
    /// The host gives something to the model or the program.
    Answered {
        /// What it is, in a few words.
        what: String,
        /// The whole.
        detail: Json,
        /// Whether it is an error.
        failed: bool,
    },
    /// The scenario changes its world.
    Event(Json),
    /// The session sees a server in another state.
    State {
        /// The server.
        server: String,
        /// Its state: `connecting`, `ready`, `dropped`, …
        state: String,
    },
    /// A message on a connection.
    Message(Message),
    /// So many entries more were not kept.
    More(usize),
}

/// A message on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// The server.
    pub server: String,
    /// Where it went.
    pub direction: Direction,
    /// What it says; of a large one the beginning, as a string.
    pub body: Json,
    /// Its size.
    pub bytes: usize,
}

/// Where a message went, as the host sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the server.
    Sent,
    /// From the server.
    Received,
}

impl Entry {
    pub(crate) fn asked(what: impl Into<String>, detail: Option<Json>) -> Entry {
        let what = what.into();
        Entry::Asked { what, detail }
    }

    /// An answer that is no error, unless it says so by the member `error` or `isError`.
    pub(crate) fn answered(what: impl Into<String>, detail: Json) -> Entry {
        let is_error = detail.get("isError") == Some(&Json::Bool(true));
        Entry::Answered {
            what: what.into(),
            failed: is_error || detail.get("error").is_some(),
            detail,
        }
    }

    /// The server that it is about, if it is about one.
    pub fn server(&self) -> Option<&str> {
        match self {
            Entry::State { server, .. } => Some(server),
            Entry::Message(message) => Some(&message.server),
            _ => None,
        }
    }

    /// The entry with paths, ports and secrets replaced.
    pub(super) fn redacted(self, redactor: &Redactor) -> Entry {
        let text = |text: String| redactor.masked(&text);
        let json = |value: Json| value.map_strings(&|text| redactor.masked(&text));
        match self {
            Entry::Exchange { number, user } => Entry::Exchange {
                number,
                user: user.map(text),
            },
            Entry::Said(said) => Entry::Said(text(said)),
            Entry::Asked { what, detail } => Entry::Asked {
                what: text(what),
                detail: detail.map(json),
            },
            Entry::Answered {
                what,
                detail,
                failed,
            } => Entry::Answered {
                what: text(what),
                detail: json(detail),
                failed,
            },
            Entry::Event(event) => Entry::Event(json(event)),
            Entry::State { server, state } => Entry::State {
                server: text(server),
                state: text(state),
            },
            Entry::Message(message) => Entry::Message(Message {
                server: text(message.server),
                body: json(message.body),
                ..message
            }),
            Entry::More(count) => Entry::More(count),
        }
    }
}
