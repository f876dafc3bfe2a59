//! What a host offers to its servers: roots, elicitation, sampling.
//! What it gives no handler for is not declared and is refused.

mod error;
mod handlers;

pub use error::HandlerError;
pub use handlers::Handlers;
