//! One message and its exchange: sent, answered; repeated only where nothing can have run.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, HeaderName, LOCATION, RETRY_AFTER};
use reqwest::{Response, Url};
use tokio::time::{sleep, timeout};

use super::answer;
use super::auth::Credential;
use super::client;
use super::endpoint::Purpose;
use super::link::HttpLink;
use super::message::{INITIALIZED, Message};
use super::network::{is_transient, network_error};
use super::redirect::{MAX_REDIRECTS, Redirect, judge, moved, shown};
use super::retry;
use crate::RequestError;
use crate::rpc::Core;

/// How long a notification or an answer of ours may take; requests have their caller's deadline.
const CONTROL_TIMEOUT: Duration = Duration::from_secs(30);
/// How often an exchange is looked at that may have become pointless.
const SETTLED: Duration = Duration::from_secs(2);

/// The task of one message.
pub(super) struct Post {
    pub(super) link: Arc<HttpLink>,
    pub(super) core: Arc<Core>,
    pub(super) message: Message,
}

/// What to do after an answer that is no success.
enum Next {
    Again(Duration),
    /// A redirect of this status.
    To(Url, u16),
    With(Credential),
    Fail(RequestError),
}

impl Post {
    pub(super) async fn run(self) {
        let Some(id) = self.message.id else {
            let result = timeout(CONTROL_TIMEOUT, self.exchange()).await;
            // A notification has no caller who could hear of its failure.
            if let Ok(Err(error)) = result {
                tracing::debug!(method = self.message.method, error = %error, "a message was not accepted");
            }
            if self.message.method == INITIALIZED {
                self.link.introduced.cancel();
            }
            return;
        };
        let result = tokio::select! {
            result = self.exchange() => result,
            () = self.settled(id) => Ok(()),
        };
        self.link.done(id);
        if let Err(error) = result {
            if matches!(error, RequestError::SessionExpired { .. }) {
                answer::expire(&self.link.endpoint, &self.core).await;
            }
            self.core.fail(id, |_| error);
        }
    }

    /// Until the request has been settled for a while: its answer, or its end, may come on another stream, and its own
    /// may then stay open for ever.
    async fn settled(&self, id: u64) {
        loop {
            sleep(SETTLED).await;
            if !self.core.waits_for(id) {
                return;
            }
        }
    }

    async fn exchange(&self) -> Result<(), RequestError> {
        let endpoint = &self.link.endpoint;
        let listening = self.message.method == "subscriptions/listen";
        let permit = match self.message.id {
            // The semaphore is never closed, and an answer of ours may be what a request under way waits for.
            Some(_) if !listening => endpoint.in_flight.acquire().await.ok(),
            _ => None,
        };
        let mirrored = self.message.mirrored_headers(endpoint)?;
        let mut credential = self.credential().await;
        let (mut url, mut attempt, mut redirects, mut renewed) =
            (endpoint.url().clone(), 1, 0, false);
        loop {
            // The session may have ended while this waited for its turn, or for another attempt.
            if endpoint.is_expired() && self.carries_session() {
                return Err(RequestError::SessionExpired {
                    method: self.message.method,
                    refused: true,
                });
            }
            let next = match self.send(&url, &mirrored, credential.as_ref()).await {
                Ok(response) if response.status().is_success() => {
                    return answer::accept(self, response, permit).await;
                }
                Ok(response) => self.refused(response, &url, attempt, renewed).await,
                Err(error) => self.unreached(&error, attempt),
            };
            match next {
                Next::Fail(error) => return Err(error),
                Next::Again(wait) => {
                    attempt += 1;
                    sleep(wait).await;
                }
                Next::With(other) => {
                    renewed = true;
                    credential = Some(other);
                }
                Next::To(to, status) => {
                    redirects += 1;
                    if redirects > MAX_REDIRECTS {
                        return Err(self.http_error(
                            status,
                            format!(
                                "more than {MAX_REDIRECTS} redirects, the last one to {}",
                                shown(&to)
                            ),
                        ));
                    }
                    url = to;
                }
            }
        }
    }

