//! Headers that a server sends, and what is read out of a body of an error.

use std::time::{Duration, SystemTime};

use reqwest::Url;

use crate::Challenge;
use crate::http::excerpt::excerpt;
use crate::http::lost_session::is_lost_session;
use crate::http::media::Media;
use crate::http::redirect::{Redirect, judge, shown};
use crate::http::retry;

const ENDPOINTS: [&str; 4] = [
    "http://host.test/mcp",
    "https://user:word@host.test/mcp?key=hidden",
    "http://host.test:8080/a/b",
    "https://[::1]:8443/",
];

/// Any text as each header that is read: challenges can be written again and read as the same, a wait is never long, a
/// redirect never leads elsewhere, and what is shown is short and clean.
pub fn headers(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    challenges(text);
    media(text, data);
    waits(text);
    for endpoint in ENDPOINTS {
        redirects(endpoint, text);
    }
    if is_lost_session(data) {
        let said: serde_json::Value = serde_json::from_slice(data).unwrap_or_default();
        assert!(said.get("error").is_some());
    }
}

fn challenges(text: &str) {
    let read = Challenge::parse(text);
    let written: Vec<String> = read
        .iter()
        .map(|challenge| {
            assert!(!challenge.to_string().contains(char::is_control));
            let pairs = challenge.parameters.iter().map(|(name, value)| {
                format!(
                    "{name}=\"{}\"",
                    value.replace('\\', "\\\\").replace('"', "\\\"")
                )
            });
            format!(
                "{} {}",
                challenge.scheme,
                pairs.collect::<Vec<_>>().join(", ")
            )
        })
        .collect();
    assert_eq!(Challenge::parse(&written.join(", ")), read);
}

fn media(text: &str, body: &[u8]) {
    let media = Media::of(Some(text));
    assert_eq!(
        Media::of(Some(&media.to_string())).is_markup(),
        media.is_markup()
    );
    for media in [media, Media::Json, Media::of(Some("text/html"))] {
        let excerpt = excerpt(body, &media);
        assert!(excerpt.chars().count() <= 201 && !excerpt.contains(char::is_control));
    }
}

fn waits(text: &str) {
    let now = SystemTime::UNIX_EPOCH + Duration::from_hours(500_000);
    for date in [None, Some(text), Some("Sun, 06 Nov 1994 08:49:37 GMT")] {
        let wanted = retry::retry_after(Some(text), date, now);
        if let Some(wait) = retry::wait(1, wanted, 7) {
            assert!(wait <= Duration::from_secs(20));
        }
    }
    let _ = retry::retry_after(Some("Sun, 06 Nov 1994 08:49:37 GMT"), Some(text), now);
}

fn redirects(endpoint: &str, location: &str) {
    let Ok(from) = Url::parse(endpoint) else {
        return;
    };
    for status in [301, 307] {
        match judge(&from, status, Some(location)) {
            Redirect::Follow(to) => {
                assert_eq!(status, 307);
                assert_eq!(to.host_str(), from.host_str());
                assert_eq!(
                    (to.username(), to.password()),
                    (from.username(), from.password())
                );
                assert!(to.scheme() == from.scheme() || to.scheme() == "https");
                let ports = (from.port_or_known_default(), to.port_or_known_default());
                assert!(ports.0 == ports.1 || ports == (Some(80), Some(443)));
                check_shown(&shown(&to));
            }
            Redirect::Refuse { to, why } => {
                assert!(!why.is_empty() && !to.contains(char::is_control));
                check_shown(&to);
            }
        }
    }
}

/// Nothing but scheme, host, port and path of a URL is shown.
fn check_shown(text: &str) {
    if let Ok(url) = Url::parse(text.trim_end_matches("?…")) {
        assert!(url.username().is_empty() && url.password().is_none());
        assert!(url.query().is_none() && url.fragment().is_none());
    }
}
