//! How a raw pair becomes text: sanitising, the limit, and the suffixes of its digest.
//! It knows nothing of other pairs; which text a pair gets is decided by the batch.

use sha2::{Digest, Sha256};

use crate::exposed::ExposedName;

/// The shortest suffix, in hexadecimal digits.
const SHORTEST_SUFFIX: usize = 8;
/// The longest suffix: with it, nothing but the prefix and the underscore before the suffix is
/// left.
const LONGEST_SUFFIX: usize = ExposedName::MAX_LEN - ExposedName::PREFIX.len() - 1;

/// What sanitising made of a pair.
pub(crate) struct Plain {
    /// `mcp__<server>__<tool>`, cut where it is longer than any name can be.
    text: String,
    /// The text names the pair in full: it fits, and neither segment lost all its letters and
    /// digits.
    usable: bool,
    /// No character was changed.
    verbatim: bool,
}

impl Plain {
    pub(crate) fn of(server: &str, tool: &str) -> Self {
        let mut plain = Self {
            text: String::with_capacity(ExposedName::MAX_LEN),
            usable: true,
            verbatim: true,
        };
        plain.text.push_str(ExposedName::PREFIX);
        plain.push_segment(server);
        plain.push_text("__");
        plain.push_segment(tool);
        plain
    }

    /// The plain name, if the pair may be given it.
    pub(crate) fn name(&self) -> Option<&str> {
        self.usable.then_some(self.text.as_str())
    }

    /// The plain name, if it is the pair's own text.
    pub(crate) fn clean_name(&self) -> Option<&str> {
        self.name().filter(|_| self.verbatim)
    }

    fn push_segment(&mut self, raw: &str) {
        self.usable &= raw.bytes().any(|byte| byte.is_ascii_alphanumeric());
        if raw.bytes().all(is_plain) {
            self.push_text(raw);
            return;
        }
        self.verbatim = false;
        for character in raw.chars() {
            if self.text.len() == ExposedName::MAX_LEN {
                self.usable = false;
                return;
            }
            let kept = character.is_ascii_alphanumeric();
            self.text.push(if kept { character } else { '_' });
        }
    }

    /// Appends ASCII text as far as there is room.
    fn push_text(&mut self, text: &str) {
        let room = ExposedName::MAX_LEN - self.text.len();
        self.usable &= text.len() <= room;
        self.text.push_str(&text[..text.len().min(room)]);
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The names with a suffix that a pair may be given, from the shortest suffix on, without end.
///
/// Growing the suffix ends a chance collision. Somebody who prepares a tool for each length of a
/// suffix, or a saved table, is outrun by the next round, whose digest takes in the number of the
/// round.
pub(crate) struct Suffixed<'p> {
    server: &'p str,
    tool: &'p str,
    plain: &'p str,
    digest: String,
    round: u64,
    length: usize,
}

impl<'p> Suffixed<'p> {
    pub(crate) fn new(server: &'p str, tool: &'p str, plain: &'p Plain) -> Self {
        Self {
            server,
            tool,
            plain: &plain.text,
            digest: hex_digest(server, tool, 0),
            round: 0,
            length: SHORTEST_SUFFIX,
        }
    }

    pub(crate) fn next_name(&mut self) -> String {
        if self.length > LONGEST_SUFFIX {
            self.round += 1;
            self.digest = hex_digest(self.server, self.tool, self.round);
            self.length = SHORTEST_SUFFIX;
        }
        let room = ExposedName::MAX_LEN - 1 - self.length;
        let kept = &self.plain[..self.plain.len().min(room)];
        let name = format!("{kept}_{}", &self.digest[..self.length]);
        self.length += 1;
        name
    }
}

/// The digest of the raw pair: the server's length comes first, so that no two pairs are hashed as
/// the same bytes.
fn hex_digest(server: &str, tool: &str, round: u64) -> String {
    let mut hasher = Sha256::new();
    hasher.update((server.len() as u64).to_be_bytes());
    hasher.update(server);
    hasher.update(tool);
    if round > 0 {
        // No UTF-8 text holds this byte, so that a round is never mistaken for a longer tool name.
        hasher.update([0xff]);
        hasher.update(round.to_be_bytes());
    }
    hasher
        .finalize()
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 0xf])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
