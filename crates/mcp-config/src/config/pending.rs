//! Entries that wait for a person's approval.

use std::fmt::Write as _;

use super::fingerprint::Fingerprint;
use crate::entry::{Origin, Patch, ServerEntry, Transport, Written, masked_url};
use crate::problem::escape_terminal;
use crate::sensitive::masked_args;
use crate::template::Template;

/// What an entry would do if it were approved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PendingKind {
    /// It would add a server.
    New,
    /// It would take the place of another layer's entry of the same name.
    Replaces(Origin),
    /// It would override members of another layer's entry of the same name.
    Overrides(Origin),
}

/// An entry of an untrusted layer. It has no effect until it is approved.
///
/// ```
/// use mcp_config::{Layer, PendingKind, load};
/// # let directory = tempfile::tempdir()?;
/// # let file = directory.path().join("mcp.json");
/// std::fs::write(&file, r#"{ "mcpServers": { "a": { "command": "srv", "args": ["-x"] } } }"#)?;
///
/// let before = load(&[Layer::project(&file)]);
/// let pending = &before.pending()[0];
/// assert_eq!((pending.summary().as_str(), pending.kind()), ("runs srv -x", &PendingKind::New));
///
/// let after = load(&[Layer::project(&file).approve([pending.fingerprint()])]);
/// assert!(after.get("a").and_then(|server| server.entry()).is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PendingEntry {
    pub(super) name: String,
    pub(super) origin: Origin,
    pub(super) fingerprint: Fingerprint,
    pub(super) kind: PendingKind,
    pub(super) written: Written,
}

impl PendingEntry {
    /// The name of the server.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the entry is written.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What an approval is remembered by; see [`Layer::approve`](super::Layer::approve).
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// What it would do.
    pub fn kind(&self) -> &PendingKind {
        &self.kind
    }

    /// The server that it would add, if it is a whole entry.
    pub fn entry(&self) -> Option<&ServerEntry> {
        match &self.written {
            Written::Server(entry) => Some(entry),
            Written::Override(_) | Written::Failed => None,
        }
    }

    /// What a person is asked about, on one line that is safe for a terminal: everything that would run or be
    /// reached. Only words that look like credentials are hidden.
    pub fn summary(&self) -> String {
        let mut summary = String::new();
        match &self.written {
            Written::Server(entry) => transport(entry.transport(), &mut summary),
            Written::Override(patch) => overrides(patch, &mut summary),
            Written::Failed => {}
        }
        escape_terminal(&summary).into_owned()
    }
}

fn transport(transport: &Transport, summary: &mut String) {
    match transport {
        Transport::Stdio(stdio) => {
            let mut words = vec![stdio.command().as_str()];
            words.extend(stdio.args().iter().map(|arg| arg.as_str()));
            let words = masked_args(&words);
            let quoted = words.iter().map(|word| quote(word));
            // Writing to a String cannot fail.
            let _ = write!(summary, "runs {}", quoted.collect::<Vec<_>>().join(" "));
            if let Some(cwd) = stdio.cwd() {
                let _ = write!(summary, " in {}", quote(cwd));
            }
            values(
                "with",
                stdio.env().map(|(name, value)| (name, &**value)),
                summary,
            );
        }
        Transport::Http(http) => {
            let _ = write!(summary, "connects to {}", masked_url(http.url()));
            values(
                "with headers",
                http.headers().map(|(name, value)| (name, &**value)),
                summary,
            );
        }
    }
}

/// Names with references; commands in full, since approving them is what this is about.
fn values<'a>(
    what: &str,
    values: impl Iterator<Item = (&'a str, &'a Template)>,
    summary: &mut String,
) {
    for (index, (name, template)) in values.enumerate() {
        let what = if index == 0 { what } else { "," };
        let value = match template.command() {
            Some(command) => format!("!{}", masked_args(&[command.expose()]).join(" ")),
            None => template.to_string(),
        };
        let space = if index == 0 { " " } else { "" };
        let _ = write!(summary, "{space}{what} {name}={value}");
    }
}

fn overrides(patch: &Patch, summary: &mut String) {
    let (enabled, exposure, tool_exposure) = patch.values();
    let parts = [
        enabled.map(|enabled| {
            (if enabled {
                "switches it on"
            } else {
                "switches it off"
            })
            .to_owned()
        }),
        exposure.map(|exposure| format!("sets exposure to {exposure}")),
        tool_exposure.map(|rules| {
            let rules: Vec<String> = rules
                .rules()
                .map(|(rule, exposure)| format!("{rule}={exposure}"))
                .collect();
            format!("sets toolExposure to {}", rules.join(", "))
        }),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    summary.push_str(&parts.join(", "));
}

fn quote(word: &str) -> String {
    if word.is_empty() || word.contains(|c: char| c.is_whitespace() || "\"'\\$`;&|<>()".contains(c))
    {
        format!("{word:?}")
    } else {
        word.to_owned()
    }
}
