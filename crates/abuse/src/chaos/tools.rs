//! What the tools of chaos do, each in its own way of going wrong or right.

use serde_json::{Value, json};

use crate::fleet::Transport;

/// A tool of a server of chaos, and what its host may expect of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// How often it is called beside the others.
    weight: usize,
    kind: Kind,
}

/// Where a tool makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Everywhere,
    /// A session is needed, or a way for the server to ask.
    Handshake,
    Http,
}

const TOOLS: [Tool; 16] = [
    Tool::new("echo", 30, Kind::Everywhere),
    // Beside a server `a__b` with `echo`, this one of `a` wants the same name.
    Tool::new("b__echo", 6, Kind::Everywhere),
    Tool::new("late", 12, Kind::Everywhere),
    Tool::new("big", 2, Kind::Everywhere),
    Tool::new("progress", 3, Kind::Everywhere),
    Tool::new("chatter", 3, Kind::Everywhere),
    Tool::new("refuse", 2, Kind::Everywhere),
    Tool::new("hang", 1, Kind::Everywhere),
    Tool::new("crash", 1, Kind::Everywhere),
    Tool::new("last", 1, Kind::Everywhere),
    Tool::new("fewer", 1, Kind::Everywhere),
    Tool::new("more", 2, Kind::Everywhere),
    Tool::new("ask", 2, Kind::Handshake),
    Tool::new("expire", 2, Kind::Http),
    Tool::new("cut", 1, Kind::Http),
    Tool::new("reset", 1, Kind::Http),
];

/// The tools that a server takes away by `fewer` and gives back by `more`.
const FLEETING: [&str; 3] = ["late", "big", "chatter"];

impl Tool {
    const fn new(name: &'static str, weight: usize, kind: Kind) -> Tool {
        Tool { name, weight, kind }
    }

    /// Whether a successful answer is the arguments as they were sent.
    pub(super) fn echoes(self) -> bool {
        self.name != "big"
    }

    fn steps(self) -> Value {
        let note = json!({"note": {"@arguments": true}});
        let text = json!({"text": {"@arguments": true}});
        match self.name {
            "late" => json!([note, {"sleepMs": 15}, text]),
            "big" => {
                json!([note, {"text": {"@repeat": {"text": "0123456789abcdef", "times": 16384}}}])
            }
            "progress" => json!([note,
                {"repeat": {"times": 20, "do": {"progress": {"progress": {"@index": true}}}}}, text]),
            "chatter" => json!([note,
                {"repeat": {"times": 20, "do": {"log": {"level": "info", "data": "on and on"}}}}, text]),
            "refuse" => json!([note, {"error": {"code": -32000, "message": "not today"}}]),
            "hang" => json!([note]),
            "crash" => json!([note, {"exit": 7}]),
            "last" => json!([note, text, {"exit": 0}]),
            "fewer" => {
                json!([note, {"set": {"tools": definitions(|name| !FLEETING.contains(&name))}},
                {"changed": "tools"}, text])
            }
            "more" => {
                json!([note, {"set": {"tools": definitions(|_| true)}}, {"changed": "tools"}, text])
            }
            "ask" => json!([note, {"ask": {"method": "ping"}}, text]),
            "expire" => json!([note, text, "expireSession"]),
            "cut" => json!([note, "cut"]),
            "reset" => json!([note, "reset"]),
            _ => json!([note, text]),
        }
    }
}

/// A size that tells `big`'s answer.
pub(super) const BIG: usize = 16 * 16384;

/// All tools of a server, each as often as it should be picked.
pub(super) fn weighted(transport: Transport, handshake: bool) -> Vec<Tool> {
    TOOLS
        .iter()
        .filter(|tool| match tool.kind {
            Kind::Everywhere => true,
            Kind::Handshake => handshake,
            Kind::Http => transport == Transport::Http,
        })
        .flat_map(|tool| std::iter::repeat_n(*tool, tool.weight))
        .collect()
}

/// The script's `tools`. Every server lists all, since one that does not fit it is never called.
fn definitions(keep: impl Fn(&str) -> bool) -> Value {
    TOOLS
        .iter()
        .filter(|tool| keep(tool.name))
        .map(|tool| {
            json!({
                "name": tool.name,
                "inputSchema": {
                    "type": "object",
                    "properties": { "id": { "type": "integer" } },
                    "required": ["id"],
                    "additionalProperties": false,
                },
            })
        })
        .collect()
}

/// The script of a server that has these tools.
pub(super) fn script(versions: &[&str], http: Option<Value>) -> Value {
    let calls: serde_json::Map<String, Value> = TOOLS
        .iter()
        .map(|tool| (tool.name.to_owned(), tool.steps()))
        .collect();
    let mut script = json!({
        "versions": versions,
        "tools": definitions(|_| true),
        "calls": calls,
    });
    if let Some(http) = http {
        script["http"] = http;
    } else {
        // Steps that only HTTP has are refused on stdio.
        for tool in TOOLS.iter().filter(|tool| tool.kind == Kind::Http) {
            script["calls"][tool.name] = json!([]);
        }
    }
    script
}
