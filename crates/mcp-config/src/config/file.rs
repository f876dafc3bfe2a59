//! The bytes of a file, or why there are none.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use crate::problem::Problem;

/// The largest file that is read, in bytes.
pub const MAX_FILE_SIZE: u64 = 16 * 1024 * 1024;

pub(super) enum FileBytes {
    Absent,
    Unreadable(Problem),
    Read(Vec<u8>),
}

/// Reads a file, if it is one: opening a pipe or a terminal would wait forever.
pub(super) fn read(file: &Path) -> FileBytes {
    let fail = |message: String, help: &str| {
        FileBytes::Unreadable(Problem::error(message).in_file(file).with_help(help))
    };
    let metadata = match file.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return if file.is_symlink() {
                fail(
                    "the file is a symbolic link to nothing".to_owned(),
                    "mend or remove the link",
                )
            } else {
                FileBytes::Absent
            };
        }
        Err(error) => return unreadable(file, &error),
    };
    if metadata.is_dir() {
        return fail(
            "the file is a directory".to_owned(),
            "name the file in it, such as mcp.json, or move the directory away",
        );
    }
    if !metadata.is_file() {
        let help = "it is read again and again, so it must be a regular file";
        return fail("the file is a pipe, socket or device".to_owned(), help);
    }
    let mut bytes = Vec::new();
    let opened = File::open(file);
    match opened.and_then(|opened| opened.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes)) {
        Ok(_) if bytes.len() as u64 > MAX_FILE_SIZE => fail(
            format!(
                "the file is larger than {} MiB",
                MAX_FILE_SIZE / (1024 * 1024)
            ),
            "a configuration is far smaller; is it the right file?",
        ),
        Ok(_) => FileBytes::Read(bytes),
        Err(error) => unreadable(file, &error),
    }
}

fn unreadable(file: &Path, error: &io::Error) -> FileBytes {
    let help = match error.kind() {
        io::ErrorKind::PermissionDenied => "make the file readable for the user that runs this",
        io::ErrorKind::NotADirectory => "a part of its path is a file, not a directory",
        _ => "check the path and the disk",
    };
    let message = format!("the file cannot be read: {}", describe(error));
    FileBytes::Unreadable(Problem::error(message).in_file(file).with_help(help))
}

fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotADirectory => "not a directory".to_owned(),
        _ => error.to_string(),
    }
}
