//! What a Streamable HTTP connection goes to: the endpoint, its headers, and what the environment says of proxies and
//! certificates. Checked here, so that nothing invalid reaches the HTTP client.

use std::fmt;
use std::sync::Arc;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::auth::AuthProvider;
use super::redirect::shown;

/// Headers that the transport itself sets; a configured one would break the protocol.
const RESERVED: [&str; 12] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];

/// A Streamable HTTP endpoint and how to reach it.
///
/// ```
/// use mcp_transport::HttpSpec;
///
/// let spec = HttpSpec::new("https://tools.test/mcp")?.header("X-Key", "k-123456")?;
/// assert_eq!(format!("{spec:?}"), r#"HttpSpec { url: "https://tools.test/mcp", headers: ["x-key"], .. }"#);
/// assert!(HttpSpec::new("ws://tools.test/mcp").is_err());
/// # Ok::<(), mcp_transport::HttpSpecError>(())
/// ```
#[derive(Clone)]
pub struct HttpSpec {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) auth: Option<Arc<dyn AuthProvider>>,
}

/// Why an endpoint cannot be used as given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpSpecError {
    /// The text is no URL at all. It is not shown, since it may hold a secret.
    #[error("the URL cannot be read: {reason}")]
    NotAUrl {
        /// What the parser says.
        reason: String,
    },
    /// The URL is not of scheme http or https.
    #[error("the URL has the scheme {scheme:?}, but only http and https are supported")]
    Scheme {
        /// The scheme found.
        scheme: String,
    },
    /// A header name that is not a token (RFC 9110 §5.1).
    #[error("{name:?} is not a header name")]
    HeaderName {
        /// The name found.
        name: String,
    },
    /// A header value with characters that a header cannot carry. The value is not shown.
    #[error("the value of the header {name} has a character that a header cannot carry ({what})")]
    HeaderValue {
        /// The header's name.
        name: String,
        /// What kind of character it is.
        what: &'static str,
    },
    /// A header that the transport sets by itself.
    #[error("the header {name} is set by the protocol and cannot be configured")]
    Reserved {
        /// The header's name.
        name: String,
    },
}

impl HttpSpec {
    /// An endpoint without headers, reached directly.
    ///
    /// # Errors
    ///
    /// A URL that cannot be read, or one that is not of http or https.
    pub fn new(url: &str) -> Result<Self, HttpSpecError> {
        let url = Url::parse(url.trim()).map_err(|error| HttpSpecError::NotAUrl {
            reason: error.to_string(),
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(HttpSpecError::Scheme {
                scheme: url.scheme().to_owned(),
            });
        }
        Ok(Self {
            url,
            headers: HeaderMap::new(),
            environment: Vec::new(),
            auth: None,
        })
    }

    /// Adds a header to every request of the connection. It is sent to this endpoint only, never to another host.
    ///
    /// # Errors
    ///
    /// A name or value that HTTP cannot carry, or a header of the protocol itself.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, HttpSpecError> {
        let parsed =
            HeaderName::from_bytes(name.as_bytes()).map_err(|_| HttpSpecError::HeaderName {
                name: name.escape_debug().to_string(),
            })?;
        if RESERVED.contains(&parsed.as_str()) || parsed.as_str().starts_with("mcp-param-") {
            return Err(HttpSpecError::Reserved {
                name: name.to_owned(),
            });
        }
        let what = match value.chars().find(|c| !matches!(c, '\t' | ' '..='~')) {
            Some('\r' | '\n') => Some("a line break"),
            Some('\0') => Some("a NUL"),
            Some(character) if character.is_ascii() => Some("a control character"),
            Some(_) => Some("one outside of ASCII"),
            None => None,
        };
        let refused = |what| HttpSpecError::HeaderValue {
            name: name.to_owned(),
            what,
        };
        if let Some(what) = what {
            return Err(refused(what));
        }
        let mut value = HeaderValue::from_str(value).map_err(|_| refused("a control character"))?;
        value.set_sensitive(true);
        self.headers.append(parsed, value);
        Ok(self)
    }

    /// The host's environment, from which `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY` (in either case) and
    /// `SSL_CERT_FILE` are taken.
    #[must_use]
    pub fn environment<I, K, V>(mut self, variables: I) -> Self
    where
        I: IntoIterator<Item = (K, V)>,
        K: Into<String>,
        V: Into<String>,
    {
        self.environment = variables
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        self
    }

    /// Where each request gets its credential from.
    #[must_use]
    pub fn auth(mut self, provider: Arc<dyn AuthProvider>) -> Self {
        self.auth = Some(provider);
        self
    }

    /// The value of an environment variable, looked up in upper case first, then in lower case.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        let find = |name: &str| {
            self.environment
                .iter()
                .rev()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.as_str())
        };
        find(name)
            .or_else(|| find(&name.to_ascii_lowercase()))
            .filter(|value| !value.is_empty())
    }
}

impl fmt::Debug for HttpSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSpec")
            .field("url", &shown(&self.url))
            .field(
                "headers",
                &self
                    .headers
                    .keys()
                    .map(HeaderName::as_str)
                    .collect::<Vec<_>>(),
            )
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::HttpSpec;

    #[test]
    fn what_http_cannot_carry_is_refused_without_showing_it() {
        for (name, value, says) in [
            ("X-A", "tok-123456\n", "a line break"),
            ("X-A", "tok-123456\r\nX: y", "a line break"),
            ("X-A", "tok-123456\0", "a NUL"),
            ("X-A", "tok-123456é", "outside of ASCII"),
            ("X-A", "tok-123456\u{7f}", "a control character"),
            ("X A", "tok-123456", "not a header name"),
            ("X:A\n", "tok-123456", "not a header name"),
            ("Accept", "tok-123456", "set by the protocol"),
            ("MCP-Session-Id", "tok-123456", "set by the protocol"),
            ("Mcp-Param-x", "tok-123456", "set by the protocol"),
        ] {
            let error = HttpSpec::new("http://h.test/")
                .unwrap()
                .header(name, value)
                .unwrap_err()
                .to_string();
            assert!(error.contains(says), "{name:?}: {error}");
            assert!(!error.contains("tok-123456"), "{error}");
        }
    }

    #[test]
    fn only_http_urls_are_accepted_and_secrets_in_them_are_not_shown() {
        for (url, says) in [
            ("wss://h.test/mcp", "\"wss\""),
            ("file:///etc/x", "\"file\""),
            ("h.test/mcp", "cannot be read"),
            ("", "cannot be read"),
        ] {
            assert!(
                HttpSpec::new(url).unwrap_err().to_string().contains(says),
                "{url}"
            );
        }
        let shown = format!(
            "{:?}",
            HttpSpec::new("https://user:pw-secret@h.test/mcp?key=q-secret#f").unwrap()
        );
        assert!(!shown.contains("secret"), "{shown}");
    }
}
