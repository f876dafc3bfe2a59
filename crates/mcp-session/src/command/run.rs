//! One run of one command, bounded in time and output.

use std::convert::Infallible;
use std::future::pending;
use std::path::Path;
use std::time::Duration;

use mcp_config::{Command, CommandFailure, Environment};
use mcp_transport::process::{Ladder, Pipes, ProcessGroup};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::time::sleep;

use super::limits::Limits;
use crate::convert;
use crate::server::chain;

/// A child that the command left behind may hold its output open; what it wrote itself is there by
/// then.
const REST: Duration = Duration::from_millis(100);

/// What the command printed. However it ends, its whole process group is gone afterwards; dropping
/// the future kills it.
pub(super) async fn run(
    command: &Command,
    base: &Path,
    environment: &Environment,
    limits: Limits,
) -> Result<Vec<u8>, CommandFailure> {
    let spec = convert::command_spec(command, base, environment);
    let (group, pipes) = ProcessGroup::spawn(&spec).map_err(|error| CommandFailure::Spawn {
        message: chain(&error),
    })?;
    let result = tokio::select! {
        result = collect(&group, pipes, limits.output) => result,
        () = sleep(limits.time) => Err(CommandFailure::TimedOut { limit: limits.time }),
    };
    let ladder = match result {
        Ok(_) => Ladder::kill(),
        Err(_) => Ladder {
            grace: Duration::ZERO,
            term: limits.grace,
        },
    };
    group.terminate(ladder).await;
    result
}

async fn collect(
    group: &ProcessGroup,
    pipes: Pipes,
    limit: usize,
) -> Result<Vec<u8>, CommandFailure> {
    let mut output = Vec::new();
    let ended = async { Ok::<_, CommandFailure>(group.exited().await) };
    let late = async {
        let status = group.exited().await;
        sleep(REST).await;
        status
    };
    let status = tokio::select! {
        all = async { tokio::try_join!(read(pipes.stdout, &mut output, limit), ended) } => all?.1,
        status = late => status,
        never = drain(pipes.stderr) => match never {},
    };
    match status {
        Some(status) if status.success() => Ok(output),
        Some(status) => Err(CommandFailure::Exit {
            status: status.to_string(),
        }),
        None => Err(CommandFailure::Exit {
            status: "an unknown status".to_owned(),
        }),
    }
}

async fn read(
    mut pipe: impl AsyncRead + Unpin,
    output: &mut Vec<u8>,
    limit: usize,
) -> Result<(), CommandFailure> {
    let mut chunk = [0; 4096];
    loop {
        // An error of the pipe is its end: the exit status tells the rest.
        let count = pipe.read(&mut chunk).await.unwrap_or(0);
        if count == 0 {
            return Ok(());
        }
        if output.len() + count > limit {
            return Err(CommandFailure::TooLarge);
        }
        output.extend_from_slice(&chunk[..count]);
    }
}

/// Reads and forgets, so that a talkative command is not held up; never ends by itself.
async fn drain(mut pipe: impl AsyncRead + Unpin) -> Infallible {
    let mut chunk = [0; 4096];
    while pipe.read(&mut chunk).await.is_ok_and(|count| count > 0) {}
    pending().await
}
