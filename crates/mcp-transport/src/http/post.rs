//! One message and its exchange: sent, answered; repeated only where nothing can have run.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use reqwest::header::{DATE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Response, Url};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::{sleep, timeout};

use super::answer;
use super::auth::Credential;
use super::endpoint::Purpose;
use super::link::HttpLink;
use super::network::{is_transient, network_error};
use super::redirect::{MAX_REDIRECTS, Redirect, judge};
use super::retry;
use crate::RequestError;
use crate::link::{Kind, Outbound};
use crate::rpc::Core;

/// How long a notification or an answer of ours may take; requests have their caller's deadline.
const CONTROL_TIMEOUT: Duration = Duration::from_secs(30);

const INITIALIZED: &str = "notifications/initialized";

/// A message as its task holds it.
#[derive(Debug)]
pub(super) struct Message {
    body: Bytes,
    pub(super) id: Option<u64>,
    pub(super) method: &'static str,
    name: Option<Box<str>>,
}

impl Message {
    pub(super) fn new(message: Outbound<'_>) -> Self {
        let (id, method, name) = match message.kind {
            Kind::Request { id, method, name } => (Some(id), method, name.map(Box::from)),
            Kind::Notification { method } => (None, method, None),
            Kind::Response => (None, "response", None),
        };
        Self {
            body: message.text.into(),
            id,
            method,
            name,
        }
    }

    /// Whether it may be sent again although it may have arrived: everything but a tool's call, and what is told only
    /// once. A listening stream is reopened by whoever wants it.
    fn is_repeatable(&self) -> bool {
        match self.id {
            Some(_) => !matches!(self.method, "tools/call" | "subscriptions/listen"),
            None => self.method == INITIALIZED,
        }
    }
}

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
            self.told(result.unwrap_or(Ok(())));
            if self.message.method == INITIALIZED {
                self.link.introduced.cancel();
            }
            return;
        };
        let result = self.exchange().await;
        self.link.done(id);
        if let Err(error) = result {
            self.expire_if_lost(&error);
            self.core.fail(id, |_| error);
        }
    }

    /// A notification has no caller who could hear of its failure.
    fn told(&self, result: Result<(), RequestError>) {
        if let Err(error) = result {
            self.expire_if_lost(&error);
            tracing::debug!(method = self.message.method, error = %error, "a message was not accepted");
        }
    }

    fn expire_if_lost(&self, error: &RequestError) {
        if matches!(error, RequestError::SessionExpired { .. }) {
            answer::expire(&self.link.endpoint, &self.core);
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
        let mirrored = self.mirrored_headers()?;
        let mut credential = self.credential().await;
        let (mut url, mut attempt, mut redirects, mut renewed) =
            (endpoint.url().clone(), 1, 0, false);
        loop {
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
                            format!("more than {MAX_REDIRECTS} redirects, the last one to {to}"),
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
        let mut headers = endpoint.post_headers(self.purpose(), credential);
        headers.extend(
            mirrored
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        endpoint
            .client
            .post(url.clone())
            .headers(headers)
            .body(self.message.body.clone())
            .send()
            .await
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
                    Next::Fail(self.http_error(status, moved(&to, why)))
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
            (
                RequestError::Http {
                    status: 400,
                    message,
                    ..
                },
                _,
            ) if self.message.method == "initialize"
                && wants_version_header(message)
                && self.link.endpoint.send_version_on_initialize() =>
            {
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
        Next::Fail(network_error(self.message.method, error))
    }

    /// The headers that mirror parameters of a tool's call.
    fn mirrored_headers(&self) -> Result<HeaderMap, RequestError> {
        let mut headers = HeaderMap::new();
        let tool = self
            .message
            .name
            .as_deref()
            .filter(|_| self.message.method == "tools/call");
        let Some(mirrored) = tool.and_then(|tool| self.link.endpoint.mirrored(tool)) else {
            return Ok(headers);
        };
        let Ok(call) = serde_json::from_slice::<Call<'_>>(&self.message.body) else {
            return Ok(headers);
        };
        for parameter in mirrored.iter() {
            let header =
                parameter
                    .header(call.params.arguments)
                    .map_err(|message| RequestError::Input {
                        method: self.message.method,
                        message,
                    })?;
            let pair = header.and_then(|(name, value)| {
                Some((
                    HeaderName::from_bytes(name.as_bytes()).ok()?,
                    HeaderValue::from_str(&value).ok()?,
                ))
            });
            headers.extend(pair);
        }
        Ok(headers)
    }

    pub(super) fn purpose(&self) -> Purpose<'_> {
        Purpose {
            method: self.message.method,
            name: self.message.name.as_deref(),
            version: self.core.negotiated().map(|negotiated| negotiated.version),
        }
    }

    pub(super) fn http_error(&self, status: u16, message: String) -> RequestError {
        RequestError::Http {
            method: self.message.method,
            status,
            message,
        }
    }
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    params: CallParams<'a>,
}

#[derive(Deserialize)]
struct CallParams<'a> {
    #[serde(borrow)]
    arguments: &'a RawValue,
}

fn moved(to: &str, why: &str) -> String {
    if to.is_empty() {
        why.to_owned()
    } else {
        format!(
            "the endpoint moved to {to}, and {why}; write that URL into the configuration if it is right"
        )
    }
}

/// Whether a refused `initialize` says that it misses the version header, which the specification forbids there.
fn wants_version_header(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    message.contains("mcp-protocol-version") && !message.contains("unsupported")
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
