//! Moves of a program that uses connections directly.

mod call;
mod program;
mod connect;
mod show;

pub(super) use program::play;
