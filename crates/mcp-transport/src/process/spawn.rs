//! One start: from a specification to a running process in a group of its own.

use std::io::{self, PipeReader, PipeWriter};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal};

use super::error::SpawnError;
use super::exit::ExitNotice;
use super::interpreter::explain_refusal;
use super::leader::{self, Leader, Unreaped};
use super::pipes::Pipes;
use super::spec::ProcessSpec;
use super::watcher::Lease;

pub(super) struct Started {
    pub(super) leader: Leader,
    pub(super) notice: ExitNotice,
    pub(super) pipes: Pipes,
}

/// A way of noticing the exit of a process that is not reaped yet.
type Way = fn(Pid) -> io::Result<ExitNotice>;

pub(super) fn start(spec: &ProcessSpec, notice: Way) -> Result<Started, SpawnError> {
    let program = spec.resolve()?;
    if tokio::runtime::Handle::try_current().is_err() {
        return Err(SpawnError::NoRuntime);
    }
    let cwd = spec.directory()?;
    let refused = |source| SpawnError::System {
        program: program.clone(),
        source,
    };
    let (stdout, output) = io::pipe().map_err(refused)?;
    let mut lease = Lease::before_start(&output);
    // The command, and with it our copy of the output's end, is gone after this statement.
    let child = command(spec, &program, &cwd, output)
        .spawn()
        .map_err(|source| explain_refusal(spec, program.clone(), &cwd, source))?;
    let pid = Pid::from_child(&child);
    lease.started(pid);
    attend(pid, child, stdout, lease, notice).map_err(refused)
}

/// Nothing here may need a fork: no hook before the exec, no user or group, and the program's path
/// is absolute although `PATH` is changed.
fn command(spec: &ProcessSpec, program: &Path, cwd: &Path, output: PipeWriter) -> Command {
    let mut command = Command::new(program);
    command
        .arg0(&spec.command)
        .args(&spec.args)
        .env_clear()
        .envs(spec.env.iter().map(|(name, value)| (name, value)))
        .current_dir(cwd)
        .process_group(0)
        .stdin(if spec.stdin {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(output)
        .stderr(Stdio::piped());
    command
}

/// Takes charge of a process; one that cannot be attended to is killed.
fn attend(
    pid: Pid,
    mut child: Child,
    stdout: PipeReader,
    lease: Lease,
    notice: Way,
) -> io::Result<Started> {
    let attended = Pipes::take(&mut child, stdout).and_then(|pipes| Ok((pipes, notice(pid)?)));
    let unreaped = Unreaped { child, lease };
    match attended {
        Ok((pipes, notice)) => Ok(Started {
            leader: Leader::new(pid, unreaped),
            notice,
            pipes,
        }),
        Err(error) => {
            leader::send(pid, Signal::KILL);
            super::reaper::reap_later(pid, unreaped);
            Err(error)
        }
    }
}
