//! The errors of this crate, one for each operation.

mod connect;
mod drop_reason;
mod request;

pub use connect::{ConnectError, Phase};
pub use drop_reason::DropReason;
pub use request::{NetworkFailure, RequestError};
