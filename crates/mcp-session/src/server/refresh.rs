//! When a server's list is taken again: bursts of notifications become one running refresh and one
//! follow-up, with a gap that grows. Pure bookkeeping; the owner runs the refresh.

use std::time::Duration;

use tokio::time::Instant;

/// The first gap between two refreshes; each further one doubles it.
const FIRST_GAP: Duration = Duration::from_millis(100);
const LONGEST_GAP: Duration = Duration::from_mins(1);
/// After so long without a notification, a server counts as quiet and the gap begins anew.
const QUIET: Duration = Duration::from_secs(30);
/// So many refreshes in a row that brought nothing new, and the notifications of this exchange are
/// believed no more: some servers notify after each listing.
const FRUITLESS_LIMIT: u32 = 3;

/// What made a refresh necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Notification,
    Exchange,
}

#[derive(Debug, Default)]
pub(super) struct Refresher {
    wanted: Option<Cause>,
    running: Option<Cause>,
    gap: Duration,
    /// No refresh before this instant.
    not_before: Option<Instant>,
    fruitless: u32,
    /// The next exchange should look again, since a notification led to nothing or was not
    /// followed.
    doubtful: bool,
}

impl Refresher {
    /// The server says that its tools changed.
    pub(super) fn notified(&mut self, now: Instant) {
        if self.not_before.is_some_and(|instant| now > instant + QUIET) {
            self.gap = Duration::ZERO;
            self.fruitless = 0;
        }
        if self.fruitless < FRUITLESS_LIMIT {
            self.wanted = Some(Cause::Notification);
        } else {
            self.doubtful = true;
        }
    }

    /// An exchange begins: a list in doubt is taken again, without a gap.
    pub(super) fn exchange_begins(&mut self) {
        if std::mem::take(&mut self.doubtful) || self.wanted.is_some() {
            self.fruitless = 0;
            self.not_before = None;
            self.wanted = Some(Cause::Exchange);
        }
    }

    /// When the next refresh is due; nothing while one runs or none is wanted.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        let wanted = self.wanted.is_some() && self.running.is_none();
        wanted.then(|| self.not_before.unwrap_or(now))
    }

    /// Whether an exchange that begins has something to ask for.
    pub(super) fn in_doubt(&self) -> bool {
        self.doubtful || self.wanted.is_some()
    }

    pub(super) fn started(&mut self) {
        self.running = self.wanted.take();
    }

    /// A refresh ended; `changed` says whether it brought anything new.
    pub(super) fn ended(&mut self, changed: bool, now: Instant) {
        let notified = self.running.take() == Some(Cause::Notification);
        self.fruitless = if changed { 0 } else { self.fruitless + 1 };
        self.doubtful = notified && !changed;
        self.gap = (self.gap * 2).clamp(FIRST_GAP, LONGEST_GAP);
        self.not_before = Some(now + self.gap);
    }

    /// A new connection brings its own listing: nothing is left to do.
    pub(super) fn reset(&mut self) {
        *self = Refresher::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: Instant, millis: u64) -> Instant {
        start + Duration::from_millis(millis)
    }

    #[test]
    fn a_burst_makes_one_refresh_and_one_follow_up() {
        let start = Instant::now();
        let mut refresher = Refresher::default();
        refresher.notified(start);
        assert_eq!(refresher.due(start), Some(start));
        refresher.started();
        for _ in 0..200 {
            refresher.notified(start);
        }
        assert_eq!(refresher.due(start), None, "one is running");
        refresher.ended(true, at(start, 5));
        assert_eq!(refresher.due(at(start, 5)), Some(at(start, 105)));
        refresher.started();
        refresher.ended(true, at(start, 110));
        assert_eq!(refresher.due(at(start, 110)), None);
    }

    #[test]
    fn a_server_that_notifies_after_each_listing_is_left_alone_until_the_next_exchange() {
        let mut now = Instant::now();
        let mut refresher = Refresher::default();
        let mut gaps = Vec::new();
        refresher.notified(now);
        while let Some(due) = refresher.due(now) {
            gaps.push(due - now);
            now = due;
            refresher.started();
            refresher.ended(false, now);
            refresher.notified(now);
        }
        assert_eq!(gaps, [0, 100, 200].map(Duration::from_millis));
        refresher.exchange_begins();
        assert_eq!(refresher.due(now), Some(now));
    }

    #[test]
    fn a_change_that_could_not_be_seen_yet_is_looked_for_at_the_next_exchange_once() {
        let now = Instant::now();
        let mut refresher = Refresher::default();
        refresher.exchange_begins();
        assert_eq!(refresher.due(now), None, "nothing is in doubt");
        refresher.notified(now);
        refresher.started();
        refresher.ended(false, now);
        assert_eq!(refresher.due(now), None);
        refresher.exchange_begins();
        assert_eq!(refresher.due(now), Some(now));
        refresher.started();
        refresher.ended(false, now);
        refresher.exchange_begins();
        assert_eq!(refresher.due(now), None);
    }

    #[test]
    fn a_quiet_server_is_believed_again_at_once() {
        let start = Instant::now();
        let mut refresher = Refresher::default();
        for _ in 0..FRUITLESS_LIMIT {
            refresher.notified(start);
            refresher.started();
            refresher.ended(false, start);
        }
        refresher.notified(start);
        assert_eq!(refresher.due(start), None);
        let later = start + QUIET * 2;
        refresher.notified(later);
        assert!(refresher.due(later).is_some_and(|due| due <= later));
    }
}
