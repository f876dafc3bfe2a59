//! Numbers as people read them.

/// `1234567` as `1,234,567`.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 tool`, `2 tools`.
pub(crate) fn plural(number: usize, word: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{} {word}{end}", count(number))
}

#[cfg(test)]
mod tests {
    use super::{count, plural};

    #[test]
    fn numbers_are_grouped() {
        let shown = [0, 999, 1000, 1_234_567].map(count);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            (plural(1, "tool"), plural(0, "tool")),
            ("1 tool".to_owned(), "0 tools".to_owned())
        );
    }
}
