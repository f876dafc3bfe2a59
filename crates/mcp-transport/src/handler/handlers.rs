//! The handlers of one host, and the capabilities that follow from them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::HandlerError;
use crate::Era;
use crate::model::{
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult,
    ListRootsResult,
};

/// An answer on its way: JSON text.
type Answer = Pin<Box<dyn Future<Output = Result<String, HandlerError>> + Send>>;
type Handler = Arc<dyn Fn(Option<&RawValue>) -> Answer + Send + Sync>;

/// What the host does for its servers.
///
/// ```
/// use mcp_transport::{Handlers, model};
///
/// let handlers = Handlers::new()
///     .roots(|| async { Ok(model::ListRootsResult::new(vec![model::Root::new("file:///project")])) })
///     .elicitation(|_question| async { Ok(model::ElicitResult::new(model::ElicitationAction::Decline)) });
/// # let _ = handlers;
/// ```
#[derive(Clone, Default)]
pub struct Handlers {
    roots: Option<Handler>,
    elicitation: Option<Handler>,
    elicitation_url: bool,
    sampling: Option<Handler>,
}

impl Handlers {
    /// Nothing is offered.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers `roots/list`.
    #[must_use]
    pub fn roots<F, R>(mut self, handler: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<ListRootsResult, HandlerError>> + Send + 'static,
    {
        self.roots = Some(Arc::new(move |_| {
            let answer = handler();
            Box::pin(async move { write(&answer.await?) })
        }));
        self
    }

    /// Answers `elicitation/create` in form mode.
    #[must_use]
    pub fn elicitation<F, R>(mut self, handler: F) -> Self
    where
        F: Fn(ElicitRequestParams) -> R + Send + Sync + 'static,
        R: Future<Output = Result<ElicitResult, HandlerError>> + Send + 'static,
    {
        self.elicitation = Some(typed("elicitation/create", handler));
        self
    }

    /// Declares that the elicitation handler knows the URL mode too.
    #[must_use]
    pub fn elicitation_url(mut self) -> Self {
        self.elicitation_url = true;
        self
    }

    /// Answers `sampling/createMessage`.
    #[must_use]
    pub fn sampling<F, R>(mut self, handler: F) -> Self
    where
        F: Fn(CreateMessageRequestParams) -> R + Send + Sync + 'static,
        R: Future<Output = Result<CreateMessageResult, HandlerError>> + Send + 'static,
    {
        self.sampling = Some(typed("sampling/createMessage", handler));
        self
    }

    /// The client capabilities that follow. The stateless revision knows no news of roots.
    pub(crate) fn capabilities(&self, era: Era) -> Value {
        let mut capabilities = Map::new();
        if self.roots.is_some() {
            let roots = match era {
                Era::Initialize => json!({ "listChanged": true }),
                Era::Stateless => json!({}),
            };
            capabilities.insert("roots".to_owned(), roots);
        }
        if self.elicitation.is_some() {
            let mut modes = Map::from_iter([("form".to_owned(), json!({}))]);
            if self.elicitation_url {
                modes.insert("url".to_owned(), json!({}));
            }
            capabilities.insert("elicitation".to_owned(), modes.into());
        }
        if self.sampling.is_some() {
            capabilities.insert("sampling".to_owned(), json!({}));
        }
        capabilities.into()
    }

    /// Whether a request of this method has a handler.
    pub(crate) fn offers(&self, method: &str) -> bool {
        self.handler(method).is_some()
    }

    /// Answers a request of the server with JSON text.
    pub(crate) async fn answer(
        &self,
        method: &str,
        params: Option<&RawValue>,
    ) -> Result<String, HandlerError> {
        match self.handler(method) {
            Some(handler) => handler(params).await,
            None => Err(HandlerError::with_code(
                -32601,
                format!("Method not found: {method}"),
            )),
        }
    }

    fn handler(&self, method: &str) -> Option<&Handler> {
        match method {
            "roots/list" => self.roots.as_ref(),
            "elicitation/create" => self.elicitation.as_ref(),
            "sampling/createMessage" => self.sampling.as_ref(),
            _ => None,
        }
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers")
            .field("roots", &self.roots.is_some())
            .field("elicitation", &self.elicitation.is_some())
            .field("sampling", &self.sampling.is_some())
            .finish_non_exhaustive()
    }
}

fn typed<P, T, F, R>(method: &'static str, handler: F) -> Handler
where
    P: DeserializeOwned,
    T: Serialize,
    F: Fn(P) -> R + Send + Sync + 'static,
    R: Future<Output = Result<T, HandlerError>> + Send + 'static,
{
    Arc::new(move |params| {
        let Ok(params) = serde_json::from_str(params.map_or("{}", RawValue::get)) else {
            // What a library says about its own types helps nobody.
            let error = HandlerError::with_code(-32602, format!("params do not fit {method}"));
            return Box::pin(async move { Err(error) });
        };
        let answer = handler(params);
        Box::pin(async move { write(&answer.await?) })
    })
}

fn write<T: Serialize>(result: &T) -> Result<String, HandlerError> {
    serde_json::to_string(result).map_err(|error| HandlerError::new(error.to_string()))
}
