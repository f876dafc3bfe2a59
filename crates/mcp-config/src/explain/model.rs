//! What is shown.

use crate::config::LayerSource;
use crate::entry::Origin;
use crate::problem::Problem;

/// A configuration with the origin of each value, without its credentials.
///
/// It serialises as `{"servers":{name:{…,"origin":{…}}},"problems":[…],"layers":[…]}` and displays as text that is safe
/// for a terminal, without the problems. Literal values of `env` and `headers`, user information and query values of
/// URLs, and arguments that look like credentials are hidden.
///
/// ```
/// use mcp_config::{Layer, explain, load};
/// # let directory = tempfile::tempdir()?;
/// # let file = directory.path().join("mcp.json");
/// std::fs::write(&file, r#"{ "mcpServers": { "a": { "command": "srv", "env": { "TOKEN": "tok-123" } } } }"#)?;
///
/// let explanation = explain(&load(&[Layer::user(&file)]));
/// let json = serde_json::to_value(&explanation)?;
/// assert_eq!(json["servers"]["a"]["command"], "srv");
/// assert_eq!(json["servers"]["a"]["env"]["TOKEN"], "[SECRET]");
/// assert_eq!(json["servers"]["a"]["origin"]["layer"], "user");
/// assert!(!explanation.to_string().contains("tok-123"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    pub(super) servers: Vec<ServerView>,
    pub(super) problems: Vec<Problem>,
    pub(super) layers: Vec<LayerSource>,
}

#[derive(Clone, Debug)]
pub(super) struct ServerView {
    pub(super) name: String,
    pub(super) state: State,
    pub(super) origin: Origin,
    pub(super) replaced: Vec<Origin>,
    pub(super) members: Vec<(&'static str, Member)>,
}

#[derive(Clone, Debug)]
pub(super) enum State {
    Valid {
        direct: bool,
    },
    Disabled,
    Failed {
        error: String,
    },
    AwaitingApproval {
        fingerprint: String,
        summary: String,
    },
}

/// A member of an entry.
#[derive(Clone, Debug)]
pub(super) enum Member {
    One(Shown),
    List(Vec<Shown>),
    Named(Vec<(String, Shown)>),
}

/// A value as it is shown. Without an origin it is a default, or follows from other members.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) value: serde_json::Value,
    pub(super) origin: Option<Origin>,
    pub(super) shadowed: Option<Origin>,
    /// It follows from other members of the entry.
    pub(super) inferred: bool,
}
