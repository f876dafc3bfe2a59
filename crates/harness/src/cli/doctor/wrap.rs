//! Long lines on a terminal: broken between words, so that what belongs together stays indented.

use console::measure_text_width;

/// The line in pieces of at most so many columns, as far as its words allow; all but the first are indented.
pub(super) fn wrap(line: &str, columns: usize, indent: &str) -> String {
    let mut wrapped = String::with_capacity(line.len());
    let mut used = 0;
    for (index, word) in line.split(' ').enumerate() {
        let width = measure_text_width(word);
        if index > 0 && used + 1 + width > columns {
            wrapped.push('\n');
            wrapped.push_str(indent);
            used = indent.len();
        } else if index > 0 {
            wrapped.push(' ');
            used += 1;
        }
        wrapped.push_str(word);
        used += width;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn words_stay_whole_and_colours_take_no_room() {
        for (line, expected) in [
            ("short", "short"),
            ("one two three", "one two\n  three"),
            ("  indented and long", "  indented\n  and long"),
            ("averylongword x", "averylongword\n  x"),
            (
                "\u{1b}[1mOne\u{1b}[0m two three",
                "\u{1b}[1mOne\u{1b}[0m two\n  three",
            ),
        ] {
            assert_eq!(wrap(line, 10, "  "), expected);
        }
    }
}
