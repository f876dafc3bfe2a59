//! The boundary between the core and what carries its messages.
//!
//! The core hands one serialised message at a time to a [`Link`] and never waits while it does. What
//! arrives goes to [`Core::receive`](crate::rpc::Core::receive).

mod frame;
mod pipe;
mod read;

use std::sync::Arc;
use std::task::{Context, Poll};

#[cfg(any(feature = "rmcp", test, fuzzing))]
pub(crate) use frame::{LineBuffer, LineTooLong};
pub(crate) use pipe::Pipe;
pub(crate) use read::{ReadEnd, read_messages};

use crate::{Listing, Tool};

/// What carries messages to the server.
pub(crate) trait Link: Send + Sync + std::fmt::Debug {
    /// Takes a message, or gives it back. Never blocks.
    fn send<'a>(&self, message: Outbound<'a>) -> Result<(), Refused<'a>>;

    /// Ready once a message that was refused as [`Refused::Full`] may be tried again.
    fn poll_room(&self, cx: &mut Context<'_>) -> Poll<()>;

    /// Request `id` was given up by its caller.
    fn give_up(&self, id: u64) -> GaveUp;

    /// Takes no more messages and ends the input of the server. Never blocks.
    fn close(&self);

    /// Sees the tools that a listing found, and takes those out that it cannot call.
    fn listed(&self, _tools: &mut Listing<Tool>) {}
}

impl<L: Link + ?Sized> Link for Arc<L> {
    fn send<'a>(&self, message: Outbound<'a>) -> Result<(), Refused<'a>> {
        (**self).send(message)
    }

    fn poll_room(&self, cx: &mut Context<'_>) -> Poll<()> {
        (**self).poll_room(cx)
    }

    fn give_up(&self, id: u64) -> GaveUp {
        (**self).give_up(id)
    }

    fn close(&self) {
        (**self).close();
    }

    fn listed(&self, tools: &mut Listing<Tool>) {
        (**self).listed(tools);
    }
}

/// One message on its way out.
#[derive(Debug)]
pub(crate) struct Outbound<'a> {
    /// The JSON text, without a line end.
    pub(crate) text: Vec<u8>,
    pub(crate) kind: Kind<'a>,
    /// It may wait until whoever runs now has sent too, to leave together with theirs.
    pub(crate) gather: bool,
}

/// What a link may need to know of a message without reading it.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "http"),
    expect(
        dead_code,
        reason = "a pipe needs no more than the ids; HTTP puts the rest into headers"
    )
)]
pub(crate) enum Kind<'a> {
    Request {
        id: u64,
        method: &'static str,
        /// The tool, prompt or resource that it is about.
        name: Option<&'a str>,
    },
    Notification {
        method: &'static str,
    },
    /// An answer to a request of the server.
    Response,
}

/// Why a link does not take a message.
#[derive(Debug)]
pub(crate) enum Refused<'a> {
    /// Too much waits already: the message comes back.
    Full(Outbound<'a>),
    /// The link takes nothing any more.
    Closed,
}

/// What giving a request up meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GaveUp {
    /// It was still waiting, and was taken back: the server never sees it.
    NotSent,
    /// The server may be at work on it and has to be told with `notifications/cancelled`.
    MustTell,
    /// The server has been told by the end of the request's own stream.
    #[cfg(feature = "http")]
    Told,
}
