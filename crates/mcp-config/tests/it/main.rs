//! The crate through its public interface. One test program, so that it links once. It needs
//! links, sockets and permissions.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking"
)]

mod cases;
mod corpus;
mod document;
mod entries;
mod example;
mod explanation;
mod hostile;
mod layers;
mod plugins;
mod problems;
mod resolving;
mod schema;
mod secrets;
mod shapes;
mod support;
mod templates;
mod trust;
