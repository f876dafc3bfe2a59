//! Streamable HTTP: one endpoint as a link, in both eras of the protocol.
//!
//! Each message is a POST of its own; its answer is JSON or a stream of events. The core knows nothing of that.

mod answer;
mod auth;
mod body;
mod challenge;
mod client;
mod connect;
mod deprecated;
mod end;
mod endpoint;
mod excerpt;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod link;
mod listen;
mod lost_session;
mod media;
mod message;
mod mirrored;
mod network;
mod post;
mod redirect;
mod retry;
mod spec;
mod sse;
mod stream;
mod unended;

pub use auth::{AuthFuture, AuthProvider, Credential, Refusal};
pub use challenge::Challenge;
pub use client::EndpointError;
pub use spec::{HttpSpec, HttpSpecError};
