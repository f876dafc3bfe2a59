//! How servers say that they no longer know a session (design §11.5; several published servers do not use 404).

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

/// No answer that says so is longer; one of the size of a real result is none of these.
const LONGEST: usize = 1024;
/// One of these is in each of them, and in few results.
const HINTS: [&[u8]; 2] = [b"ession", b"erver not init"];

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
        "closed",
    ];
    (text.contains("session") && signs.iter().any(|sign| text.contains(sign)))
        || text.contains("server not initialized")
}

/// Whether an error of JSON-RPC with this code may be about the session: one about the request itself is not.
pub(super) fn may_be_about_session(code: i64) -> bool {
    code == INVALID_REQUEST || (SERVER_ERRORS.0..=SERVER_ERRORS.1).contains(&code)
}

/// Whether the body of a refusal says that the session is gone, in whatever form.
pub(super) fn tells_of_lost_session(body: &[u8]) -> bool {
    body.len() <= LONGEST && speaks_of_lost_session(&String::from_utf8_lossy(body))
}

/// Whether the message in a success says that the session is gone: an error that speaks of the session, JSON-RPC or
/// not. One whose code is about the request itself, and a message that merely mentions sessions, are none.
pub(super) fn is_lost_session(message: &[u8]) -> bool {
    if message.len() > LONGEST
        || !HINTS
            .iter()
            .any(|hint| memmem::find(message, hint).is_some())
    {
        return false;
    }
    let Ok(said) = serde_json::from_slice::<Said<'_>>(message) else {
        return false;
    };
    let Some(error) = said.error.filter(|error| error.get() != "null") else {
        return false;
    };
    // What is no JSON-RPC error has no code, and is judged by its words alone.
    let code =
        serde_json::from_str::<Coded>(error.get()).map_or(SERVER_ERRORS.0, |error| error.code);
    said.method.is_none()
        && said.result.is_none()
        && may_be_about_session(code)
        && speaks_of_lost_session(error.get())
}

const INVALID_REQUEST: i64 = -32600;
/// The codes that JSON-RPC leaves to servers.
const SERVER_ERRORS: (i64, i64) = (-32099, -32000);

#[derive(Deserialize)]
struct Said<'a> {
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Coded {
    code: i64,
}

#[cfg(test)]
mod tests {
    use super::{is_lost_session, speaks_of_lost_session};

    #[test]
    fn only_an_error_about_the_session_is_a_lost_session() {
        for (message, expected) in [
            (r#"{"error":"Session not found"}"#, true),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Session not found"}}"#,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid session"}}"#,
                true,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown browser session"}}"#,
                false,
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"session not found"}}"#,
                false,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"error":"session not found"}}"#,
                false,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Server not initialized"}}"#,
                true,
            ),
            (r#"{"error":null,"session":"not found"}"#, false),
            ("session not found", false),
        ] {
            assert_eq!(is_lost_session(message.as_bytes()), expected, "{message}");
        }
    }

    #[test]
    fn the_ways_in_which_servers_say_it() {
        for (text, expected) in [
            ("Session not found", true),
            ("Bad Request: No valid session ID provided", true),
            ("Invalid or expired session", true),
            ("unknown session id", true),
            ("The session was terminated", true),
            ("Session closed", true),
            ("Bad Request: Server not initialized", true),
            ("the database is not initialized", false),
            ("bad city", false),
            ("no such file: not found", false),
            ("your session is running", false),
        ] {
            assert_eq!(speaks_of_lost_session(text), expected, "{text}");
        }
    }
}
