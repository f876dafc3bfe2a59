//! Playing a scenario in its sandbox: the scripted model on a session, or a program's moves on one
//! connection. What happened becomes the artifact's JSON; whether it is right is `trial`'s question.

mod client;
mod event;
mod journal;
mod model;
mod played;
mod plugin;
mod session;
mod show;
mod story;
mod wait;

pub(crate) use played::{PlayError, Played, play};
pub(crate) use story::Story;
