//! Waiting until something is so. A journal and a status can only be looked at, so this looks again and
//! again; the trial's time limit bounds it.

use std::time::Duration;

use crate::artifact::Json;

const LOOK_AGAIN: Duration = Duration::from_millis(3);

/// Returns once `condition` holds.
pub(super) async fn until(mut condition: impl FnMut() -> bool) {
    while !condition() {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// How often a journal shows something: a method that was received, a signal, or another kind of entry.
pub(super) fn seen(journal: &[String], what: &str) -> usize {
    journal
        .iter()
        .map(|line| Json::lenient(line))
        .filter(|entry| {
            let method = entry
                .get("received")
                .and_then(|message| message.get("method"));
            let signal = entry.get("signal").and_then(Json::as_str);
            let http = entry.get("http").and_then(Json::as_str);
            method.and_then(Json::as_str) == Some(what)
                || signal == Some(what)
                || http == Some(what)
                || (what != "received" && entry.get(what).is_some())
        })
        .count()
}
