//! The first line of a script: which program it asks for, and whether that program is there.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::SpawnError;
use super::resolve;
use super::spec::ProcessSpec;

/// Scripts may name scripts as their interpreters; Linux follows about this many.
const CHAIN: usize = 4;

/// What the system's refusal to start a file that exists and may be executed means.
pub(super) fn explain_refusal(
    spec: &ProcessSpec,
    program: PathBuf,
    cwd: &Path,
    source: io::Error,
) -> SpawnError {
    const ENOEXEC: i32 = rustix::io::Errno::NOEXEC.raw_os_error();
    let command = spec.command.as_os_str();
    if source.raw_os_error() == Some(ENOEXEC) {
        let why = "is neither a program for this system nor a script with a `#!` line";
        return resolve::unfit(command, program, why);
    }
    match source.kind() {
        // Either may have been removed since it was looked at.
        io::ErrorKind::NotFound => match spec.resolve() {
            Ok(program) => first_missing(command, program, cwd),
            Err(error) => error,
        },
        io::ErrorKind::PermissionDenied => first_unfit(command, program, cwd, source),
        _ => SpawnError::System { program, source },
    }
}

fn first_missing(command: &OsStr, program: PathBuf, cwd: &Path) -> SpawnError {
    let mut file = program;
    for _ in 0..CHAIN {
        let Some(interpreter) = interpreter_of(&file) else {
            break;
        };
        let next = cwd.join(&interpreter);
        if !next.exists() {
            return SpawnError::MissingInterpreter {
                command: command.display().to_string(),
                file,
                interpreter: Some(interpreter),
            };
        }
        file = next;
    }
    SpawnError::MissingInterpreter {
        command: command.display().to_string(),
        file,
        interpreter: None,
    }
}

fn first_unfit(command: &OsStr, program: PathBuf, cwd: &Path, source: io::Error) -> SpawnError {
    if let Some(interpreter) = interpreter_of(&program) {
        let interpreter = cwd.join(interpreter);
        if let Err(SpawnError::NotExecutable { file, why, .. }) =
            resolve::program(interpreter.as_os_str(), None, cwd)
        {
            return resolve::unfit(command, file, why);
        }
    }
    SpawnError::System { program, source }
}

/// What exit status 127 of this process most likely means.
pub(super) fn explain_not_found(spec: &ProcessSpec) -> String {
    let path = match spec.search_path() {
        Some(path) => format!("PATH={}", path.display()),
        None => String::from("an environment without PATH"),
    };
    if let (Ok(script), Ok(cwd)) = (spec.resolve(), spec.directory())
        && let Some(name) = name_for_env(&script)
        && !resolve::is_found(OsStr::new(&name), spec.search_path(), &cwd)
    {
        if name.ends_with('\r') {
            return format!(
                "the first line of {} asks for {name:?}: the line ends in a carriage return, so save the script with \
                 Unix line ends",
                script.display()
            );
        }
        return format!(
            "the first line of {} asks for {name:?}, which was not found with {path}; add its \
             directory to the PATH of the server's environment",
            script.display()
        );
    }
    format!("exit status 127 means that a command was not found; it ran with {path}")
}

/// The program that `#!/usr/bin/env NAME` asks for.
fn name_for_env(script: &Path) -> Option<String> {
    let line = first_line(script)?;
    // A carriage return is part of the last word for `env`.
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let interpreter = Path::new(words.next()?);
    if interpreter.file_name()? != "env" {
        return None;
    }
    while let Some(word) = words.next() {
        match word {
            // These take the next word for themselves.
            "-u" | "-C" => drop(words.next()),
            _ if word.starts_with('-') || word.contains('=') => {}
            name => return Some(name.to_owned()),
        }
    }
    None
}

fn interpreter_of(file: &Path) -> Option<String> {
    let line = first_line(file)?;
    let line = line.trim_start_matches([' ', '\t']);
    // A carriage return is part of the name for the system, and the usual cause of the error.
    let end = line.find([' ', '\t']).unwrap_or(line.len());
    let name = &line[..end];
    (!name.is_empty()).then(|| name.to_owned())
}

/// What follows `#!`, if the file begins with it. Systems read no more than 256 bytes of it.
fn first_line(file: &Path) -> Option<String> {
    let mut start = Vec::with_capacity(256);
    File::open(file)
        .ok()?
        .take(256)
        .read_to_end(&mut start)
        .ok()?;
    let line = start.strip_prefix(b"#!")?;
    let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
    Some(String::from_utf8_lossy(&line[..end]).into_owned())
}
