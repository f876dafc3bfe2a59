//! The run as one HTML page for people. It holds no script and asks for nothing: its policy forbids everything
//! but its own styles. Whatever came from scenarios and servers is escaped twice: hidden characters as on a
//! terminal, and markup by the templates.

mod details;
mod diagram;
mod label;
mod page;
mod scenario;
mod sequence;

pub use page::html;
