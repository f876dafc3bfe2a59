//! The session: what the servers of one conversation are, and which exchange is open.

mod apply;
mod begin;
mod builder;
mod close;
mod freeze;
mod handle;
mod inner;
mod open;

pub use begin::BeginError;
pub use builder::{INITIAL_WAIT, SessionBuilder};
pub use close::SessionReport;
pub use handle::{Session, UnknownServer};

pub(crate) use inner::Inner;
pub(crate) use open::OpenExchange;
