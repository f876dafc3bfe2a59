//! The part of the host's environment that a server gets without asking.
//!
//! Everything else is kept from it: a host's environment holds the keys of other services.

use std::ffi::{OsStr, OsString};

/// Names that are taken over as they are.
const PLAIN: &[&str] = &[
    "HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
];

/// Names that lead to the network: proxies (programs read either case) and certificates.
const NETWORK: &[&str] = &[
    "ALL_PROXY",
    "FTP_PROXY",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "all_proxy",
    "ftp_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "AWS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "DENO_CERT",
    "GIT_SSL_CAINFO",
    "NIX_SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

const PREFIXES: &[&str] = &["LC_", "XDG_"];

/// Picks the variables that every server gets out of a snapshot of the host's environment.
///
/// These are `PATH`, `HOME`, `LOGNAME`, `SHELL`, `TERM`, `USER`, `LANG`, `LC_*`, `TZ`, `TMPDIR`,
/// `XDG_*`, and the proxy and certificate variables.
///
/// ```
/// let host = [("HOME", "/home/ada"), ("LC_TIME", "C"), ("SECRET_TOKEN", "s3cret")];
/// let names: Vec<_> = mcp_transport::process::base_environment(host)
///     .into_iter()
///     .map(|(name, _)| name)
///     .collect();
/// assert_eq!(names, ["HOME", "LC_TIME"]);
/// ```
pub fn base_environment<K, V>(host: impl IntoIterator<Item = (K, V)>) -> Vec<(OsString, OsString)>
where
    K: Into<OsString>,
    V: Into<OsString>,
{
    host.into_iter()
        .map(|(name, value)| (name.into(), value.into()))
        .filter(|(name, _)| is_base(name))
        .collect()
}

fn is_base(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    PLAIN.contains(&name)
        || NETWORK.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
