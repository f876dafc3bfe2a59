//! Which known name an unknown one was probably meant to be.

use super::value::quoted;

/// Known names that are listed where none is close.
const LISTED: usize = 8;

/// Longer names are not compared: nobody mistypes them, and comparing costs their product.
const COMPARED_LENGTH: usize = 100;

/// Names that are compared with an unknown one.
const COMPARED: usize = 500;

/// The known name that is closest to another, if one is close enough to be a slip.
pub(super) fn closest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let plain = normal(name);
    if plain.len() > COMPARED_LENGTH {
        return None;
    }
    let candidates = known
        .iter()
        .take(COMPARED)
        .filter(|known| known.len() <= COMPARED_LENGTH);
    let distances = candidates.filter_map(|candidate| {
        let other = normal(candidate);
        let distance = strsim::damerau_levenshtein(&plain, &other);
        // Two short names differ by a letter without one being meant for the other.
        let allowed = plain.len().max(other.len()) / 3;
        let extends = !plain.is_empty() && (other.starts_with(&plain) || plain.starts_with(&other));
        (distance <= allowed || extends && plain.len() >= 3 && other.len() >= 3)
            .then_some((distance, candidate))
    });
    distances
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate.as_str())
}

/// A hint in brackets, to be appended to a message about an unknown name.
pub(super) fn hint(name: &str, known: &[String]) -> String {
    if let Some(close) = closest(name, known) {
        return format!(" (did you mean {}?)", quoted(close));
    }
    match known.len() {
        0 => String::new(),
        1..=LISTED => {
            let names: Vec<String> = known.iter().map(|name| quoted(name)).collect();
            format!(" (known: {})", names.join(", "))
        }
        _ => String::new(),
    }
}

/// Case and separators apart, in which names differ most often.
fn normal(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}
