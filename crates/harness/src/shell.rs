//! Words of a POSIX shell's command line.

/// The text as one word: as it stands where that is one, else in quotes.
///
/// A path that a person is to copy should look like itself, and still be one argument.
pub(crate) fn word(text: &str) -> String {
    let plain =
        |character: char| character.is_ascii_alphanumeric() || "-_./+,:=@%".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
