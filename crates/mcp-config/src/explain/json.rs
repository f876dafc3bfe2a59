//! The form that tools read.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::model::{Explanation, Member, ServerView, Shown, State};
use crate::config::{LayerSource, Outcome};
use crate::entry::Origin;

impl Serialize for Explanation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("servers", &Servers(&self.servers))?;
        map.serialize_entry("problems", &self.problems)?;
        let layers: Vec<Layer<'_>> = self.layers.iter().map(Layer).collect();
        map.serialize_entry("layers", &layers)?;
        map.end()
    }
}

struct Servers<'a>(&'a [ServerView]);

impl Serialize for Servers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|server| (&server.name, server)))
    }
}

impl Serialize for ServerView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("state", self.state.word())?;
        match &self.state {
            State::Valid { direct } => map.serialize_entry("direct", direct)?,
            State::Disabled => {}
            State::Failed { error } => map.serialize_entry("error", error)?,
            State::AwaitingApproval {
                fingerprint,
                summary,
            } => {
                map.serialize_entry("fingerprint", fingerprint)?;
                map.serialize_entry("summary", summary)?;
            }
        }
        for (name, member) in &self.members {
            map.serialize_entry(name, member)?;
        }
        map.serialize_entry("origin", &Place(&self.origin))?;
        if !self.replaced.is_empty() {
            let replaced: Vec<Place<'_>> = self.replaced.iter().map(Place).collect();
            map.serialize_entry("replaces", &replaced)?;
        }
        if !self.members.is_empty() {
            map.serialize_entry("origins", &Origins(&self.members))?;
        }
        map.end()
    }
}

impl Serialize for Member {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Member::One(shown) => shown.value.serialize(serializer),
            Member::List(items) => serializer.collect_seq(items.iter().map(|item| &item.value)),
            Member::Named(members) => {
                serializer.collect_map(members.iter().map(|(name, shown)| (name, &shown.value)))
            }
        }
    }
}

/// The origin of each value, under `command`, `args[0]`, `env.NAME`; defaults have none.
struct Origins<'a>(&'a [(&'static str, Member)]);

impl Serialize for Origins<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut entry = |key: &str, shown: &Shown| match &shown.origin {
            Some(origin) => map.serialize_entry(key, &Source(origin, shown.shadowed.as_ref())),
            None => Ok(()),
        };
        for (name, member) in self.0 {
            match member {
                Member::One(shown) => entry(name, shown)?,
                Member::List(items) => {
                    for (index, item) in items.iter().enumerate() {
                        entry(&format!("{name}[{index}]"), item)?;
                    }
                }
                Member::Named(members) => {
                    for (key, shown) in members {
                        entry(&format!("{name}.{key}"), shown)?;
                    }
                }
            }
        }
        map.end()
    }
}

struct Place<'a>(&'a Origin);

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Source(self.0, None).serialize(serializer)
    }
}

struct Source<'a>(&'a Origin, Option<&'a Origin>);

impl Serialize for Source<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Source(origin, shadowed) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("layer", origin.layer())?;
        map.serialize_entry(
            "file",
            &origin.file().map(|file| file.display().to_string()),
        )?;
        map.serialize_entry("line", &origin.line())?;
        map.serialize_entry("column", &origin.column())?;
        if let Some(shadowed) = shadowed {
            map.serialize_entry("shadows", &Place(shadowed))?;
        }
        map.end()
    }
}

struct Layer<'a>(&'a LayerSource);

impl Serialize for Layer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("layer", self.0.layer())?;
        map.serialize_entry("file", &self.0.file().display().to_string())?;
        map.serialize_entry("outcome", outcome(self.0.outcome()))?;
        map.serialize_entry("keptLastGood", &self.0.kept_last_good())?;
        map.end()
    }
}

pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Absent => "absent",
        Outcome::Empty => "empty",
        Outcome::Unreadable => "unreadable",
        Outcome::Broken => "broken",
        Outcome::Loaded => "loaded",
    }
}

impl State {
    pub(super) fn word(&self) -> &'static str {
        match self {
            State::Valid { .. } => "valid",
            State::Disabled => "disabled",
            State::Failed { .. } => "failed",
            State::AwaitingApproval { .. } => "awaiting-approval",
        }
    }
}
