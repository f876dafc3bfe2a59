//! A host of chaos: a process of its own, which the run may kill at any moment.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle};

use super::line::{ANSWERED, Line};
use super::world::World;
use crate::outcome::Outcome;
use crate::procfs;

/// How long what a session used may take to be given back after its end.
const GIVE_BACK: Duration = Duration::from_secs(10);

/// What a host is told by the run.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct HostArguments {
    /// The folder of the run.
    #[arg(long)]
    pub(crate) folder: PathBuf,
    #[arg(long)]
    pub(crate) seed: u64,
    /// The number of the host, from 0.
    #[arg(long)]
    pub(crate) life: u64,
    #[arg(long)]
    pub(crate) calls: u64,
    #[arg(long)]
    pub(crate) servers: usize,
}

/// Where a host tells what happens.
#[derive(Debug, Clone, Default)]
pub(super) struct Voice(Arc<Told>);

#[derive(Debug, Default)]
struct Told {
    turn: Mutex<()>,
    answered: AtomicU64,
}

impl Voice {
    pub(super) fn say(&self, line: &Line) {
        let Ok(mut text) = serde_json::to_string(line) else {
            return;
        };
        text.push('\n');
        if matches!(line, Line::Ended { end, .. } if end == ANSWERED) {
            self.0.answered.fetch_add(1, Relaxed);
        }
        let _turn = self.0.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if io::stdout().lock().write_all(text.as_bytes()).is_err() {
            // Without the run that listens there is nothing to live for.
            std::process::exit(1);
        }
    }

    /// How many calls were answered so far.
    pub(super) fn answered(&self) -> u64 {
        self.0.answered.load(Relaxed)
    }

    pub(super) fn fault(&self, text: String) {
        self.say(&Line::Fault(text));
    }
}

/// Lives one life, to its end unless it is killed before.
pub(crate) fn host(arguments: &HostArguments) -> Outcome<()> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(3)
        .enable_all()
        .build()?;
    let voice = Voice::default();
    // What the runtime opens for itself is no part of the count.
    runtime.block_on(async { tokio::time::sleep(Duration::from_millis(1)).await });
    let before = procfs::descriptors()?;
    let over = runtime.block_on(async {
        let world = World::new(arguments, voice.clone())?;
        let over = world.live(arguments.calls).await?;
        nothing_left(&voice, before).await?;
        Outcome::Ok(over)
    })?;
    voice.say(&Line::Over(over));
    Ok(())
}

/// After the end of the session, the host is as it was before.
async fn nothing_left(voice: &Voice, descriptors: u64) -> Outcome<()> {
    let start = Instant::now();
    loop {
        let tasks = Handle::current().metrics().num_alive_tasks();
        let children: Vec<String> = procfs::children()
            .into_iter()
            .map(|child| child.command)
            .collect();
        let open = procfs::descriptors()?;
        if tasks == 0 && children.is_empty() && open <= descriptors {
            return Ok(());
        }
        if start.elapsed() > GIVE_BACK {
            voice.fault(format!(
                "after the end of the session: {tasks} tasks, {open} descriptors instead of {descriptors}, \
                 children {children:?}"
            ));
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
