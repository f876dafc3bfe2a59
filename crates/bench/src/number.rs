//! Figures as text.

/// A figure with as many digits as it deserves.
pub(crate) fn number(figure: f64) -> String {
    match figure.abs() {
        0.0..10.0 => format!("{figure:.2}"),
        10.0..100.0 => format!("{figure:.1}"),
        _ => grouped(&format!("{figure:.0}")),
    }
}

/// An integer's text with a comma before each group of three digits.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        let left = digits.len() - index;
        if index > 0 && left.is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn figures_have_as_many_digits_as_they_deserve() {
        let cases = [
            (0.0, "0.00"),
            (3.128, "3.13"),
            (99.95, "100.0"),
            (123.4, "123"),
            (1_000.0, "1,000"),
            (1_234_567.2, "1,234,567"),
            (-123_456.0, "-123,456"),
        ];
        for (figure, expected) in cases {
            assert_eq!(number(figure), expected);
        }
    }
}
