//! Credentials: who gets them, who is asked for others, and what is shown of them.
#![cfg(all(feature = "http", feature = "stdio"))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod http_support;
mod stdio_support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use http_support::Site;
use mcp_transport::{
    AuthFuture, AuthProvider, ConnectError, Connection, Credential, Era, Mask, Options, Refusal,
    RequestError,
};
use serde_json::{Value, json};
use stdio_support::{call, text_of, within};

const GOOD: &str = "Bearer good-credential-1";

/// Gives an old credential, and the good one once the old one was refused.
#[derive(Default)]
struct Renewing {
    refusals: Mutex<Vec<Refusal>>,
    renewed: AtomicUsize,
    never: bool,
}

impl AuthProvider for Renewing {
    fn credential(&self) -> AuthFuture<'_, Option<Credential>> {
        let old = self.renewed.load(Ordering::SeqCst) == 0;
        Box::pin(async move {
            Some(Credential::new(if old {
                "Bearer old-credential-0"
            } else {
                GOOD
            }))
        })
    }

    fn refused<'a>(&'a self, refusal: &'a Refusal) -> AuthFuture<'a, Option<Credential>> {
        self.refusals.lock().unwrap().push(refusal.clone());
        Box::pin(async move {
            if self.never {
                return None;
            }
            self.renewed.fetch_add(1, Ordering::SeqCst);
            Some(Credential::new(GOOD))
        })
    }
}

/// A server that refuses every request of this method whose credential is not the good one.
fn guarded(when: &str, status: u16) -> Site {
    let challenge = r#"Bearer realm="x", error="invalid_token", scope="a b", resource_metadata="https://h.test/meta""#;
    Site::new(&json!({
        "tools": [],
        "calls": { "t": { "text": "ran" } },
        "rules": [
            { "when": when, "header": { "authorization": GOOD }, "do": if when == "POST" { json!("default") } else { json!({ "text": "ran" }) } },
            { "when": when, "do": { "respond": { "status": status, "headers": { "WWW-Authenticate": challenge }, "body": "who are you?" } } },
        ],
    }))
}

#[tokio::test]
async fn a_refusal_without_a_provider_says_what_is_asked_for() {
    for status in [401, 403] {
        let site = guarded("POST", status);
        let error = site.connect(Options::default()).await.unwrap_err();
        let ConnectError::Request(RequestError::NeedsAuth { refusal, .. }) = &error else {
            panic!("{error:?}");
        };
        let challenge = &refusal.challenges[0];
        assert_eq!((refusal.status, refusal.header.as_deref()), (status, None));
        assert_eq!(
            (
                challenge.scheme.as_str(),
                challenge.error(),
                challenge.scope()
            ),
            ("Bearer", Some("invalid_token"), Some("a b"))
        );
        assert_eq!(challenge.resource_metadata(), Some("https://h.test/meta"));
        assert_eq!(
            site.requests("POST").len(),
            1,
            "nothing is fetched, nothing is tried again"
        );
    }
}

#[tokio::test]
async fn a_gateway_that_forbids_the_probe_forbids_nothing_else() {
    let site = Site::new(&json!({
        "tools": [],
        "calls": { "t": { "text": "ran" } },
        "rules": [{ "when": "server/discover", "do": { "respond": { "status": 403, "body": "method not allowed" } } }],
    }));
    let (connection, _events) = site.connect(Options::default()).await.unwrap();
    assert_eq!(connection.server().era, Era::Initialize);
    assert_eq!(text_of(call(&connection, "t").await), "ran");
}

#[tokio::test]
async fn a_refused_header_is_named_and_its_value_is_not() {
    for (name, shown) in [
        ("Authorization", "Authorization"),
        ("X-Api-Key", "x-api-key"),
    ] {
        let site = Site::new(
            &json!({ "rules": [{ "when": "POST", "do": { "respond": { "status": 401, "body": { "text": "bad token-value-123" } } } }] }),
        );
        let spec = site.spec().header(name, "token-value-123").unwrap();
        let options = Options::default().mask(Mask::new(["token-value-123"]));
        let error = within("connecting", Connection::http(spec, options))
            .await
            .unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(
            text.contains(&format!("the credentials in the header {shown}")),
            "{text}"
        );
        assert!(!text.contains("token-value-123"), "{text}");
        assert_eq!(site.requests("POST").len(), 1);
    }
}

