//! Cuts texts of any length for people.

use std::borrow::Cow;

/// How many characters of a name are shown within a message.
const MAX_NAME: usize = 60;

/// A name, cut if it is too long to be read.
pub(crate) fn short(name: &str) -> Cow<'_, str> {
    cut(name, MAX_NAME)
}

/// A text of at most that many characters, and a mark where the rest was.
pub(crate) fn cut(text: &str, characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(characters) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.split_at(end).0)),
        None => Cow::Borrowed(text),
    }
}
