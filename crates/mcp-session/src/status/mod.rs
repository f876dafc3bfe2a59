//! Where each server stands, for a person: values, a stream of changes, and a rendering.

mod changes;
mod hub;
mod notes;
mod render;
mod server_status;
mod tool_status;

pub use changes::StatusChanges;
pub use render::render;
pub use server_status::ServerStatus;
pub use tool_status::ToolStatus;

pub(crate) use hub::Hub;
pub(crate) use notes::Names;
