//! What stands between a host and its servers: proxies of the environment, hosts that are excepted, extra certificates.
#![cfg(all(feature = "http", feature = "stdio"))]

mod http_support;
mod stdio_support;

use std::time::Duration;

use http_support::Site;
use mcp_transport::{Connection, Era, HttpSpec, Options};
use serde_json::json;
use stdio_support::{call, text_of, within};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

#[tokio::test]
async fn a_proxy_of_the_environment_is_used_unless_the_host_is_excepted() {
    let proxy =
        Site::new(&json!({ "tools": [], "calls": { "t": { "text": "through the proxy" } } }));
    let address = proxy.url.trim_end_matches("/mcp").to_owned();
    let spec = |url: &str, extra: &[(&str, &str)]| {
        let mut variables = vec![("http_proxy", address.as_str())];
        variables.extend(extra);
        HttpSpec::new(url).unwrap().environment(variables)
    };
    let options = || Options::default().era(Some(Era::Initialize));
    for url in ["http://tools.invalid/mcp", "http://[::1]:1/mcp"] {
        let connecting = Connection::http(spec(url, &[("NO_PROXY", "*.test")]), options());
        let (connection, _events) = within("connecting", connecting).await.unwrap();
        assert_eq!(text_of(call(&connection, "t").await), "through the proxy");
    }
    for (url, except) in [
        ("http://tools.invalid/mcp", ".invalid"),
        ("http://tools.invalid/mcp", "*.invalid"),
        ("http://tools.invalid/mcp", "*.invalid:80"),
        ("http://[::1]:1/mcp", "::1"),
        ("http://[::1]:1/mcp", "[::1]"),
        ("http://[::1]:1/mcp", "[::1]:1"),
    ] {
        let direct = Connection::http(spec(url, &[("NO_PROXY", except)]), options());
        let error = within("connecting", direct).await.unwrap_err().to_string();
        assert!(error.contains("cannot connect"), "{except}: {error}");
    }
    let bad = HttpSpec::new("http://h.test/")
        .unwrap()
        .environment([("HTTPS_PROXY", "::: secret-in-proxy")]);
    let error = within("connecting", Connection::http(bad, options()))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("HTTPS_PROXY") && !error.contains("secret-in-proxy"),
        "{error}"
    );
}

#[tokio::test]
async fn every_way_of_excepting_a_host_from_the_proxy_is_understood() {
    let site = Site::with_tool(&json!({ "text": "direct" }));
    let port: u16 = site
        .url
        .trim_start_matches("http://127.0.0.1:")
        .trim_end_matches("/mcp")
        .parse()
        .unwrap();
    let options = || {
        Options::default()
            .era(Some(Era::Initialize))
            .start_timeout(Duration::from_secs(3))
    };
    let connect = |except: String| {
        let spec = HttpSpec::new(&site.url).unwrap().environment([
            ("HTTP_PROXY", "http://127.0.0.1:1".to_owned()),
            ("NO_PROXY", except),
        ]);
        within("connecting", Connection::http(spec, options()))
    };
    for except in [
        "*".to_owned(),
        "h.test, *".to_owned(),
        "127.0.0.1".to_owned(),
        "h.test, 127.0.0.0/8".to_owned(),
        format!("127.0.0.1:{port}"),
    ] {
        let (connection, _events) = connect(except.clone()).await.unwrap();
        assert_eq!(text_of(call(&connection, "t").await), "direct", "{except}");
        connection.close().await;
    }
    for except in ["h.test".to_owned(), format!("127.0.0.1:{}", port ^ 1)] {
        let error = connect(except).await.unwrap_err().to_string();
        assert!(
            error.contains("HTTP_PROXY names a proxy") && error.contains("NO_PROXY"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_socks_proxy_is_spoken_to() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = format!("socks5h://{}", listener.local_addr().unwrap());
    let spec = HttpSpec::new("http://tools.invalid/mcp")
        .unwrap()
        .environment([("ALL_PROXY", proxy)]);
    let connecting = Connection::http(spec, Options::default());
    let greeted = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut greeting = [0; 2];
        stream.read_exact(&mut greeting).await.unwrap();
        greeting[0]
    };
    tokio::select! {
        version = greeted => assert_eq!(version, 5),
        connected = connecting => panic!("{:?}", connected.err()),
    }
}

#[tokio::test]
async fn certificates_that_cannot_be_read_keep_no_server_away_that_needs_none() {
    let site = Site::with_tool(&json!({ "text": "ok" }));
    let spec = HttpSpec::new(&site.url)
        .unwrap()
        .environment([("SSL_CERT_FILE", "/nowhere/roots.pem")]);
    let options = Options::default().era(Some(Era::Initialize));
    let (connection, _events) = within("connecting", Connection::http(spec, options))
        .await
        .unwrap();
    assert_eq!(text_of(call(&connection, "t").await), "ok");
}

#[tokio::test]
async fn a_file_of_certificates_that_cannot_be_read_is_named() {
    let spec = HttpSpec::new("https://h.test/")
        .unwrap()
        .environment([("SSL_CERT_FILE", "/nowhere/roots.pem")]);
    let error = within("connecting", Connection::http(spec, Options::default()))
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("SSL_CERT_FILE (/nowhere/roots.pem)"),
        "{error}"
    );
}
