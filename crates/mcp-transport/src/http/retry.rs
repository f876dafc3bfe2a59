//! When a request that did not run is sent again: which failures pass, and how long to wait.

use std::time::{Duration, SystemTime};

/// How often a request that may be repeated is sent at most.
pub(crate) const MAX_ATTEMPTS: u32 = 4;
/// The longest wait that a `Retry-After` may ask for; a longer one fails the request with that answer.
const MAX_WAIT: Duration = Duration::from_secs(20);
const FIRST_WAIT: Duration = Duration::from_millis(250);

/// Whether a status says that another try may succeed.
pub(crate) fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 429 | 502 | 503 | 504)
}

/// The wait before the next attempt (counted from 1), or nothing if the server wants a longer one than is sensible.
///
/// Half of a wait that we choose is random, so that clients that failed together do not come back together.
pub(crate) fn wait(attempt: u32, retry_after: Option<Duration>, random: u32) -> Option<Duration> {
    if let Some(wanted) = retry_after {
        return (wanted <= MAX_WAIT).then_some(wanted);
    }
    let full = FIRST_WAIT * 2_u32.saturating_pow(attempt.saturating_sub(1)).min(16);
    Some(full / 2 + (full / 2).mul_f64(f64::from(random) / f64::from(u32::MAX)))
}

/// Reads `Retry-After` in both of its forms, seconds and a date (RFC 9110 §10.2.3). A date counts from the answer's own
/// `Date` where it has one, so that a wrong clock on either side does no harm.
pub(crate) fn retry_after(
    header: Option<&str>,
    date: Option<&str>,
    now: SystemTime,
) -> Option<Duration> {
    let header = header?.trim();
    if let Ok(seconds) = header.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(header).ok()?;
    let from = date
        .and_then(|date| httpdate::parse_http_date(date.trim()).ok())
        .unwrap_or(now);
    Some(until.duration_since(from).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::{retry_after, wait};

    #[test]
    fn retry_after_is_read_as_seconds_and_as_a_date() {
        let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        for (header, date, expected) in [
            (Some("3"), None, Some(3)),
            (Some(" 120 "), None, Some(120)),
            (Some("Sun, 06 Nov 1994 08:49:47 GMT"), date, Some(10)),
            (Some("Sun, 06 Nov 1994 08:49:27 GMT"), date, Some(0)),
            (Some("Sun, 06 Nov 1994 08:49:27 GMT"), None, Some(0)),
            (Some("-1"), None, None),
            (Some("soon"), None, None),
            (None, None, None),
        ] {
            let read = retry_after(
                header,
                date,
                SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000),
            );
            assert_eq!(read.map(|wait| wait.as_secs()), expected, "{header:?}");
        }
    }

    #[test]
    fn waits_grow_are_spread_and_stay_bounded() {
        assert_eq!(wait(1, None, 0), Some(Duration::from_millis(125)));
        assert_eq!(wait(1, None, u32::MAX), Some(Duration::from_millis(250)));
        assert_eq!(wait(3, None, u32::MAX), Some(Duration::from_secs(1)));
        assert_eq!(wait(50, None, u32::MAX), Some(Duration::from_secs(4)));
        assert_eq!(
            wait(1, Some(Duration::from_secs(2)), 0),
            Some(Duration::from_secs(2))
        );
        assert_eq!(wait(1, Some(Duration::from_hours(1)), 0), None);
    }
}
