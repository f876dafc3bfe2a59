//! Moves of a program that uses connections directly.

mod call;
mod connect;
mod http;
mod program;
mod show;

pub(super) use connect::PATIENCE;
pub(super) use program::play;
