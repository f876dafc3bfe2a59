//! From a scenario's `connect` to an HTTP endpoint, with the credentials that its program has.

use std::sync::{Arc, Mutex, PoisonError};

use mcp_transport::{AuthFuture, AuthProvider, Credential, HttpSpec, HttpSpecError, Refusal};

use crate::sandbox::Sandbox;
use crate::scenario::Connect;

use super::super::PlayError;

/// The URL to connect to; nothing where the connection is to a process.
pub(super) fn url(wanted: &Connect, sandbox: &Sandbox) -> Result<Option<String>, PlayError> {
    let Some(web) = &wanted.web else {
        return Ok(wanted.url.clone());
    };
    let url = sandbox.web_url(web);
    url.map(Some).ok_or_else(|| PlayError::UnknownServer {
        server: web.clone(),
    })
}

/// What to connect to, and what is sent with every request.
pub(super) fn spec(wanted: &Connect, url: &str) -> Result<HttpSpec, HttpSpecError> {
    let mut spec = HttpSpec::new(url)?;
    for (name, value) in &wanted.headers {
        spec = spec.header(name, value)?;
    }
    if !wanted.credentials.is_empty() {
        let rest = wanted.credentials.iter().rev().cloned().collect();
        spec = spec.auth(Arc::new(InTurn(Mutex::new(rest))));
    }
    Ok(spec)
}

/// Has one credential after the other, the next one last in the list; the last one is kept.
struct InTurn(Mutex<Vec<String>>);

impl InTurn {
    fn now(&self) -> Option<Credential> {
        let rest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rest.last().map(Credential::new)
    }

    fn next(&self) -> Option<Credential> {
        let mut rest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if rest.len() < 2 {
            return None;
        }
        rest.pop();
        rest.last().map(Credential::new)
    }
}

impl AuthProvider for InTurn {
    fn credential(&self) -> AuthFuture<'_, Option<Credential>> {
        Box::pin(async { self.now() })
    }

    fn refused<'a>(&'a self, _refusal: &'a Refusal) -> AuthFuture<'a, Option<Credential>> {
        Box::pin(async { self.next() })
    }
}
