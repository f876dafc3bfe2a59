//! A template without its credentials: references stay, literal text is hidden.

use super::kind::{Fallback, Form, Part};
use crate::secret::MASK;

pub(super) fn masked(form: &Form) -> String {
    match form {
        Form::Command(_) => format!("!{MASK}"),
        Form::Parts(parts) => {
            let mut text = String::new();
            write_parts(parts, &mut text);
            text
        }
    }
}

/// Recursion is bounded by the depth that the parser allows.
fn write_parts(parts: &[Part], text: &mut String) {
    for (index, part) in parts.iter().enumerate() {
        match part {
            Part::Literal(literal) if index == 0 && parts.len() > 1 && is_scheme(literal) => {
                text.push_str(literal);
            }
            Part::Literal(literal) => text.push_str(masked_literal(literal)),
            Part::Variable { name, fallback } => {
                text.push_str("${");
                text.push_str(name);
                match fallback {
                    Fallback::None => {}
                    Fallback::Default(default) => {
                        text.push_str(":-");
                        write_parts(default, text);
                    }
                    Fallback::Message(message) => {
                        text.push_str(":?");
                        text.push_str(message);
                    }
                }
                text.push('}');
            }
        }
    }
}

/// White space and punctuation say nothing.
fn masked_literal(literal: &str) -> &str {
    if literal.len() < 4 && !literal.contains(char::is_alphanumeric) {
        literal
    } else {
        MASK
    }
}

/// `Bearer ` before a reference is worth showing.
fn is_scheme(literal: &str) -> bool {
    let known = ["bearer", "basic", "token", "apikey", "digest"];
    literal.ends_with(' ')
        && known
            .iter()
            .any(|scheme| literal.trim().eq_ignore_ascii_case(scheme))
}
