//! The HTTP client of one connection: reqwest with rustls, connections kept alive, nothing followed, decoded or
//! repeated behind our back.

use std::time::Duration;

use reqwest::{Certificate, Client, NoProxy, Proxy};

use super::spec::HttpSpec;

/// How long a connection may take to be made, TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Below what load balancers commonly use, so that an idle connection is closed by us and not under a request.
const IDLE: Duration = Duration::from_secs(50);

/// Why an endpoint cannot be spoken to from this environment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EndpointError {
    /// A proxy variable whose value is no proxy. The value is not shown, since it may hold a password.
    #[error("the environment variable {variable} names no usable proxy")]
    Proxy {
        /// The variable's name in upper case.
        variable: &'static str,
    },
    /// The file with extra root certificates is of no use.
    #[error("the certificates of SSL_CERT_FILE ({file}) cannot be read")]
    Certificates {
        /// The file.
        file: String,
        /// What is wrong with it.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The HTTP client could not be made, as where the system has no root certificates.
    #[error("the HTTP client cannot be set up")]
    Setup(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Builds the client for a spec.
pub(crate) fn build(spec: &HttpSpec) -> Result<Client, EndpointError> {
    let mut builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE)
        .user_agent(concat!("mcp-transport/", env!("CARGO_PKG_VERSION")))
        .no_proxy();
    for proxy in proxies(spec)? {
        builder = builder.proxy(proxy);
    }
    if let Some(file) = spec.variable("SSL_CERT_FILE") {
        match certificates(file) {
            Ok(certificates) => builder = builder.tls_certs_merge(certificates),
            Err(error) if spec.url.scheme() == "https" => return Err(error),
            // Nothing is lost for a server that has none.
            Err(_) => {}
        }
    }
    builder
        .build()
        .map_err(|error| EndpointError::Setup(error.into()))
}

type Make = fn(&str) -> reqwest::Result<Proxy>;

/// The variable that names a proxy for the endpoint, unless every host is excepted.
pub(super) fn proxy_variable(spec: &HttpSpec) -> Option<&'static str> {
    let own = match spec.url.scheme() {
        "https" => "HTTPS_PROXY",
        _ => "HTTP_PROXY",
    };
    [own, "ALL_PROXY"]
        .into_iter()
        .find(|variable| !excepts_all(spec) && spec.variable(variable).is_some())
}

fn excepts_all(spec: &HttpSpec) -> bool {
    let mut names = spec.variable("NO_PROXY").unwrap_or_default().split(',');
    names.any(|name| name.trim() == "*")
}

/// What `NO_PROXY` says of the endpoint's port, in the words that reqwest knows: an entry may name a port,
/// put an address into brackets, or begin with a star.
fn excepted(spec: &HttpSpec) -> Option<NoProxy> {
    let port = spec.url.port_or_known_default();
    let names = spec.variable("NO_PROXY")?.split(',').filter_map(|name| {
        let name = name.trim();
        let host = match name.rsplit_once(':') {
            Some((host, end)) if !host.contains(':') || host.ends_with(']') => {
                (end.parse().ok() == port).then_some(host)?
            }
            _ => name,
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        // A leading dot means the same, and is understood.
        Some(
            host.strip_prefix('*')
                .filter(|rest| rest.starts_with('.'))
                .unwrap_or(host),
        )
    });
    NoProxy::from_string(&names.collect::<Vec<_>>().join(","))
}

fn proxies(spec: &HttpSpec) -> Result<Vec<Proxy>, EndpointError> {
    if excepts_all(spec) {
        return Ok(Vec::new());
    }
    let except = excepted(spec);
    let mut proxies = Vec::new();
    let kinds: [(&'static str, Make); 3] = [
        ("HTTPS_PROXY", |url| Proxy::https(url)),
        ("HTTP_PROXY", |url| Proxy::http(url)),
        ("ALL_PROXY", |url| Proxy::all(url)),
    ];
    for (variable, make) in kinds {
        if let Some(url) = spec.variable(variable) {
            // The URL may hold a password, so neither it nor the parser's message about it is shown.
            let proxy = make(url).map_err(|_| EndpointError::Proxy { variable })?;
            proxies.push(proxy.no_proxy(except.clone()));
        }
    }
    Ok(proxies)
}

fn certificates(file: &str) -> Result<Vec<Certificate>, EndpointError> {
    let failed = |source| EndpointError::Certificates {
        file: file.to_owned(),
        source,
    };
    let pem = std::fs::read(file).map_err(|error| failed(error.into()))?;
    Certificate::from_pem_bundle(&pem).map_err(|error| failed(error.into()))
}
