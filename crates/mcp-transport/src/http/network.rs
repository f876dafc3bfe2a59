//! Failures below HTTP: which of them pass, and what a person is told.

use std::error::Error as _;

use crate::{NetworkFailure, RequestError};

/// A failure to reach the server, or to hear its answer to the end. `proxy` is the variable that names what stands
/// between.
pub(super) fn network_error(
    method: &'static str,
    error: &reqwest::Error,
    proxy: Option<&str>,
) -> RequestError {
    let mut message = describe(error);
    if let Some(variable) = proxy.filter(|_| error.is_connect()) {
        message = format!(
            "{message} ({variable} names a proxy for all hosts that NO_PROXY does not except)"
        );
    }
    RequestError::Network {
        method,
        message,
        cause: cause(error),
        sent: !is_unsent(error),
    }
}

/// Whether nothing of the request can have arrived.
pub(super) fn is_unsent(error: &reqwest::Error) -> bool {
    error.is_connect() || error.is_builder()
}

/// Whether another try may succeed: the server is being restarted, or a kept connection was gone. A certificate
/// that is refused stays refused.
pub(super) fn is_transient(error: &reqwest::Error) -> bool {
    cause(error) == NetworkFailure::Connection
        && (error.is_connect() || error.is_request() || error.is_body())
}

/// The layers below the client have no types of their own for these, so their words decide.
fn cause(error: &reqwest::Error) -> NetworkFailure {
    let text = chain(error);
    if text.contains("dns error") {
        NetworkFailure::Dns
    } else if ["certificate", "HandshakeFailure", "corrupt message"]
        .iter()
        .any(|word| text.contains(word))
    {
        NetworkFailure::Tls
    } else {
        NetworkFailure::Connection
    }
}

/// The causes in one line, without the URL, whose query may hold a secret.
fn describe(error: &reqwest::Error) -> String {
    let text = chain(error);
    let what = if error.is_timeout() {
        "connecting took too long"
    } else if error.is_connect() {
        "cannot connect to the server"
    } else {
        "the exchange with the server broke off"
    };
    if text.is_empty() {
        what.to_owned()
    } else {
        format!("{what}: {text}")
    }
}

fn chain(error: &reqwest::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Several layers of the client repeat what the one below says.
        if !parts.iter().any(|part| part.contains(&text)) {
            parts.push(text);
        }
        cause = error.source();
    }
    parts.retain(|part| {
        !matches!(
            part.as_str(),
            "client error (Connect)" | "client error (SendRequest)"
        )
    });
    parts.join(": ")
}
