//! What all requests to one endpoint share, and the headers that each of them carries.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use reqwest::{Client, Url};
use tokio::sync::{OnceCell, Semaphore};

use super::auth::Credential;
use super::client::{self, EndpointError};
use super::mirrored::{Mirrored, encode};
use super::spec::HttpSpec;
use crate::{Era, ProtocolVersion};

/// Requests under way at once; more of them wait their turn.
const MAX_IN_FLIGHT: usize = 64;

pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// One endpoint, its client, and the session with it.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) client: Client,
    pub(super) spec: HttpSpec,
    pub(super) in_flight: Semaphore,
    session: RwLock<Option<HeaderValue>>,
    expired: AtomicBool,
    /// Set once the server was told that the session is over.
    pub(super) ended: OnceCell<()>,
    /// A server asked for the version header on `initialize`, against the specification.
    version_on_initialize: AtomicBool,
    mirrored: Mutex<HashMap<String, Arc<[Mirrored]>>>,
}

/// What is sent: a message, or a request for a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purpose<'a> {
    pub(super) method: &'static str,
    pub(super) name: Option<&'a str>,
    pub(super) version: Option<ProtocolVersion>,
}

impl Purpose<'_> {
    /// Whether it belongs to a session; what begins one, or asks whether there are any, does not.
    pub(super) fn carries_session(&self) -> bool {
        !matches!(self.method, "initialize" | "server/discover")
    }
}

impl Endpoint {
    pub(super) fn new(spec: HttpSpec) -> Result<Self, EndpointError> {
        Ok(Self {
            client: client::build(&spec)?,
            spec,
            in_flight: Semaphore::new(MAX_IN_FLIGHT),
            session: RwLock::default(),
            expired: AtomicBool::new(false),
            ended: OnceCell::new(),
            version_on_initialize: AtomicBool::new(false),
            mirrored: Mutex::default(),
        })
    }

    pub(super) fn url(&self) -> &Url {
        &self.spec.url
    }

    /// The session that the server gave, if it gave one.
    pub(super) fn session(&self) -> Option<HeaderValue> {
        self.session
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Keeps the session id of the answer to `initialize`; one that is no visible ASCII is none. The last answer holds:
    /// a server may give a session with a refusal too, and another one when it is asked for another revision.
    pub(super) fn begin_session(&self, headers: &HeaderMap) {
        let id = headers
            .get(SESSION_ID)
            .filter(|id| !id.is_empty() && id.as_bytes().iter().all(u8::is_ascii_graphic));
        let id = id.map(|id| {
            let mut id = id.clone();
            id.set_sensitive(true);
            id
        });
        *self.session.write().unwrap_or_else(PoisonError::into_inner) = id;
    }

    /// Marks the session as gone. True for the first who says so.
    pub(super) fn expire(&self) -> bool {
        !self.expired.swap(true, Ordering::SeqCst)
    }

    pub(super) fn is_expired(&self) -> bool {
        self.expired.load(Ordering::SeqCst)
    }

    /// From now on `initialize` carries the version header. False if it did already.
    pub(super) fn send_version_on_initialize(&self) -> bool {
        !self.version_on_initialize.swap(true, Ordering::SeqCst)
    }

    pub(super) fn mirror(&self, tool: &str, parameters: Vec<Mirrored>) {
        let mut mirrored = self.lock_mirrored();
        if parameters.is_empty() {
            mirrored.remove(tool);
        } else {
            mirrored.insert(tool.to_owned(), parameters.into());
        }
    }

    pub(super) fn mirrored(&self, tool: &str) -> Option<Arc<[Mirrored]>> {
        self.lock_mirrored().get(tool).cloned()
    }

    fn lock_mirrored(&self) -> MutexGuard<'_, HashMap<String, Arc<[Mirrored]>>> {
        self.mirrored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the headers of a POST.
    pub(super) fn set_post_headers(
        &self,
        headers: &mut HeaderMap,
        purpose: Purpose<'_>,
        credential: Option<&Credential>,
    ) {
        self.set_headers(headers, purpose, credential);
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("application/json, text/event-stream"),
        );
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }

    /// The headers of a GET that asks for a stream.
    pub(super) fn stream_headers(
        &self,
        purpose: Purpose<'_>,
        credential: Option<&Credential>,
    ) -> HeaderMap {
        let mut headers = HeaderMap::new();
        self.set_headers(&mut headers, purpose, credential);
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        headers
    }

    /// Adds what every request carries: the configured headers, the credential, the session, the version.
    pub(super) fn set_headers(
        &self,
        headers: &mut HeaderMap,
        purpose: Purpose<'_>,
        credential: Option<&Credential>,
    ) {
        headers.extend(self.spec.headers.clone());
        // A compressed event stream is held back by servers that flush only at its end.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if let Some(value) = credential.and_then(sensitive) {
            headers.insert(AUTHORIZATION, value);
        }
        if let Some(session) = self.session().filter(|_| purpose.carries_session()) {
            headers.insert(SESSION_ID, session);
        }
        let version = match purpose.method {
            "server/discover" => Some(ProtocolVersion::STATELESS),
            "initialize" => self
                .version_on_initialize
                .load(Ordering::SeqCst)
                .then_some(purpose.version)
                .flatten(),
            _ => purpose.version,
        };
        if let Some(version) = version {
            headers.insert(PROTOCOL_VERSION, HeaderValue::from_static(version.as_str()));
            if version.era() == Era::Stateless {
                headers.insert(METHOD, HeaderValue::from_static(purpose.method));
                if let Some(name) = purpose
                    .name
                    .and_then(|name| HeaderValue::from_str(&encode(name)).ok())
                {
                    headers.insert(NAME, name);
                }
            }
        }
    }
}

fn sensitive(credential: &Credential) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(credential.expose()).ok()?;
    value.set_sensitive(true);
    Some(value)
}
