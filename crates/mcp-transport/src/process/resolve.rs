//! From a command as written to the absolute path of a file that can be run.
//!
//! The lookup is done here, not by the C library: it must use the environment that the process
//! will get, it must tell its failures apart, and an absolute path keeps the standard library on
//! `posix_spawn`, which does not copy the page tables of a large host.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::error::{DEFAULT_PATH, Searched, SpawnError};

/// Finds the program; `cwd` is absolute.
pub(super) fn program(
    command: &OsStr,
    path: Option<&OsStr>,
    cwd: &Path,
) -> Result<PathBuf, SpawnError> {
    if command.as_bytes().contains(&b'/') {
        let file = cwd.join(command);
        return match usable(&file) {
            Ok(()) => Ok(file),
            Err(Unusable::Absent) => Err(missing(command, Searched::File(file))),
            Err(Unusable::Unfit(why)) => Err(unfit(command, file, why)),
        };
    }
    in_directories(command, path, cwd)
}

/// Searches as `execvp` does: the first file that can be run, and a file that cannot be run is an
/// error only if no later directory has a better one.
fn in_directories(
    command: &OsStr,
    path: Option<&OsStr>,
    cwd: &Path,
) -> Result<PathBuf, SpawnError> {
    let directories = path.unwrap_or_else(|| OsStr::new(DEFAULT_PATH));
    let mut first_unfit = None;
    for directory in directories.as_bytes().split(|byte| *byte == b':') {
        // An empty element is the working directory, and a relative one is relative to it.
        let file = cwd.join(OsStr::from_bytes(directory)).join(command);
        match usable(&file) {
            Ok(()) => return Ok(file),
            Err(Unusable::Absent) => {}
            Err(Unusable::Unfit(why)) => first_unfit = first_unfit.or(Some((file, why))),
        }
    }
    Err(match (first_unfit, path) {
        (Some((file, why)), _) => unfit(command, file, why),
        (None, None) => missing(command, Searched::NoPath),
        (None, Some(path)) if path.is_empty() => {
            missing(command, Searched::EmptyPath(cwd.to_owned()))
        }
        (None, Some(path)) => missing(command, Searched::Path(path.to_owned())),
    })
}

/// Whether a bare name can be found; for the interpreters of scripts.
pub(super) fn is_found(command: &OsStr, path: Option<&OsStr>, cwd: &Path) -> bool {
    program(command, path, cwd).is_ok()
}

/// Checks the working directory before the start, because the system's own error does not say
/// whether it was the directory or the program that is missing.
pub(super) fn check_directory(directory: PathBuf) -> Result<PathBuf, SpawnError> {
    match std::fs::metadata(&directory) {
        Ok(found) if !found.is_dir() => Err(SpawnError::NotADirectory { directory }),
        Ok(_) => match access(&directory, Access::EXEC_OK) {
            Ok(()) => Ok(directory),
            Err(error) => Err(SpawnError::ClosedDirectory {
                directory,
                source: error.into(),
            }),
        },
        Err(error) => Err(match error.kind() {
            io::ErrorKind::NotFound => SpawnError::MissingDirectory { directory },
            io::ErrorKind::NotADirectory => SpawnError::NotADirectory { directory },
            _ => SpawnError::ClosedDirectory {
                directory,
                source: error,
            },
        }),
    }
}

enum Unusable {
    Absent,
    Unfit(&'static str),
}

fn usable(file: &Path) -> Result<(), Unusable> {
    let found = match std::fs::metadata(file) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(Unusable::Unfit("is in a directory that may not be entered"));
        }
        // A name too long, a loop of links, a file where a directory should be: not there.
        Err(_) => return Err(Unusable::Absent),
    };
    if found.is_dir() {
        Err(Unusable::Unfit("is a directory"))
    } else if !found.is_file() {
        Err(Unusable::Unfit("is not a regular file"))
    } else if access(file, Access::EXEC_OK).is_err() {
        Err(Unusable::Unfit(
            "may not be executed (`chmod +x` would allow it)",
        ))
    } else {
        Ok(())
    }
}

fn missing(command: &OsStr, searched: Searched) -> SpawnError {
    SpawnError::MissingCommand {
        command: command.display().to_string(),
        searched,
    }
}

pub(super) fn unfit(command: &OsStr, file: PathBuf, why: &'static str) -> SpawnError {
    SpawnError::NotExecutable {
        command: command.display().to_string(),
        file,
        why,
    }
}
