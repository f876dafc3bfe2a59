//! What one more idle server takes, in a process of its own that measures nothing else.

use std::path::Path;
use std::process::Command;

use mcp_session::ServerState;

use crate::meter::{allocated, resident};
use crate::peer::Remote;
use crate::{session, write};

pub(crate) const ROLE: &str = "memory";

/// How many servers are there before the further ones come.
const FIRST: usize = 100;
/// So many come with each exchange, so that what a start needs for a moment is used again.
const STEP: usize = 25;
const LAST: usize = 600;

/// Kilobytes a server.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) resident: f64,
    pub(crate) allocated: f64,
}

/// What a further server at this socket takes.
pub(crate) fn of(socket: &Path) -> Memory {
    let output = Command::new(std::env::current_exe().unwrap())
        .arg(ROLE)
        .arg(socket)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (resident, allocated) = text.trim().split_once(' ').unwrap();
    Memory {
        resident: resident.parse().unwrap(),
        allocated: allocated.parse().unwrap(),
    }
}

/// Measures, and prints both figures.
pub(crate) async fn run(socket: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let remote = Remote::at(socket.to_owned());
    let session = session(folder.path(), FIRST, &remote);
    session.begin_exchange().await.unwrap().finish();
    let before = (resident(), allocated());
    for servers in (FIRST..=LAST).step_by(STEP) {
        write(folder.path(), servers);
        session.begin_exchange().await.unwrap().finish();
    }
    let after = (resident(), allocated());
    let ready = session
        .status()
        .iter()
        .filter(|status| status.state == ServerState::Ready)
        .count();
    assert_eq!(ready, LAST);
    let further = f64::from(u32::try_from(LAST - FIRST).unwrap());
    println!(
        "{} {}",
        (after.0 - before.0) / further,
        (after.1 - before.1) / further
    );
    session.close().await;
}
