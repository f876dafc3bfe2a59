//! Recognises a whole command line where only a program belongs.

use crate::sensitive::masked_args;

pub(super) struct CommandLine {
    words: Vec<String>,
    /// Whether it cannot be the path of a program.
    pub(super) certain: bool,
}

/// A command with white space in it. A path may contain spaces, so that a word with a slash at the beginning leaves
/// a doubt, unless an option follows.
pub(super) fn recognise(command: &str) -> Option<CommandLine> {
    if command.trim().is_empty() || !command.contains(char::is_whitespace) {
        return None;
    }
    let words = split(beginning(command));
    let first = words.first()?;
    let option = words.iter().skip(1).any(|word| word.starts_with('-'));
    let is_path = first.contains(['/', '\\']);
    Some(CommandLine {
        certain: !is_path || option,
        words,
    })
}

pub(super) fn advice_for(command: &str, line: &CommandLine, has_args: bool) -> String {
    let shell = ["&&", "||", "|", ";", ">", "<", "$(", "`"]
        .iter()
        .any(|sign| beginning(command).contains(sign));
    let assigns = line.words.first().is_some_and(|word| word.contains('='));
    if shell || assigns {
        let shown = masked_args(&[beginning(command).trim()]);
        let script = shown.first().map_or("…", String::as_str);
        return format!(
            "write \"command\": \"sh\", \"args\": [\"-c\", {}]",
            serde_json::Value::from(script)
        );
    }
    let words: Vec<&str> = line.words.iter().map(String::as_str).collect();
    if has_args && words.len() > 1 {
        return format!("{}, with the present `args` after them", advice(&words));
    }
    advice(&words)
}

/// How to write the words of a command line.
pub(super) fn advice(words: &[&str]) -> String {
    let shown = masked_args(words);
    match shown.split_first() {
        None => "write \"command\": \"program\", \"args\": [\"…\"]".to_owned(),
        Some((program, [])) => format!(
            "write \"command\": {}",
            serde_json::Value::from(program.as_str())
        ),
        Some((program, args)) => format!(
            "write \"command\": {}, \"args\": {}",
            serde_json::Value::from(program.as_str()),
            serde_json::Value::from(args)
        ),
    }
}

/// What is enough to recognise a command line by, and to show how it is written.
pub(super) fn beginning(text: &str) -> &str {
    text.split_at(text.floor_char_boundary(1000)).0
}

/// Splits at white space outside quotes.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (c, quote) {
            (_, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, None) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
