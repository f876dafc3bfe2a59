//! The table of requests that wait for their answers. Each caller polls its own entry; no channel and
//! no task stands between it and the reader.

use std::collections::VecDeque;
use std::collections::btree_map::{self, BTreeMap};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::time::Instant;

use super::Reply;
use crate::{DropReason, Progress, RequestError};

/// Given-up requests remembered, so that their late answers are told from unknown ones.
const REMEMBERED: usize = 256;
/// Progress messages kept for a caller that does not read them; the newest are worth most.
const MAX_PROGRESS: usize = 64;
/// Bytes of their texts, for the same; the newest is kept in any case.
const MAX_PROGRESS_BYTES: usize = 1024 * 1024;
/// Notes kept for a request's error.
const MAX_NOTES: usize = 4;

#[derive(Debug, Default)]
pub(crate) struct Pending {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    last_id: u64,
    entries: BTreeMap<u64, Entry>,
    given_up: VecDeque<u64>,
    ended: Option<Ended>,
}

#[derive(Debug)]
struct Entry {
    method: &'static str,
    /// Any answer that fits no request fails it: there is no other that it could be meant for.
    strict: bool,
    sent: bool,
    wants_progress: bool,
    answer: Option<Result<Reply, RequestError>>,
    waker: Option<Waker>,
    heard: Option<Instant>,
    /// What few requests have, on its own so that the table stays small.
    extras: Option<Box<Extras>>,
}

#[derive(Debug, Default)]
struct Extras {
    progress: VecDeque<Progress>,
    notes: Vec<String>,
}

impl Entry {
    fn extras(&mut self) -> &mut Extras {
        self.extras.get_or_insert_default()
    }
}

/// How the whole connection ended.
#[derive(Clone, Debug)]
pub(crate) enum Ended {
    Closed,
    Dropped(Arc<DropReason>),
}

impl Ended {
    pub(crate) fn error(&self, sent: bool) -> RequestError {
        match self {
            Self::Closed => RequestError::Closed,
            Self::Dropped(reason) => RequestError::Dropped {
                reason: Arc::clone(reason),
                sent,
            },
        }
    }
}

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    Done,
    /// Its request had an answer already.
    Duplicate,
    /// Its request was given up.
    Late,
    /// There never was such a request.
    Unknown,
}

/// What a caller finds in its entry.
#[derive(Debug)]
pub(crate) enum Step {
    Answer(Result<Reply, RequestError>),
    Progress(VecDeque<Progress>),
}

impl Pending {
    /// Opens an entry and gives its id, and how many others there are. Ids begin with 1, so that a server that always answers 0 is
    /// found out by the first request.
    pub(crate) fn open(
        &self,
        method: &'static str,
        strict: bool,
        wants_progress: bool,
    ) -> Result<(u64, usize), RequestError> {
        let mut table = self.lock();
        if let Some(ended) = &table.ended {
            return Err(ended.error(false));
        }
        table.last_id += 1;
        let id = table.last_id;
        let entry = Entry {
            method,
            strict,
            wants_progress,
            sent: false,
            answer: None,
            waker: None,
            heard: None,
            extras: None,
        };
        let others = table.entries.len();
        table.entries.insert(id, entry);
        Ok((id, others))
    }

    /// The link is about to be given the request. False if the request has its end already: then it must not be sent,
    /// since its caller may have been told that it was not.
    pub(crate) fn mark_sent(&self, id: u64) -> bool {
        let mut table = self.lock();
        let entry = table.entries.get_mut(&id);
        entry
            .filter(|entry| entry.answer.is_none())
            .is_some_and(|entry| {
                entry.sent = true;
                true
            })
    }

    /// The link did not take the request.
    pub(crate) fn mark_unsent(&self, id: u64) {
        if let Some(entry) = self.lock().entries.get_mut(&id) {
            entry.sent = false;
        }
    }