    async fn send(
        &self,
        url: &Url,
        mirrored: &HeaderMap,
        credential: Option<&Credential>,
    ) -> Result<Response, reqwest::Error> {
        let endpoint = &self.link.endpoint;
        let request = endpoint.client.post(url.clone());
        let mut request = request.body(self.message.body.clone()).build()?;
        let headers = request.headers_mut();
        endpoint.set_post_headers(headers, self.purpose(), credential);
        headers.extend(
            mirrored
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        endpoint.client.execute(request).await
    }

    async fn credential(&self) -> Option<Credential> {
        match &self.link.endpoint.spec.auth {
            Some(provider) => provider.credential().await,
            None => None,
        }
    }

    /// Judges an answer that is no success.
    async fn refused(
        &self,
        mut response: Response,
        url: &Url,
        attempt: u32,
        renewed: bool,
    ) -> Next {
        let status = response.status().as_u16();
        let header = |name: HeaderName| {
            response
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        if response.status().is_redirection() {
            return match judge(url, status, header(LOCATION)) {
                Redirect::Follow(to) => Next::To(to, status),
                Redirect::Refuse { to, why } => {
                    let message = self.core.masked(&moved(&to, why));
                    Next::Fail(self.http_error(status, message))
                }
            };
        }
        if retry::is_transient(status)
            && self.message.is_repeatable()
            && attempt < retry::MAX_ATTEMPTS
        {
            let after = retry::retry_after(header(RETRY_AFTER), header(DATE), now());
            if let Some(wait) = retry::wait(attempt, after, random(attempt)) {
                // The body is read, so that the connection can be used again.
                super::body::read_start(&mut response, answer::MAX_ERROR_BODY).await;
                return Next::Again(wait);
            }
        }
        let error = answer::refusal(self, response).await;
        match (&error, &self.link.endpoint.spec.auth) {
            (RequestError::NeedsAuth { refusal, .. }, Some(provider)) if !renewed => {
                match provider.refused(refusal).await {
                    Some(other) => Next::With(other),
                    None => Next::Fail(error),
                }
            }
            _ if self.misses_version(&error) && self.link.endpoint.send_version_on_initialize() => {
                Next::Again(Duration::ZERO)
            }
            _ => Next::Fail(error),
        }
    }

    fn unreached(&self, error: &reqwest::Error, attempt: u32) -> Next {
        if is_transient(error)
            && self.message.is_repeatable()
            && attempt < retry::MAX_ATTEMPTS
            && let Some(wait) = retry::wait(attempt, None, random(attempt))
        {
            return Next::Again(wait);
        }
        let proxy = client::proxy_variable(&self.link.endpoint.spec);
        Next::Fail(network_error(self.message.method, error, proxy))
    }

    /// Whether an `initialize` was refused because it has no version header.
    fn misses_version(&self, error: &RequestError) -> bool {
        let (RequestError::Http {
            status: 400,
            message,
            ..
        }
        | RequestError::Server {
            http_status: Some(400),
            message,
            ..
        }) = error
        else {
            return false;
        };
        self.message.method == "initialize" && wants_version_header(message)
    }

    pub(super) fn purpose(&self) -> Purpose<'_> {
        let negotiated = self.core.negotiated();
        self.message
            .purpose(negotiated.map(|negotiated| negotiated.version))
    }

    /// Whether it is sent within a session.
    pub(super) fn carries_session(&self) -> bool {
        self.purpose().carries_session() && self.link.endpoint.session().is_some()
    }

    pub(super) fn http_error(&self, status: u16, message: String) -> RequestError {
        RequestError::Http {
            method: self.message.method,
            status,
            message,
        }
    }
}

/// Whether a refused `initialize` says that it misses the version header, which the specification forbids there.
fn wants_version_header(message: &str) -> bool {
    let message = message.to_ascii_lowercase().replace(['-', '_'], " ");
    let speaks_of = |words| message.contains(words);
    speaks_of("protocol version") && !speaks_of("unsupported") && !speaks_of("not supported")
}

#[expect(
    clippy::disallowed_methods,
    reason = "a Retry-After date is told by the clock on the wall"
)]
fn now() -> SystemTime {
    SystemTime::now()
}

/// Random enough for jitter: the keys of a hasher differ in each process and each call.
fn random(attempt: u32) -> u32 {
    let [a, b, c, d, ..] = RandomState::new().hash_one(attempt).to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}
