//! How servers say that they no longer know a session (design §11.5; several published servers do not use 404).

/// Whether a message of a server says that the session is unknown to it.
pub(super) fn speaks_of_lost_session(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let signs = [
        "not found",
        "notfound",
        "unknown",
        "expired",
        "invalid",
        "terminated",
        "no valid",
        "not valid",
        "does not exist",
        "no longer",
        "not initialized",
        "missing",
    ];
    text.contains("session") && signs.iter().any(|sign| text.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::speaks_of_lost_session;

    #[test]
    fn the_ways_in_which_servers_say_it() {
        for (text, expected) in [
            ("Session not found", true),
            ("Bad Request: No valid session ID provided", true),
            ("Invalid or expired session", true),
            ("unknown session id", true),
            ("The session was terminated", true),
            ("bad city", false),
            ("no such file: not found", false),
            ("your session is running", false),
        ] {
            assert_eq!(speaks_of_lost_session(text), expected, "{text}");
        }
    }
}
