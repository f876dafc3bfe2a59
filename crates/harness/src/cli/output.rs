//! JSON on standard output.

use serde::Serialize;

use super::exit::CommandError;
use super::host::print;

/// Prints a value as one line of JSON. Raw parts keep their bytes, which indenting would change.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), CommandError> {
    let mut text = serde_json::to_string(value).map_err(std::io::Error::other)?;
    text.push('\n');
    print(&text)?;
    Ok(())
}
