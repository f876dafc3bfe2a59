//! Which commands run, and which outputs are known.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{Shared, WeakShared};
use mcp_config::{
    Command, CommandFailure, CommandRunner, Environment, KILL_GRACE, OUTPUT_LIMIT, RunningCommand,
    TIME_LIMIT,
};

use super::limits::Limits;
use super::run;

type Output = Result<Arc<[u8]>, CommandFailure>;
type Run = Pin<Box<dyn Future<Output = Output> + Send>>;

/// Runs the commands of configured values, for any number of sessions: a host keeps one for its
/// life.
///
/// Whoever asks while a command runs shares that run. An output is remembered for the life of this
/// value; a failure is forgotten at once. A run that nobody waits for any more is ended.
///
/// ```
/// use mcp_config::Environment;
/// use mcp_session::Commands;
///
/// let commands = Commands::new(Environment::default());
/// let for_another_session = commands.clone();
/// # drop(for_another_session);
/// ```
#[derive(Clone)]
pub struct Commands(Arc<Inner>);

struct Inner {
    limits: Limits,
    state: Mutex<State>,
}

struct State {
    /// What the next run gets.
    environment: Environment,
    slots: HashMap<Key, Slot>,
    /// Tells one run of a command from the next.
    runs: u64,
}

/// The base directory belongs to it: the same words may print something else elsewhere.
type Key = (Command, PathBuf);

enum Slot {
    Known(Arc<[u8]>),
    /// Kept alive by those who wait for it.
    Running(u64, WeakShared<Run>),
}

impl Commands {
    /// Commands get this environment, whole.
    pub fn new(environment: Environment) -> Commands {
        let limits = Limits {
            time: TIME_LIMIT,
            grace: KILL_GRACE,
            output: OUTPUT_LIMIT,
        };
        Commands::with_limits(environment, limits)
    }

    /// The same with other limits: how long a command may run, and how long it has after SIGTERM.
    #[must_use]
    pub fn time_limits(&self, time: Duration, grace: Duration) -> Commands {
        Commands::with_limits(
            self.0.state().environment.clone(),
            Limits {
                time,
                grace,
                ..self.0.limits
            },
        )
    }

    fn with_limits(environment: Environment, limits: Limits) -> Commands {
        Commands(Arc::new(Inner {
            limits,
            state: Mutex::new(State {
                environment,
                slots: HashMap::new(),
                runs: 0,
            }),
        }))
    }

    /// Other variables for the runs that begin from here on; what is known stays known.
    pub(crate) fn set_environment(&self, environment: Environment) {
        self.0.state().environment = environment;
    }

    /// What the command prints.
    pub(crate) async fn output(
        &self,
        command: &Command,
        base: &Path,
    ) -> Result<Vec<u8>, CommandFailure> {
        self.shared(command, base).await.map(|bytes| bytes.to_vec())
    }

    /// The next asker runs the command again; a run under way is not remembered.
    pub(crate) fn forget(&self, command: &Command, base: &Path) {
        self.0
            .state()
            .slots
            .remove(&(command.clone(), base.to_owned()));
    }

    fn shared(&self, command: &Command, base: &Path) -> Shared<Run> {
        let mut state = self.0.state();
        let key = (command.clone(), base.to_owned());
        match state.slots.get(&key) {
            Some(Slot::Known(bytes)) => {
                let known: Run = Box::pin(std::future::ready(Ok(Arc::clone(bytes))));
                return known.shared();
            }
            Some(Slot::Running(_, run)) => {
                if let Some(run) = run.upgrade() {
                    return run;
                }
            }
            None => {}
        }
        state.runs += 1;
        let number = state.runs;
        let task: Run = Box::pin(Arc::clone(&self.0).run(key.clone(), number));
        let run = task.shared();
        if let Some(weak) = run.downgrade() {
            state.slots.insert(key, Slot::Running(number, weak));
        }
        run
    }
}

impl Inner {
    async fn run(self: Arc<Self>, key: Key, number: u64) -> Output {
        let environment = self.state().environment.clone();
        let output = run(&key.0, &key.1, &environment, self.limits).await;
        let output = output.map(Arc::<[u8]>::from);
        let mut state = self.state();
        let ours = matches!(state.slots.get(&key), Some(Slot::Running(held, _)) if *held == number);
        if ours {
            match &output {
                Ok(bytes) => state.slots.insert(key, Slot::Known(Arc::clone(bytes))),
                Err(_) => state.slots.remove(&key),
            };
        }
        drop(state);
        output
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that could panic runs under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CommandRunner for Commands {
    fn run<'a>(&'a self, command: &'a Command, base: &'a Path) -> RunningCommand<'a> {
        Box::pin(self.output(command, base))
    }
}

impl fmt::Debug for Commands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.0.state().slots.len();
        f.debug_struct("Commands")
            .field("commands", &known)
            .finish_non_exhaustive()
    }
}
