//! What no process can be given, found before the system refuses it in words of its own.
//!
//! Names are shown, values and arguments never: they may be secrets.

use std::ffi::OsStr;

use super::error::SpawnError;
use super::spec::ProcessSpec;

const NUL: &str = "contains a NUL byte, which no process can be given";

pub(super) fn check(spec: &ProcessSpec) -> Result<(), SpawnError> {
    if spec.command.is_empty() {
        return Err(invalid("the command", "is empty"));
    }
    if has(&spec.command, 0) {
        return Err(invalid("the command", NUL));
    }
    if has(spec.cwd.as_os_str(), 0) {
        return Err(invalid("the working directory", NUL));
    }
    if let Some(index) = spec.args.iter().position(|argument| has(argument, 0)) {
        return Err(invalid(format!("argument {}", index + 1), NUL));
    }
    spec.env
        .iter()
        .try_for_each(|(name, value)| variable(name, value))
}

fn variable(name: &OsStr, value: &OsStr) -> Result<(), SpawnError> {
    let why = if name.is_empty() {
        return Err(invalid("an environment variable", "has an empty name"));
    } else if has(name, b'=') {
        "has a `=` in its name"
    } else if has(name, 0) {
        "has a NUL byte in its name"
    } else if has(value, 0) {
        "has a NUL byte in its value"
    } else {
        return Ok(());
    };
    let name = name.display().to_string();
    Err(invalid(format!("the environment variable {name:?}"), why))
}

fn has(text: &OsStr, byte: u8) -> bool {
    text.as_encoded_bytes().contains(&byte)
}

pub(super) fn invalid(what: impl Into<String>, why: &'static str) -> SpawnError {
    SpawnError::InvalidInput {
        what: what.into(),
        why,
    }
}
