//! The fixture servers of a run: their scripts, how they are reached, and their journals.

mod fixture;
mod folder;
mod web;

pub(crate) use fixture::{Fixture, Transport};
pub(crate) use folder::Folder;
pub(crate) use web::Web;

/// The hidden word by which this command is a fixture server.
pub(crate) const FIXTURE_COMMAND: &str = "fixture-server";
