//! The end of a session with a server of the initialize era.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::HeaderMap;
use tokio::time::timeout;

use super::endpoint::{Endpoint, Purpose};
use super::redirect::send_bare;
use crate::rpc::Core;

/// How long the end of a session may take; a server that does not answer keeps it.
const DELETE_TIMEOUT: Duration = Duration::from_secs(1);

/// Ends the session, if there is one, once; whoever else asks waits for the same end. One that has expired is ended
/// too, before another is begun: a server that allows a single session may hold on to it although it refuses it.
pub(super) async fn end_session(core: &Core, endpoint: &Endpoint) {
    if endpoint.session().is_some() {
        let end = async {
            let _ = timeout(DELETE_TIMEOUT, delete(core, endpoint)).await;
        };
        endpoint.ended.get_or_init(|| end).await;
    }
}

/// Ends the session (2025-11-25, basic/transports §Session Management). Whatever the answer is, it is over for us.
async fn delete(core: &Core, endpoint: &Endpoint) {
    let credential = match &endpoint.spec.auth {
        Some(provider) => provider.credential().await,
        None => None,
    };
    let version = core.negotiated().map(|negotiated| negotiated.version);
    let purpose = Purpose {
        method: "DELETE",
        name: None,
        version,
    };
    let mut headers = HeaderMap::new();
    endpoint.set_headers(&mut headers, purpose, credential.as_ref());
    if let Err(error) = send_bare(endpoint, Method::DELETE, &headers).await {
        tracing::debug!(error = %error.without_url(), "the session could not be ended");
    }
}
