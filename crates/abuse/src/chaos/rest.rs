//! Rest: trouble is over for a while, and everything must come to order by itself.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::sleep;

use mcp_session::ServerState;

use super::world::World;
use crate::fleet::Transport;
use crate::outcome::Outcome;
use crate::procfs;

/// How long a server may take to be there again: a start, with the waits before a new attempt.
const RECOVERY: Duration = Duration::from_secs(30);
/// How long replaced servers may take to be gone: the last call's deadline and the ladder of signals.
const RETIREMENT: Duration = Duration::from_secs(15);

impl World {
    /// Restores the configuration, and holds every server to: ready, answering, one process.
    pub(super) async fn rest(&mut self) -> Outcome<()> {
        self.over.rests += 1;
        while self.stopped.join_next().await.is_some() {}
        self.configuration.restore()?;
        let start = Instant::now();
        while !self.all_answer().await? {
            if start.elapsed() > RECOVERY {
                let states: Vec<String> = self
                    .session
                    .status()
                    .into_iter()
                    .map(|status| format!("{} {} {:?}", status.server, status.state, status.error))
                    .collect();
                self.voice
                    .fault(format!("at rest not every server answers: {states:?}"));
                return Ok(());
            }
            sleep(Duration::from_millis(50)).await;
        }
        self.one_process_each().await;
        Ok(())
    }

    /// Whether each server answers a call in a new exchange.
    async fn all_answer(&mut self) -> Outcome<bool> {
        let exchange = self.begin().await?;
        let states = self.session.status();
        let ready = states
            .iter()
            .filter(|status| status.state == ServerState::Ready);
        if ready.count() < self.members.len() {
            return Ok(false);
        }
        let mut running = JoinSet::new();
        let before = self.voice.answered();
        for member in 0..self.members.len() {
            self.echo(&exchange, &mut running, member);
        }
        while running.join_next().await.is_some() {}
        Ok(self.voice.answered() - before == self.members.len() as u64)
    }

    async fn one_process_each(&self) {
        let start = Instant::now();
        loop {
            let children = procfs::children();
            let wrong: Vec<String> = self
                .members
                .iter()
                .filter(|member| member.fixture.transport == Transport::Stdio)
                .filter_map(|member| {
                    let mark = self.folder.mark_of(&member.fixture.name);
                    let own = children
                        .iter()
                        .filter(|child| child.command.contains(&mark));
                    let count = own.count();
                    (count != 1).then(|| format!("{} has {count} processes", member.fixture.name))
                })
                .collect();
            if wrong.is_empty() {
                return;
            }
            if start.elapsed() > RETIREMENT {
                self.voice.fault(format!("at rest {}", wrong.join(", ")));
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}
