//! A session over HTTP: the one replay that an expired session allows, refused credentials, and
//! random histories of both.
#![cfg(feature = "http")]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

#[path = "../session/support/dice.rs"]
mod dice;
mod server;
mod simulation;

use mcp_config::{Environment, Layer};
use mcp_session::{CallFailure, ServerState, Session};
use serde_json::json;

use server::{Meets, Server};

fn write(folder: &std::path::Path, entry: &serde_json::Value) {
    let text = json!({"mcpServers": {"web": entry}}).to_string();
    std::fs::write(folder.join("mcp.json"), text).unwrap();
}

fn session(folder: &std::path::Path, server: &Server) -> Session {
    write(
        folder,
        &json!({"url": server.url(), "headers": {"Authorization": "Bearer ${TOKEN}"}}),
    );
    let environment: Environment = [("TOKEN", "tok-secret-1")].into_iter().collect();
    Session::builder()
        .layers([Layer::user(folder.join("mcp.json"))])
        .base(folder)
        .environment(environment)
        .build()
}

#[tokio::test]
async fn a_call_that_an_expired_session_refused_is_sent_once_more_on_a_new_one() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let session = session(folder.path(), &server);
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(exchange.call("mcp__web__run", "{}").await.text(), "s1");
    server.plan([Meets::Expiry]);
    assert_eq!(exchange.call("mcp__web__run", "{}").await.text(), "s2");
    assert_eq!(server.ran_in(), ["s1", "s2"]);

    // A second expiry in a row fails the call; the next call has a session again.
    server.plan([Meets::Expiry, Meets::Expiry]);
    let result = exchange.call("mcp__web__run", "{}").await;
    assert_eq!(
        result.failure,
        Some(CallFailure::SessionExpired),
        "{}",
        result.text()
    );
    assert!(!exchange.call("mcp__web__run", "{}").await.is_error);
    assert_eq!(server.ran_in().len(), 3);
    session.close().await;
}

#[tokio::test]
async fn refused_credentials_name_the_header_and_the_variable_behind_it() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let session = session(folder.path(), &server);
    let exchange = session.begin_exchange().await.unwrap();
    server.plan([Meets::Refusal]);
    let result = exchange.call("mcp__web__run", "{}").await;
    assert_eq!(result.failure, Some(CallFailure::NeedsAuth));
    assert!(
        result
            .text()
            .contains("Authorization comes from the variable TOKEN"),
        "{}",
        result.text()
    );
    drop(exchange);

    server.refuse_all();
    session.refresh("web").unwrap();
    let mut changes = session.changes();
    let status = loop {
        let status = changes.next().await.unwrap();
        if status.state == ServerState::Failed {
            break status;
        }
    };
    let error = status.error.unwrap();
    assert!(
        error.contains("401") && error.contains("the variable TOKEN"),
        "{error}"
    );
    assert!(!error.contains("tok-secret"), "{error}");
    session.close().await;
}
