//! Where each server stands, for a person: values, a stream of changes, and a rendering.

mod changes;
mod hub;
mod render;
mod server_status;

pub use changes::StatusChanges;
pub use render::render;
pub use server_status::ServerStatus;

pub(crate) use hub::Hub;
