//! From a record to the rows of a sequence diagram: who stands where, and what goes from whom to whom.

use std::collections::BTreeSet;

use crate::trace::{Direction, Entry};

use super::label::{Label, Labels};

/// A diagram with more rows than this is a wall; the rest stands in the list of messages.
const MOST_ROWS: usize = 250;

/// A diagram before it is drawn. Time goes down.
#[derive(Debug)]
pub(super) struct Sequence {
    /// The model or program, the host or connection, then each server by name.
    pub(super) lanes: Vec<String>,
    /// The rows, at most a bounded number.
    pub(super) rows: Vec<Row>,
    /// How many more there are.
    pub(super) more: usize,
}

#[derive(Debug)]
pub(super) struct Row {
    /// Which entry of the record it is, from 1.
    pub(super) number: usize,
    pub(super) label: Label,
    pub(super) shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Something new begins.
    Divider,
    /// From a lane to another one, asked for by the other or not.
    Arrow { from: usize, to: usize, reply: bool },
    /// A state of a lane.
    Note { lane: usize },
    /// The scenario changes the world of all.
    Event,
}

const CALLER: usize = 0;
const HOST: usize = 1;

impl Sequence {
    pub(super) fn new(trace: &[Entry]) -> Sequence {
        let servers: BTreeSet<&str> = trace.iter().filter_map(Entry::server).collect();
        let in_session = trace
            .iter()
            .any(|entry| matches!(entry, Entry::Exchange { .. }));
        let both = if in_session {
            ["Model", "Host"]
        } else {
            ["Program", "Connection"]
        };
        let lanes = both.into_iter().chain(servers.iter().copied());
        let lane = |name: &str| 2 + servers.iter().take_while(|server| **server < name).count();
        let mut labels = Labels::default();
        let rows = trace.iter().enumerate().map(|(index, entry)| Row {
            number: index + 1,
            label: labels.of(entry),
            shape: shape(entry, lane),
        });
        Sequence {
            lanes: lanes.map(str::to_owned).collect(),
            rows: rows.take(MOST_ROWS).collect(),
            more: trace.len().saturating_sub(MOST_ROWS),
        }
    }
}

fn shape(entry: &Entry, lane: impl Fn(&str) -> usize) -> Shape {
    match entry {
        Entry::Exchange { .. } => Shape::Divider,
        Entry::Said(_) => Shape::Note { lane: CALLER },
        Entry::Asked { .. } => Shape::Arrow {
            from: CALLER,
            to: HOST,
            reply: false,
        },
        Entry::Answered { .. } => Shape::Arrow {
            from: HOST,
            to: CALLER,
            reply: true,
        },
        Entry::Event(_) | Entry::More(_) => Shape::Event,
        Entry::State { server, .. } => Shape::Note { lane: lane(server) },
        Entry::Message(message) => {
            let server = lane(&message.server);
            let (from, to) = match message.direction {
                Direction::Sent => (HOST, server),
                Direction::Received => (server, HOST),
            };
            let reply = message.body.get("method").is_none();
            Shape::Arrow { from, to, reply }
        }
    }
}
