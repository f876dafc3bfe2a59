//! URLs of servers: what they must look like, and which parts are credentials.

use crate::secret::MASK;
use crate::sensitive::{is_secret_name, looks_secret};

/// What is wrong with a URL, and what to do. Neither repeats it, since it may hold credentials.
pub(super) fn fault(url: &str) -> Option<(&'static str, &'static str)> {
    let example = "write it like https://host/mcp";
    if url.is_empty() {
        return Some(("the URL is empty", example));
    }
    if url.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Some((
            "the URL contains white space",
            "write it without, or as %20",
        ));
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Some((
            "the URL does not begin with http:// or https://",
            "put one of them before it",
        ));
    };
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => {}
        "ws" | "wss" => {
            return Some((
                "WebSocket URLs are not supported",
                "use the server's http or https URL",
            ));
        }
        _ => return Some(("the URL does not begin with http:// or https://", example)),
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let (host, port) = match host.strip_prefix('[') {
        Some(v6) => match v6.split_once(']') {
            Some((address, port)) if address.parse::<std::net::Ipv6Addr>().is_ok() => {
                (address, port)
            }
            _ => {
                return Some((
                    "the URL's IPv6 address is not one",
                    "write it like http://[::1]:8080/mcp",
                ));
            }
        },
        None => host
            .find(':')
            .map_or((host, ""), |colon| host.split_at(colon)),
    };
    if host.is_empty() {
        return Some(("the URL has no host", example));
    }
    let digits = port.strip_prefix(':');
    let number = digits.is_none_or(|digits| digits.is_empty() || digits.parse::<u16>().is_ok());
    if number && (digits.is_some() || port.is_empty()) {
        return None;
    }
    Some((
        "the URL's port is not a number up to 65535",
        "write it like http://host:8080/mcp",
    ))
}

/// The URL with its user information, the values of its query, and what looks like a credential in its path hidden.
pub(crate) fn masked(url: &str) -> String {
    let (url, fragment) = split_before(url, '#');
    let (base, query) = split_before(url, '?');
    let mut shown = match authority(base) {
        Some((scheme, user, rest)) if !user.is_empty() => {
            format!("{scheme}{MASK}@{}", masked_path(rest))
        }
        _ => masked_path(base),
    };
    if let Some(query) = query.strip_prefix('?') {
        let parameters: Vec<String> = query
            .split('&')
            .map(|parameter| match parameter.split_once('=') {
                Some((_, "")) => parameter.to_owned(),
                Some((name, _)) => format!("{name}={MASK}"),
                None if parameter.is_empty() => String::new(),
                None => MASK.to_owned(),
            })
            .collect();
        shown.push('?');
        shown.push_str(&parameters.join("&"));
    }
    if fragment.len() > 1 {
        shown.push('#');
        shown.push_str(MASK);
    }
    shown
}

/// A URL without its query, or what follows its user information, with the segments of the path hidden that look
/// like credentials.
fn masked_path(base: &str) -> String {
    let (host, path) = base.split_at(path_start(base));
    let segments = path
        .split('/')
        .map(|segment| if looks_secret(segment) { MASK } else { segment });
    host.to_owned() + &segments.collect::<Vec<_>>().join("/")
}

/// Where the path begins.
fn path_start(base: &str) -> usize {
    let host = base.find("://").map_or(0, |at| at + 3);
    let rest = base.get(host..).unwrap_or_default();
    rest.find('/').map_or(base.len(), |at| host + at)
}

/// Whether the URL holds anything that [`masked`] hides.
pub(crate) fn is_plain(url: &str) -> bool {
    masked(url) == url
}

/// User, password, and what looks like a credential in the path and the query.
pub(super) fn credentials(url: &str) -> Vec<String> {
    let (url, _) = split_before(url, '#');
    let (base, query) = split_before(url, '?');
    let user = authority(base).map(|(_, user, _)| user).unwrap_or_default();
    let password = user.split_once(':').map(|(_, password)| password);
    let values = query
        .trim_start_matches('?')
        .split('&')
        .filter_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            (is_secret_name(name) || looks_secret(value)).then_some(value)
        });
    let path = base.get(path_start(base)..).unwrap_or_default();
    let segments = path.split('/').filter(|segment| looks_secret(segment));
    [Some(user), password]
        .into_iter()
        .flatten()
        .chain(segments)
        .chain(values)
        .map(str::to_owned)
        .collect()
}

/// `scheme://`, the user information without its `@`, and what follows.
fn authority(base: &str) -> Option<(&str, &str, &str)> {
    let after = base.find("://")? + 3;
    let (scheme, rest) = base.split_at(after);
    let end = rest.find('/').unwrap_or(rest.len());
    let at = rest.get(..end)?.rfind('@')?;
    Some((scheme, rest.get(..at)?, rest.get(at + 1..)?))
}

fn split_before(text: &str, c: char) -> (&str, &str) {
    text.split_at(text.find(c).unwrap_or(text.len()))
}
