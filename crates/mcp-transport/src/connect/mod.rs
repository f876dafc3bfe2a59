//! The handshake: which revision a server speaks, and what it says about itself.
//! It works on any link; starting a process again is the stdio part's business.

mod discover;
mod identity;
mod initialize;
mod negotiate;

pub(crate) use negotiate::{Plan, Stopped, negotiate};