#[tokio::test]
async fn another_credential_sends_the_refused_call_once_more() {
    for status in [401, 403] {
        let site = guarded("tools/call", status);
        let provider = Arc::new(Renewing::default());
        let spec = site.spec().auth(Arc::clone(&provider) as _);
        let options = Options::default().era(Some(Era::Initialize));
        let (connection, _events) = within("connecting", Connection::http(spec, options))
            .await
            .unwrap();
        assert_eq!(text_of(call(&connection, "t").await), "ran");
        assert_eq!(text_of(call(&connection, "t").await), "ran");
        let sent: Vec<Value> = site
            .requests("tools/call")
            .iter()
            .map(|line| line["headers"]["authorization"].clone())
            .collect();
        assert_eq!(sent, ["Bearer old-credential-0", GOOD, GOOD]);
        assert_eq!(
            provider.refusals.lock().unwrap()[0].challenges[0].error(),
            Some("invalid_token")
        );
    }
}

#[tokio::test]
async fn a_provider_without_another_credential_is_asked_once() {
    for never in [true, false] {
        let site = Site::new(
            &json!({ "tools": [], "rules": [{ "when": "tools/call", "do": { "respond": { "status": 401 } } }] }),
        );
        let provider = Arc::new(Renewing {
            never,
            ..Renewing::default()
        });
        let spec = site.spec().auth(Arc::clone(&provider) as _);
        let options = Options::default().era(Some(Era::Initialize));
        let (connection, _events) = within("connecting", Connection::http(spec, options))
            .await
            .unwrap();
        let error = call(&connection, "t").await.unwrap_err();
        assert!(matches!(error, RequestError::NeedsAuth { .. }), "{error:?}");
        assert_eq!(provider.refusals.lock().unwrap().len(), 1);
        assert_eq!(site.requests("tools/call").len(), if never { 1 } else { 2 });
    }
}

#[tokio::test]
async fn a_redirect_takes_the_request_along_only_to_the_same_host() {
    for status in [307, 308] {
        let site = Site::new(&json!({
            "tools": [],
            "calls": { "t": { "text": "moved in" } },
            "rules": [{ "when": "POST", "path": "/mcp", "do": { "respond": { "status": status, "headers": { "Location": "/mcp/" } } } }],
        }));
        let spec = site.spec().header("X-Key", "k-1234567").unwrap();
        let options = Options::default().era(Some(Era::Initialize));
        let (connection, _events) = within("connecting", Connection::http(spec, options))
            .await
            .unwrap();
        assert_eq!(text_of(call(&connection, "t").await), "moved in");
        let last = site.requests("tools/call").pop().unwrap();
        assert_eq!(
            (last["path"].as_str(), last["headers"]["x-key"].as_str()),
            (Some("/mcp/"), Some("k-1234567"))
        );
    }
}

#[tokio::test]
async fn nothing_configured_goes_to_another_host() {
    let other = Site::new(&json!({ "tools": [] }));
    for status in [301, 302, 303, 307, 308] {
        let elsewhere = other.url.replace("127.0.0.1", "localhost");
        let site = Site::new(
            &json!({ "rules": [{ "when": "POST", "do": { "respond": { "status": status, "headers": { "Location": elsewhere } } } }] }),
        );
        let spec = site
            .spec()
            .header("Authorization", "Bearer k-1234567")
            .unwrap();
        let error = within("connecting", Connection::http(spec, Options::default()))
            .await
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("moved to http://localhost") && !error.contains("k-1234567"),
            "{error}"
        );
    }
    assert!(other.requests("POST").is_empty() && other.requests("GET").is_empty());
}

#[tokio::test]
async fn a_redirect_in_a_circle_ends() {
    let site = Site::new(
        &json!({ "rules": [{ "when": "POST", "do": { "respond": { "status": 307, "headers": { "Location": "/mcp" } } } }] }),
    );
    let error = site
        .connect(Options::default().era(Some(Era::Initialize)))
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("more than 5 redirects"), "{error}");
}
