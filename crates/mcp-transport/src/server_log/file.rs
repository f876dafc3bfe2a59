//! The log file and the one before it, shared by any number of programs.
//!
//! Whoever writes holds the file's lock and has checked that it still bears the name: so nothing
//! is written to a file that another program has just set aside, and nobody sets aside a new one.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Past this size the file is set aside.
const MAX_SIZE: u64 = 5_000_000;
/// Other programs may set the file aside between our opening and locking it, but not for ever.
const ATTEMPTS: usize = 16;

#[derive(Debug)]
pub(super) struct LogFile {
    current: PathBuf,
    old: PathBuf,
    open: Option<File>,
    /// A full disk may have cut the last line off.
    torn: bool,
}

impl LogFile {
    /// Touches nothing yet.
    pub(super) fn new(home: &Path) -> Self {
        Self {
            current: home.join("mcp.log"),
            old: home.join("mcp.log.1"),
            open: None,
            torn: false,
        }
    }

    /// Appends whole lines, after setting aside a file that they would make too large.
    pub(super) fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let mut file = self.locked()?;
        let size = file.metadata()?.len();
        if size > 0 && size + lines.len() as u64 > MAX_SIZE {
            fs::rename(&self.current, &self.old)?;
            // Its lock goes with it; who waits for it finds that it has lost the name.
            drop(file);
            file = self.locked()?;
        }
        if std::mem::replace(&mut self.torn, true) {
            file.write_all(b"\n")?;
        }
        file.write_all(lines)?;
        self.torn = false;
        // Some network file systems have no locks, so none is taken and none given back.
        let _ = file.unlock();
        self.open = Some(file);
        Ok(())
    }

    fn locked(&mut self) -> io::Result<File> {
        for _ in 0..ATTEMPTS {
            let file = match self.open.take() {
                Some(file) => file,
                None => open(&self.current)?,
            };
            let _ = file.lock();
            if is_named(&file, &self.current)? {
                return Ok(file);
            }
        }
        Err(io::Error::other("the log file is replaced again and again"))
    }
}

/// Opens or creates the file for its owner alone.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    private(&mut options);
    let opened = options.open(path);
    let file = match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            create_home(path)?;
            options.open(path)?
        }
        opened => opened?,
    };
    close_to_others(&file)?;
    Ok(file)
}

fn create_home(file: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    file.parent().map_or(Ok(()), |home| builder.create(home))
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
}

#[cfg(not(unix))]
fn private(_: &mut OpenOptions) {}

/// A file that was there before may be open to all.
#[cfg(unix)]
fn close_to_others(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn close_to_others(_: &File) -> io::Result<()> {
    Ok(())
}

/// Whether the name still leads to this file.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let file = file.metadata()?;
    match fs::metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (file.dev(), file.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Elsewhere a file that is open cannot be renamed, so the name leads to it.
#[cfg(not(unix))]
fn is_named(_: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}
