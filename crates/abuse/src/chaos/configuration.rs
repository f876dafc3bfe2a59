//! The configuration of a host of chaos: a user's file and a project's over it, edited at random.

use std::fs;

use serde_json::{Map, Value, json};

use crate::dice::Dice;
use crate::fleet::Folder;
use crate::outcome::Outcome;

pub(super) const USER_FILE: &str = "user.json";
pub(super) const PROJECT_FILE: &str = "project.json";

/// The members of the entries that say where a server is, by its name.
pub(super) type Bases = Map<String, Value>;

/// What the files say about each server.
pub(super) struct Configuration {
    folder: Folder,
    bases: Bases,
    edits: Vec<(String, Edit)>,
}

/// What is special about one server at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    Nothing,
    /// Another value of a variable or header: another connection.
    Round(u64),
    /// Another time limit: the same connection.
    Patience,
    Hidden,
    PartlyHidden,
    Disabled,
    Removed,
    /// The project's file overrides the user's.
    ProjectHides,
    ProjectDisables,
    /// An entry that is none.
    Broken,
}

impl Configuration {
    pub(super) fn new(folder: Folder, bases: Bases) -> Configuration {
        let edits = bases
            .keys()
            .map(|name| (name.clone(), Edit::Nothing))
            .collect();
        Configuration {
            folder,
            bases,
            edits,
        }
    }

    /// Changes one server's entries in the files.
    pub(super) fn edit(&mut self, dice: &mut Dice) -> Outcome<()> {
        let at = dice.roll(self.edits.len());
        let round = dice.next() % 1000;
        self.edits[at].1 = match dice.roll(14) {
            0..=3 => Edit::Nothing,
            4..=6 => Edit::Round(round),
            7 => Edit::Patience,
            8 => Edit::Hidden,
            9 => Edit::PartlyHidden,
            10 => Edit::Disabled,
            11 => Edit::Removed,
            12 => *dice.pick(&[Edit::ProjectHides, Edit::ProjectDisables]),
            _ => Edit::Broken,
        };
        self.write()
    }

    /// Every server as it was in the beginning.
    pub(super) fn restore(&mut self) -> Outcome<()> {
        for (_, edit) in &mut self.edits {
            *edit = Edit::Nothing;
        }
        self.write()
    }

    fn write(&self) -> Outcome<()> {
        let (mut user, mut project) = (Map::new(), Map::new());
        for (name, edit) in &self.edits {
            if let Some(entry) = self.entry(name, *edit) {
                user.insert(name.clone(), entry);
            }
            match edit {
                Edit::ProjectHides => {
                    project.insert(name.clone(), json!({"exposure": "hidden"}));
                }
                Edit::ProjectDisables => {
                    project.insert(name.clone(), json!({"enabled": false}));
                }
                _ => {}
            }
        }
        for (file, servers) in [(USER_FILE, user), (PROJECT_FILE, project)] {
            let text = json!({"mcpServers": servers}).to_string();
            fs::write(self.folder.path(file), text)?;
        }
        Ok(())
    }

    fn entry(&self, name: &str, edit: Edit) -> Option<Value> {
        let mut entry = self.bases[name].clone();
        entry["startTimeoutMs"] = json!(10_000);
        entry["requestTimeoutMs"] = json!(1_500);
        let variables = if entry.get("url").is_some() {
            "headers"
        } else {
            "env"
        };
        entry[variables] = json!({"Token": "${TOKEN:-none}"});
        match edit {
            Edit::Removed => return None,
            Edit::Broken => return Some(json!({"args": []})),
            Edit::Round(round) => entry[variables]["Round"] = json!(round.to_string()),
            Edit::Patience => entry["requestTimeoutMs"] = json!(1_200),
            Edit::Hidden => entry["exposure"] = json!("hidden"),
            Edit::PartlyHidden => entry["toolExposure"] = json!({"late": "hidden"}),
            Edit::Disabled => entry["enabled"] = json!(false),
            Edit::Nothing | Edit::ProjectHides | Edit::ProjectDisables => {}
        }
        Some(entry)
    }
}
