//! How far an attempt has come, and how long each part of it took: for a person who waits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;

use crate::status::Hub;

/// A part of an attempt to connect a server, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Stage {
    /// The values of its entry are resolved; their commands run.
    Resolve,
    /// Its process is started, or its URL dialled, and hands are shaken. Servers at one URL take
    /// turns, and the wait for one's turn belongs to it.
    Connect,
    /// All pages of its tools are asked for.
    List,
}

/// How long one stage took, or has taken so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StageTime {
    /// The stage.
    pub stage: Stage,
    /// From its beginning to its end; to now, while it is the one that the attempt is in.
    pub elapsed: Duration,
}

/// The stages of one attempt; it and the owner write, everyone reads.
#[derive(Debug)]
pub(crate) struct Stages {
    hub: Hub,
    server: Arc<str>,
    course: Mutex<Course>,
}

#[derive(Debug, Default)]
struct Course {
    entered: Vec<(Stage, Instant)>,
    ended: Option<Instant>,
}

impl Stages {
    pub(crate) fn new(hub: Hub, server: Arc<str>) -> Stages {
        Stages {
            hub,
            server,
            course: Mutex::default(),
        }
    }

    pub(super) fn enter(&self, stage: Stage) {
        self.lock().entered.push((stage, Instant::now()));
        self.hub.changed(&self.server);
    }

    /// The attempt is over; the snapshot that says how is published by its owner.
    pub(super) fn end(&self) {
        self.lock().ended = Some(Instant::now());
    }

    pub(crate) fn times(&self) -> Vec<StageTime> {
        let course = self.lock();
        let end = course.ended.unwrap_or_else(Instant::now);
        let ends = course.entered.iter().skip(1).map(|(_, begun)| *begun);
        course
            .entered
            .iter()
            .zip(ends.chain([end]))
            .map(|((stage, begun), end)| StageTime {
                stage: *stage,
                elapsed: end.saturating_duration_since(*begun),
            })
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
