//! The `WWW-Authenticate` header (RFC 9110 §11.6.1): what a server asks for when it refuses a request.

use std::fmt;

/// One challenge of a 401 or 403 answer.
///
/// ```
/// use mcp_transport::Challenge;
///
/// let header = r#"Bearer realm="x", scope="files:read", resource_metadata="https://host.test/meta""#;
/// let challenge = &Challenge::parse(header)[0];
/// assert_eq!(challenge.scheme, "Bearer");
/// assert_eq!(challenge.scope(), Some("files:read"));
/// assert_eq!(challenge.resource_metadata(), Some("https://host.test/meta"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Challenge {
    /// The authentication scheme as the server wrote it, such as `Bearer`.
    pub scheme: String,
    /// The parameters in the order sent, names in lower case.
    pub parameters: Vec<(String, String)>,
}

impl Challenge {
    /// Reads every challenge of one header value. What is malformed is passed over: a challenge only informs.
    pub fn parse(header: &str) -> Vec<Self> {
        let mut challenges: Vec<Self> = Vec::new();
        for part in split_outside_quotes(header) {
            let (scheme, parameter) = scheme_and_parameter(part.trim());
            if let Some(scheme) = scheme {
                challenges.push(Self {
                    scheme: scheme.to_owned(),
                    parameters: Vec::new(),
                });
            }
            if let (Some(challenge), Some((name, value))) = (challenges.last_mut(), parameter) {
                challenge
                    .parameters
                    .push((name.to_ascii_lowercase(), unquote(value)));
            }
        }
        challenges
    }

    /// The value of a parameter, by its lower-case name.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Where the protected resource's metadata is (RFC 9728 §5.1). It is never fetched here.
    pub fn resource_metadata(&self) -> Option<&str> {
        self.parameter("resource_metadata")
    }

    /// The scope that the request needs (RFC 6750 §3).
    pub fn scope(&self) -> Option<&str> {
        self.parameter("scope")
    }

    /// The error code, such as `invalid_token` or `insufficient_scope` (RFC 6750 §3.1).
    pub fn error(&self) -> Option<&str> {
        self.parameter("error")
    }
}

impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.scheme)?;
        for (name, value) in &self.parameters {
            write!(f, " {name}={value:?}")?;
        }
        Ok(())
    }
}

/// The comma-separated parts of a header; a comma inside a quoted string does not separate.
fn split_outside_quotes(header: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, byte) in header.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                parts.push(&header[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&header[start..]);
    parts
}

/// Tells `Bearer realm="x"`, `Bearer`, `Basic dGVzdA==` and `realm="x"` apart.
fn scheme_and_parameter(part: &str) -> (Option<&str>, Option<(&str, &str)>) {
    let is_token = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    let parameter = |text: &'_ str| -> Option<(usize, usize)> {
        let equals = text.find('=')?;
        is_token(text[..equals].trim()).then_some((equals, equals + 1))
    };
    let (first, rest) = part.split_once([' ', '\t']).unwrap_or((part, ""));
    let rest = rest.trim();
    if is_token(first) && !rest.starts_with('=') {
        let found = parameter(rest).map(|(end, value)| (rest[..end].trim(), rest[value..].trim()));
        return (Some(first), found);
    }
    (
        None,
        parameter(part).map(|(end, value)| (part[..end].trim(), part[value..].trim())),
    )
}

fn unquote(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"') else {
        return value.to_owned();
    };
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => text.extend(characters.next()),
            _ => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Challenge;

    #[test]
    fn challenges_are_read_with_their_parameters() {
        for (header, expected) in [
            ("Bearer", vec!["Bearer"]),
            (
                "Bearer realm=\"a, b\", error=invalid_token",
                vec!["Bearer realm=\"a, b\" error=\"invalid_token\""],
            ),
            (
                "Basic realm=\"x\", Bearer scope=\"a b\"",
                vec!["Basic realm=\"x\"", "Bearer scope=\"a b\""],
            ),
            (
                "Bearer  scope = \"q\\\"uoted\"",
                vec!["Bearer scope=\"q\\\"uoted\""],
            ),
            ("Negotiate, Bearer", vec!["Negotiate", "Bearer"]),
            ("bearer ERROR=\"x\"", vec!["bearer error=\"x\""]),
            ("", vec![]),
            (",,=,\"", vec![]),
        ] {
            let shown: Vec<_> = Challenge::parse(header)
                .iter()
                .map(ToString::to_string)
                .collect();
            assert_eq!(shown, expected, "{header:?}");
        }
    }
}
