//! Which redirects are followed: 307 and 308 to the same host, at most an upgrade from http to https. Headers carry
//! credentials and bodies carry arguments, so nothing else is followed; the error says where the server pointed.

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Method, Response, Url};

use super::endpoint::Endpoint;

/// How many redirects one request follows.
pub(crate) const MAX_REDIRECTS: usize = 5;

/// Why a redirect from https to http is not followed.
const GIVES_UP_TLS: &str = "it would give up TLS";

/// What to do with a redirect.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Redirect {
    Follow(Url),
    Refuse { to: String, why: &'static str },
}

/// Judges an answer with a 3xx status and its `Location`.
pub(crate) fn judge(from: &Url, status: u16, location: Option<&str>) -> Redirect {
    let Some(location) = location else {
        return Redirect::Refuse {
            to: String::new(),
            why: "the redirect names no location",
        };
    };
    let Ok(mut to) = from.join(location) else {
        return Redirect::Refuse {
            // It may hold anything, as a URL that is none cannot be cleaned.
            to: String::new(),
            why: "the location of the redirect is not a URL",
        };
    };
    let shown = shown(&to);
    let refuse = |why| Redirect::Refuse { to: shown, why };
    if !matches!(status, 307 | 308) {
        return refuse("this kind of redirect does not keep the request");
    }
    let user_info = |url: &Url| (url.username().to_owned(), url.password().map(str::to_owned));
    if user_info(&to) != Default::default() && user_info(&to) != user_info(from) {
        return refuse("the location carries credentials");
    }
    if from.host_str() != to.host_str() {
        return refuse("it is another host");
    }
    // Configured with the URL, they are kept like headers are. A URL with a host takes them.
    let _ = to.set_username(from.username());
    let _ = to.set_password(from.password());
    let ports = (from.port_or_known_default(), to.port_or_known_default());
    match (from.scheme(), to.scheme()) {
        (a, b) if a == b && ports.0 == ports.1 => Redirect::Follow(to),
        ("http", "https") if ports.0 == ports.1 || ports == (Some(80), Some(443)) => {
            Redirect::Follow(to)
        }
        ("https", "http") => refuse(GIVES_UP_TLS),
        (_, "http" | "https") => refuse("it is another port"),
        _ => refuse("it is another scheme"),
    }
}

/// What a person is told of a redirect that is not followed.
pub(super) fn moved(to: &str, why: &str) -> String {
    match to.strip_prefix("http://") {
        _ if to.is_empty() => why.to_owned(),
        // A server behind what ends TLS for it, most often, which does not know how it was called.
        Some(rest) if why == GIVES_UP_TLS => format!(
            "the endpoint moved to {to}, and {why}; if https://{rest} is it, write that into the configuration"
        ),
        _ => format!(
            "the endpoint moved to {to}, and {why}; write that URL into the configuration if it is right"
        ),
    }
}

/// Sends a request without a message, and follows redirects as those with one do.
pub(super) async fn send_bare(
    endpoint: &Endpoint,
    method: Method,
    headers: &HeaderMap,
) -> reqwest::Result<Response> {
    let mut url = endpoint.url().clone();
    let mut redirects = 0;
    loop {
        let response = endpoint
            .client
            .request(method.clone(), url.clone())
            .headers(headers.clone())
            .send()
            .await?;
        let status = response.status();
        if !status.is_redirection() || redirects == MAX_REDIRECTS {
            return Ok(response);
        }
        let location = response.headers().get(LOCATION);
        let location = location.and_then(|value| value.to_str().ok());
        match judge(&url, status.as_u16(), location) {
            Redirect::Follow(to) => url = to,
            Redirect::Refuse { .. } => return Ok(response),
        }
        redirects += 1;
    }
}

/// A URL as a message may show it: without user info, query and fragment, where secrets live.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    let had_query = url.query().is_some();
    // These fail only for URLs that cannot have user info, which then have none to hide.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    if had_query {
        format!("{url}?…")
    } else {
        url.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::{Redirect, judge, moved};

    /// From, status, location, and where to or why not.
    const CASES: &[(&str, u16, &str, Result<&str, &str>)] = &[
        ("http://h.test/mcp", 307, "/mcp/", Ok("http://h.test/mcp/")),
        (
            "http://h.test/mcp",
            308,
            "https://h.test/mcp",
            Ok("https://h.test/mcp"),
        ),
        (
            "http://h.test:8080/mcp",
            308,
            "https://h.test:8080/x",
            Ok("https://h.test:8080/x"),
        ),
        (
            "http://h.test:8080/mcp",
            308,
            "https://h.test/x",
            Err("another port"),
        ),
        (
            "https://h.test/mcp",
            308,
            "http://h.test/mcp",
            Err("give up TLS"),
        ),
        (
            "http://h.test/mcp",
            307,
            "http://h.test:81/mcp",
            Err("another port"),
        ),
        (
            "http://h.test/mcp",
            307,
            "http://other.test/mcp",
            Err("another host"),
        ),
        (
            "http://h.test/mcp",
            307,
            "//other.test/mcp",
            Err("another host"),
        ),
        (
            "http://h.test/mcp",
            307,
            "ftp://h.test/mcp",
            Err("another scheme"),
        ),
        (
            "http://h.test/mcp",
            307,
            "http://u:p@h.test/mcp",
            Err("credentials"),
        ),
        (
            "http://h.test/mcp",
            301,
            "https://h.test/mcp",
            Err("does not keep"),
        ),
        (
            "http://u:p@h.test/mcp",
            307,
            "/mcp/",
            Ok("http://u:p@h.test/mcp/"),
        ),
        (
            "http://u:p@h.test/mcp",
            307,
            "http://h.test/mcp/",
            Ok("http://u:p@h.test/mcp/"),
        ),
        (
            "http://u:p@h.test/mcp",
            307,
            "http://v:p@h.test/mcp/",
            Err("credentials"),
        ),
        ("http://h.test/mcp", 303, "/done", Err("does not keep")),
        ("http://h.test/mcp", 307, "http://", Err("not a URL")),
    ];

    #[test]
    fn only_redirects_that_keep_host_and_request_are_followed() {
        for (from, status, location, expected) in CASES {
            let from = reqwest::Url::parse(from).unwrap();
            match (judge(&from, *status, Some(location)), expected) {
                (Redirect::Follow(to), Ok(wanted)) => assert_eq!(to.as_str(), *wanted),
                (Redirect::Refuse { why, .. }, Err(wanted)) => {
                    assert!(why.contains(wanted), "{location}: {why}");
                }
                (judged, _) => panic!("{status} {location}: {judged:?}"),
            }
        }
    }

    #[test]
    fn nobody_is_advised_to_give_up_tls() {
        for (from, location, advice) in [
            (
                "https://h.test/mcp",
                "http://h.test/mcp/",
                "if https://h.test/mcp/ is it, write that",
            ),
            ("http://h.test/mcp", "http://o.test/", "write that URL"),
        ] {
            let from = reqwest::Url::parse(from).unwrap();
            let Redirect::Refuse { to, why } = judge(&from, 307, Some(location)) else {
                panic!("{location} was followed");
            };
            let said = moved(&to, why);
            assert!(said.contains(advice), "{said}");
        }
    }
}
