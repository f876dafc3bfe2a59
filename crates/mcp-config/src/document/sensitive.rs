//! Which stretches of a text an excerpt must not show. It works on tokens alone, so that it serves broken texts as
//! well: hidden are the insides of strings that are not member names, comments, and long words.

use super::lexer::{Lexer, Token, TokenKind};

/// The byte ranges to hide, in order.
pub(super) fn hidden_ranges(text: &str) -> Vec<(u32, u32)> {
    let mut hidden = Vec::new();
    let mut tokens = Lexer::new(text).peekable();
    while let Some(token) = tokens.next() {
        let named = tokens
            .peek()
            .is_some_and(|next| next.kind == TokenKind::Colon);
        let range = match token.kind {
            TokenKind::String if !(named && is_name(text, token)) => token.start + 1..token.end - 1,
            TokenKind::UnclosedString => token.start + 1..token.end,
            TokenKind::Comment | TokenKind::UnclosedComment => token.start + 2..token.end,
            TokenKind::Word if !named && !is_plain_word(text, token) => token.start..token.end,
            _ => continue,
        };
        if let (Ok(start), Ok(end)) = (u32::try_from(range.start), u32::try_from(range.end))
            && start < end
        {
            hidden.push((start, end));
        }
    }
    hidden
}

/// In a text with a lost quote, names and values change places; so a name is shown only if it could be one.
fn is_name(text: &str, token: Token) -> bool {
    let inner = text.get(token.start + 1..token.end - 1).unwrap_or_default();
    inner.len() <= 64 && !inner.contains(['=', ',', '{', '}'])
}

fn is_plain_word(text: &str, token: Token) -> bool {
    let word = text.get(token.start..token.end).unwrap_or_default();
    word.len() < 6 || matches!(word, "undefined" | "Infinity")
}
