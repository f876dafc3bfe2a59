//! The claim of one process group on the watcher.

use rustix::process::Pid;

use super::registry;

/// Keeps the watcher alive; dropping it makes the watcher forget the group.
///
/// It must be dropped before the leader of the group is reaped.
#[derive(Debug)]
pub(in crate::process) struct Lease {
    group: Option<Pid>,
}

impl Lease {
    /// Makes sure that there is a watcher, before there is a group.
    pub(in crate::process) fn acquire() -> Self {
        registry::lock().acquire();
        Self { group: None }
    }

    /// Tells the watcher of the group.
    pub(in crate::process) fn watch(&mut self, group: Pid) {
        self.group = Some(group);
        registry::lock().add(group);
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        registry::lock().release(self.group);
    }
}
