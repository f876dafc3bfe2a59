//! A plan carried out: owners started, told, and sent away.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_config::Environment;
use tokio::sync::oneshot;

use super::begin::BeginError;
use super::inner::{Handle, Inner, State};
use crate::reconcile::{Action, Running, Step, Wanted, reconcile};
use crate::server::{Begin, Command, ServerSpec, spawn};
use crate::settle::SettledServers;

impl Inner {
    /// Makes the running servers those that are settled. What it gives back ends with the attempts
    /// of the servers that it started or restarted and that are waited for.
    pub(super) fn apply(
        &self,
        settled: &SettledServers,
    ) -> Result<Vec<oneshot::Receiver<()>>, BeginError> {
        let mut state = self.state();
        // Under the lock that closing takes too: no owner starts that closing would not see.
        if self.closing.is_cancelled() {
            return Err(BeginError::Closed);
        }
        state.leaving.retain(|shared| !shared.ended.is_cancelled());
        while state.tasks.try_join_next().is_some() {}
        let wanted = self.wanted(settled, &state.environment);
        let plan = reconcile(&wanted, &state.running());
        let mut started = Vec::new();
        for (name, action) in plan {
            let attempt = match wanted.get(&name) {
                Some(wanted) => self.carry_out(&mut state, &name, action, wanted),
                None => state.stop(&name),
            };
            let waited_for = wanted
                .get(&name)
                .is_some_and(|wanted| self.settings.wait_for_hidden || wanted.entry.is_direct());
            started.extend(attempt.filter(|_| waited_for));
        }
        state.settled = settled.clone();
        Ok(started)
    }

    fn wanted(
        &self,
        settled: &SettledServers,
        environment: &Environment,
    ) -> BTreeMap<String, Wanted> {
        let enabled = settled.entries().filter(|(_, entry)| entry.is_enabled());
        let wanted = enabled.map(|(name, entry)| {
            let variables = entry.variables_digest(environment, &self.digest_key);
            (
                name.to_owned(),
                Wanted {
                    entry: Arc::clone(entry),
                    variables,
                },
            )
        });
        wanted.collect()
    }

    /// The attempt that this starts, where it is one that an exchange may wait for.
    fn carry_out(
        &self,
        state: &mut State,
        name: &str,
        action: Action,
        wanted: &Wanted,
    ) -> Option<oneshot::Receiver<()>> {
        let spec = ServerSpec {
            entry: Arc::clone(&wanted.entry),
            environment: state.environment.clone(),
            base: Arc::clone(&self.settings.base),
        };
        let (what, attempt) = match action.step {
            Step::Start => return Some(self.start(state, name, spec, wanted)),
            Step::Stop => return state.stop(name),
            Step::Keep => (Begin::Keep, None),
            Step::Restart => (Begin::Restart, Some(oneshot::channel())),
            Step::Retry | Step::Reconnect => (Begin::Again, None),
        };
        let handle = state.servers.get_mut(name)?;
        let in_doubt = handle.shared.view().in_doubt;
        if what == Begin::Keep && !action.adopt && !in_doubt {
            return None;
        }
        if action.adopt || what == Begin::Restart {
            handle.entry = Arc::clone(&wanted.entry);
            handle.variables = wanted.variables;
        }
        let (done, ended) = attempt.unzip();
        handle.shared.tell(Command::Begin { spec, what, done });
        ended
    }

    fn start(
        &self,
        state: &mut State,
        name: &str,
        spec: ServerSpec,
        wanted: &Wanted,
    ) -> oneshot::Receiver<()> {
        let services = Arc::clone(&self.services);
        let (shared, first_attempt) = spawn(
            name,
            spec,
            services,
            self.hub.clone(),
            self.closing.clone(),
            &mut state.tasks,
        );
        let handle = Handle {
            shared,
            entry: Arc::clone(&wanted.entry),
            variables: wanted.variables,
        };
        state.servers.insert(name.to_owned(), handle);
        first_attempt
    }
}

impl State {
    fn running(&self) -> BTreeMap<String, Running> {
        let running = self.servers.iter().map(|(name, handle)| {
            let (entry, variables) = (Arc::clone(&handle.entry), handle.variables);
            (
                name.clone(),
                Running {
                    entry,
                    variables,
                    state: handle.state(),
                },
            )
        });
        running.collect()
    }

    /// Nobody waits for a server that stops.
    fn stop(&mut self, name: &str) -> Option<oneshot::Receiver<()>> {
        let handle = self.servers.remove(name)?;
        handle.shared.tell(Command::Stop);
        self.leaving.push(handle.shared);
        None
    }
}