    /// What is there for the caller of a request; removes the entry with its answer.
    pub(crate) fn poll(&self, id: u64, cx: &mut Context<'_>) -> Poll<Step> {
        let mut table = self.lock();
        let btree_map::Entry::Occupied(mut place) = table.entries.entry(id) else {
            return Poll::Pending;
        };
        let entry = place.get_mut();
        if let Some(extras) = &mut entry.extras
            && !extras.progress.is_empty()
        {
            return Poll::Ready(Step::Progress(mem::take(&mut extras.progress)));
        }
        if let Some(answer) = entry.answer.take() {
            place.remove();
            return Poll::Ready(Step::Answer(answer));
        }
        match &mut entry.waker {
            Some(waker) => waker.clone_from(cx.waker()),
            none => *none = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    /// Settles a request with an answer that may depend on its method.
    pub(crate) fn settle(
        &self,
        id: u64,
        answer: impl FnOnce(&'static str) -> Result<Reply, RequestError>,
    ) -> Settled {
        let mut guard = self.lock();
        let table = &mut *guard;
        match table.entries.get_mut(&id) {
            Some(entry) if entry.answer.is_none() => {
                entry.answer = Some(answer(entry.method));
                let waker = entry.waker.take();
                drop(guard);
                wake(waker);
                Settled::Done
            }
            Some(_) => Settled::Duplicate,
            None if id == 0 || id > table.last_id => Settled::Unknown,
            None => match table.given_up.iter().position(|other| *other == id) {
                Some(at) => {
                    table.given_up.remove(at);
                    Settled::Late
                }
                None => Settled::Duplicate,
            },
        }
    }

    /// The caller no longer waits. Tells whether the link has the request.
    pub(crate) fn give_up(&self, id: u64) -> bool {
        let mut table = self.lock();
        let Some(entry) = table.entries.remove(&id) else {
            return false;
        };
        if !entry.sent || entry.answer.is_some() {
            return false;
        }
        if table.given_up.len() == REMEMBERED {
            table.given_up.pop_front();
        }
        table.given_up.push_back(id);
        true
    }

    /// The server is at work on a request.
    pub(crate) fn progress(&self, id: u64, progress: Progress) {
        let mut table = self.lock();
        let Some(entry) = table.entries.get_mut(&id) else {
            return;
        };
        entry.heard = Some(Instant::now());
        if !entry.wants_progress {
            return;
        }
        let kept = &mut entry.extras().progress;
        kept.push_back(progress);
        while kept.len() > MAX_PROGRESS || kept.len() > 1 && bytes(kept) > MAX_PROGRESS_BYTES {
            kept.pop_front();
        }
        let waker = entry.waker.take();
        drop(table);
        wake(waker);
    }

    /// When the server last showed progress.
    pub(crate) fn heard(&self, id: u64) -> Option<Instant> {
        self.lock().entries.get(&id)?.heard
    }

    /// What was odd while the request waited.
    pub(crate) fn notes(&self, id: u64) -> Vec<String> {
        let mut table = self.lock();
        let entry = table.entries.get_mut(&id);
        entry
            .map(|entry| mem::take(&mut entry.extras().notes))
            .unwrap_or_default()
    }

    /// Adds a note to every request that waits: each may be the one that it is about.
    pub(crate) fn note(&self, text: &str) {
        let mut table = self.lock();
        for entry in table.entries.values_mut() {
            let notes = &mut entry.extras().notes;
            if notes.len() < MAX_NOTES && !notes.iter().any(|note| note == text) {
                notes.push(text.to_owned());
            }
        }
    }

    /// An answer that fits no request: fails those of the handshake with this message.
    pub(crate) fn fail_strict(&self, message: &str) {
        let mut table = self.lock();
        let mut wakers = Vec::new();
        for entry in table.entries.values_mut().filter(|entry| entry.strict) {
            if entry.answer.is_none() {
                entry.answer = Some(Err(RequestError::invalid(entry.method, "id", message)));
                wakers.extend(entry.waker.take());
            }
        }
        drop(table);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// The only request that waits, if it is the only one, and whether it is one of the handshake.
    pub(crate) fn only(&self) -> Option<(u64, bool)> {
        let table = self.lock();
        let mut waiting = table
            .entries
            .iter()
            .filter(|(_, entry)| entry.answer.is_none());
        match (waiting.next(), waiting.next()) {
            (Some((id, entry)), None) => Some((*id, entry.strict)),
            _ => None,
        }
    }

    /// Ends everything: no request is taken any more. Gives the ids that still wait; each is then failed
    /// with [`fail`](Self::fail). Does nothing the second time.
    pub(crate) fn end(&self, ended: &Ended) -> Vec<u64> {
        let mut table = self.lock();
        if table.ended.is_some() {
            return Vec::new();
        }
        table.ended = Some(ended.clone());
        let waiting = table
            .entries
            .iter()
            .filter(|(_, entry)| entry.answer.is_none());
        waiting.map(|(id, _)| *id).collect()
    }

    /// Fails a request because everything ended; `queued` says that the link still held it.
    pub(crate) fn fail(&self, id: u64, ended: &Ended, queued: bool) {
        let mut table = self.lock();
        let Some(entry) = table.entries.get_mut(&id) else {
            return;
        };
        if entry.answer.is_none() {
            entry.answer = Some(Err(ended.error(entry.sent && !queued)));
            let waker = entry.waker.take();
            drop(table);
            wake(waker);
        }
    }

    /// Whether a request still waits for its answer.
    #[cfg(feature = "http")]
    pub(crate) fn waits(&self, id: u64) -> bool {
        self.lock()
            .entries
            .get(&id)
            .is_some_and(|entry| entry.answer.is_none())
    }

    /// How many requests wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().entries.len()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// Bytes of the texts of progress.
fn bytes(progress: &VecDeque<Progress>) -> usize {
    let texts = progress.iter().filter_map(|one| one.message.as_ref());
    texts.map(String::len).sum()
}

#[cfg(test)]
mod tests;
