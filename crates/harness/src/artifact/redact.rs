//! What is replaced in an artifact because it differs from run to run, or must not be seen. It works on
//! values, never on the artifact's text.

use std::path::Path;

use super::{Json, sha256};

/// Replaces what is unstable or secret in the values of an artifact.
#[derive(Debug, Clone)]
pub struct Redactor {
    root: String,
    secrets: Vec<String>,
    pids: Vec<String>,
    ports: Vec<String>,
}

/// Strings of more bytes are cut; the artifact keeps their beginning, size and hash.
const LONGEST_STRING: usize = 2_000;

/// How much of a string that is cut stays.
const KEPT_CHARACTERS: usize = 100;

impl Redactor {
    /// For the scenario whose sandbox is in `root`.
    pub fn new(root: &Path, secrets: &[String]) -> Redactor {
        Redactor {
            root: root.display().to_string(),
            secrets: secrets.to_vec(),
            pids: Vec::new(),
            ports: Vec::new(),
        }
    }

    /// Learns the ids of processes from the journals, where scripts write them down on demand.
    pub fn learn_pids<'a>(&mut self, entries: impl IntoIterator<Item = &'a Json>) {
        for pid in entries
            .into_iter()
            .filter_map(|entry| entry.get("pid")?.as_u64())
        {
            self.pids.push(pid.to_string());
        }
    }

    /// Learns the ports of the sandbox's web servers.
    pub fn learn_ports(&mut self, ports: impl IntoIterator<Item = u16>) {
        self.ports
            .extend(ports.into_iter().map(|port| port.to_string()));
    }

    /// A journal as the artifact shows it: in it, secrets are masked, since a server is given its secrets.
    pub fn journal(&self, entry: Json) -> Json {
        let entry = match entry {
            Json::Object(members) => Json::Object(
                members
                    .into_iter()
                    .map(|(name, value)| match name.as_str() {
                        "pid" => (name, Json::from("[PID]")),
                        _ => (name, value),
                    })
                    .collect(),
            ),
            other => other,
        };
        entry.map_strings(&|text| self.without_secrets(text))
    }

    /// A text that stands beside the artifact: replaced like one in it, and with secrets masked.
    pub fn masked(&self, text: &str) -> String {
        self.text(&self.without_secrets(text.to_owned()))
    }

    fn without_secrets(&self, text: String) -> String {
        self.secrets
            .iter()
            .fold(text, |text, secret| text.replace(secret, "[SECRET]"))
    }

    /// The whole artifact with paths, process ids, ports and long strings replaced.
    pub fn artifact(&self, artifact: Json) -> Json {
        artifact.map_strings(&|text| self.text(&text))
    }

    /// A text with paths, process ids and ports replaced, and cut if it is long.
    pub fn text(&self, text: &str) -> String {
        let text = text.replace(&self.root, "[SANDBOX]");
        let text = self
            .pids
            .iter()
            .fold(text, |text, pid| replace_number(&text, pid, "[PID]"));
        let text = self
            .ports
            .iter()
            .fold(text, |text, port| replace_number(&text, port, "[PORT]"));
        cut(text)
    }

    /// A text about a file, with the path relative to the sandbox.
    pub fn relative(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.root), "")
    }

    /// The pointers to strings that hold a secret.
    pub fn leaked_secrets(&self, artifact: &Json) -> Vec<String> {
        let mut found = Vec::new();
        walk(artifact, &mut String::new(), &mut |pointer, text| {
            if self.secrets.iter().any(|secret| text.contains(secret)) {
                found.push(pointer.to_owned());
            }
        });
        found
    }
}

/// Replaces a number where it stands alone, not where its digits are part of another word.
fn replace_number(text: &str, number: &str, with: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(number) {
        let (before, after) = (&rest[..at], &rest[at + number.len()..]);
        let joins = |character: char| character.is_alphanumeric() || character == '_';
        let alone = !before.ends_with(joins) && !after.starts_with(joins);
        replaced.push_str(before);
        replaced.push_str(if alone { with } else { number });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

fn cut(text: String) -> String {
    if text.len() <= LONGEST_STRING {
        return text;
    }
    let kept: String = text.chars().take(KEPT_CHARACTERS).collect();
    format!(
        "{kept}… [{} bytes, SHA-256 {}]",
        text.len(),
        sha256(text.as_bytes())
    )
}

fn walk(value: &Json, pointer: &mut String, visit: &mut dyn FnMut(&str, &str)) {
    let length = pointer.len();
    match value {
        Json::String(text) => visit(pointer, text),
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointer.push('/');
                pointer.push_str(&index.to_string());
                walk(item, pointer, visit);
                pointer.truncate(length);
            }
        }
        Json::Object(members) => {
            for (name, member) in members {
                pointer.push('/');
                pointer.push_str(name);
                visit(pointer, name);
                walk(member, pointer, visit);
                pointer.truncate(length);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

impl Json {
    /// The same value with `[REDACTED]` in the places that a JSON Pointer means (`*` is any one step), and
    /// whether there was one.
    #[must_use]
    pub fn redacted(self, pointer: &str) -> (Json, bool) {
        let steps: Vec<&str> = pointer.split('/').skip(1).collect();
        let mut found = false;
        (replace_at(self, &steps, &mut found), found)
    }

    /// The place of a text that ends most like the pointer: what may have been meant by one that means nothing.
    pub fn place_like(&self, pointer: &str) -> Option<String> {
        let alike = |place: &str| {
            let steps = place.rsplit('/').zip(pointer.rsplit('/'));
            steps.take_while(|(one, other)| one == other).count()
        };
        let mut best: (usize, Option<String>) = (0, None);
        walk(self, &mut String::new(), &mut |place, _| {
            if alike(place) > best.0 {
                best = (alike(place), Some(place.to_owned()));
            }
        });
        best.1
    }
}

fn replace_at(value: Json, steps: &[&str], found: &mut bool) -> Json {
    let Some((step, rest)) = steps.split_first() else {
        *found = true;
        return Json::from("[REDACTED]");
    };
    let takes = |name: &str| *step == "*" || step.replace("~1", "/").replace("~0", "~") == name;
    let mut replace = |name: &str, value: Json| {
        if takes(name) {
            replace_at(value, rest, found)
        } else {
            value
        }
    };
    match value {
        Json::Array(items) => Json::Array(
            items
                .into_iter()
                .enumerate()
                .map(|(index, item)| replace(&index.to_string(), item))
                .collect(),
        ),
        Json::Object(members) => Json::Object(
            members
                .into_iter()
                .map(|(name, member)| {
                    let member = replace(&name, member);
                    (name, member)
                })
                .collect(),
        ),
        other => other,
    }
}
