//! Signals that ask the command to end. Servers are ended first, then the command ends with the code that a
//! shell gives to that signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use tokio::sync::watch;

/// Listens for signals that end the command.
pub(super) struct Signals {
    stop: watch::Receiver<bool>,
    code: Arc<AtomicU8>,
    at_once: Arc<AtomicBool>,
}

impl Signals {
    /// Starts to listen, on a thread of its own for the rest of the process. A second signal ends the
    /// process at once.
    pub(super) fn listen() -> Signals {
        let (sender, stop) = watch::channel(false);
        let code = Arc::new(AtomicU8::new(0));
        let at_once = Arc::new(AtomicBool::new(false));
        let (heard, idle) = (Arc::clone(&code), Arc::clone(&at_once));
        std::thread::spawn(move || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
            else {
                // Without it a signal ends the process by its default, and servers end with their input.
                return;
            };
            runtime.block_on(async {
                let Some(mut ends) = Ends::new() else { return };
                let first = ends.next().await;
                if idle.load(Ordering::SeqCst) {
                    std::process::exit(i32::from(first));
                }
                heard.store(first, Ordering::SeqCst);
                // The run may be over, which is what was wanted.
                let _ = sender.send(true);
                std::process::exit(i32::from(ends.next().await));
            });
        });
        Signals {
            stop,
            code,
            at_once,
        }
    }

    /// Becomes true when the command must end.
    pub(super) fn stop(&self) -> watch::Receiver<bool> {
        self.stop.clone()
    }

    /// From here on nothing has to be ended first: a signal ends the process at once.
    pub(super) fn end_at_once(&self) {
        self.at_once.store(true, Ordering::SeqCst);
    }

    /// The exit code of the signal that was heard, if one was.
    pub(super) fn code(&self) -> Option<u8> {
        Some(self.code.load(Ordering::SeqCst)).filter(|code| *code != 0)
    }
}

#[cfg(unix)]
struct Ends {
    hangup: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Ends {
    fn new() -> Option<Ends> {
        use tokio::signal::unix::{SignalKind, signal};
        Some(Ends {
            hangup: signal(SignalKind::hangup()).ok()?,
            interrupt: signal(SignalKind::interrupt()).ok()?,
            terminate: signal(SignalKind::terminate()).ok()?,
        })
    }

    /// The exit code that the next signal means.
    async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.hangup.recv() => 129,
            _ = self.interrupt.recv() => 130,
            _ = self.terminate.recv() => 143,
        }
    }
}

#[cfg(not(unix))]
struct Ends;

#[cfg(not(unix))]
impl Ends {
    fn new() -> Option<Ends> {
        Some(Ends)
    }

    async fn next(&mut self) -> u8 {
        // An error means that there will never be one.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        130
    }
}
