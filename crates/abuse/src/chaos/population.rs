//! The servers of chaos: both transports, both eras, in turn.

use serde_json::json;

use super::tools::{self, Tool};
use crate::fleet::{Fixture, Transport};

/// A server of chaos.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) fixture: Fixture,
    /// Its tools, each as often as it should be picked.
    pub(super) tools: Vec<Tool>,
}

const OLD: &str = "2025-11-25";
const NEW: &str = "2026-07-28";

/// So many servers; the first two are named so that their tools want the same exposed names.
pub(super) fn members(count: usize) -> Vec<Member> {
    (0..count).map(member).collect()
}

fn member(number: usize) -> Member {
    let name = match number {
        0 => "a".to_owned(),
        1 => "a__b".to_owned(),
        _ => format!("server-{number}"),
    };
    let (versions, http): (&[&str], _) = match number % 6 {
        0 => (&[OLD], None),
        1 => (&[NEW], None),
        2 => (&[OLD], Some(json!({}))),
        3 => (&[NEW], Some(json!({"answers": "sse"}))),
        4 => (&[OLD, NEW], None),
        _ => (&[OLD], Some(json!({"answers": "sse", "eventIds": true}))),
    };
    let transport = if http.is_some() {
        Transport::Http
    } else {
        Transport::Stdio
    };
    let tools = tools::weighted(transport, versions == [OLD]);
    Member {
        fixture: Fixture {
            name,
            transport,
            script: tools::script(versions, http),
        },
        tools,
    }
}
