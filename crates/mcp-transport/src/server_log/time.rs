//! Points in time as UTC text, for reading and sorting.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// The clock of the log when the host gives none.
#[expect(
    clippy::disallowed_methods,
    reason = "a log says when things happened in the world; tests give a clock of their own"
)]
pub(super) fn now() -> SystemTime {
    SystemTime::now()
}

/// Displays as `2026-11-30T16:20:01.123Z`.
pub(super) struct Timestamp(pub(super) SystemTime);

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A clock before 1970 is a broken clock.
        let since = self.0.duration_since(UNIX_EPOCH).unwrap_or_default();
        let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let milli = since.subsec_millis();
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z"
        )
    }
}

/// The Gregorian date so many days after 1970-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    const DAYS_OF_100_YEARS: u64 = 36_524;
    const DAYS_OF_4_YEARS: u64 = 1_461;
    // Counted from a first of March, so that the leap day is the last of its year.
    let since_march_0000 = days + 719_468;
    let era = since_march_0000 / DAYS_OF_400_YEARS;
    let day = since_march_0000 % DAYS_OF_400_YEARS;
    let year = (day - day / (DAYS_OF_4_YEARS - 1) + day / DAYS_OF_100_YEARS
        - day / (DAYS_OF_400_YEARS - 1))
        / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March on have 31, 30, 31, 30, 31 days, over and over: 153 in five.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year + carry, month, day)
}
