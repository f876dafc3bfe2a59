//! The form that people read. Everything that came from a file is escaped.

use std::fmt;

use super::json::outcome;
use super::model::{Explanation, Member, ServerView, Shown, State};
use crate::entry::Origin;
use crate::problem::escape_terminal;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "layers")?;
        for layer in &self.layers {
            let file = layer.file().display().to_string();
            let kept = if layer.kept_last_good() {
                ", its last good servers kept"
            } else {
                ""
            };
            let (name, file) = (escape_terminal(layer.layer()), escape_terminal(&file));
            writeln!(f, "  {name}: {file} ({}{kept})", outcome(layer.outcome()))?;
        }
        writeln!(f, "\nservers")?;
        if self.servers.is_empty() {
            writeln!(f, "  none")?;
        }
        self.servers
            .iter()
            .try_for_each(|server| write_server(f, server))
    }
}

fn write_server(f: &mut fmt::Formatter<'_>, server: &ServerView) -> fmt::Result {
    let place = Place(&server.origin);
    writeln!(
        f,
        "  {}: {} ({place})",
        escape_terminal(&server.name),
        server.state.word()
    )?;
    match &server.state {
        State::Failed { error } => writeln!(f, "    {}", escape_terminal(error))?,
        State::AwaitingApproval {
            fingerprint,
            summary,
        } => {
            writeln!(f, "    {}", escape_terminal(summary))?;
            writeln!(f, "    fingerprint {fingerprint}")?;
        }
        State::Valid { direct: false } => writeln!(f, "    the model sees none of its tools")?,
        State::Valid { direct: true } | State::Disabled => {}
    }
    for replaced in &server.replaced {
        writeln!(f, "    takes the place of {}", Place(replaced))?;
    }
    for (name, member) in &server.members {
        match member {
            Member::One(shown) => write_value(f, name, shown)?,
            Member::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    write_value(f, &format!("{name}[{index}]"), item)?;
                }
            }
            Member::Named(members) => {
                for (key, shown) in members {
                    write_value(f, &format!("{name}.{key}"), shown)?;
                }
            }
        }
    }
    Ok(())
}

fn write_value(f: &mut fmt::Formatter<'_>, key: &str, shown: &Shown) -> fmt::Result {
    let value = shown.value.to_string();
    write!(
        f,
        "    {} = {}",
        escape_terminal(key),
        escape_terminal(&value)
    )?;
    match &shown.origin {
        Some(origin) => write!(f, " ({}", Place(origin))?,
        None if shown.inferred => write!(f, " (inferred")?,
        None => write!(f, " (default")?,
    }
    if let Some(shadowed) = &shown.shadowed {
        write!(f, ", shadows {}", Place(shadowed))?;
    }
    writeln!(f, ")")
}

/// The layer and the place; the files are told above.
struct Place<'a>(&'a Origin);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape_terminal(self.0.layer()))?;
        match (self.0.line(), self.0.column()) {
            (Some(line), Some(column)) => write!(f, ":{line}:{column}"),
            _ => Ok(()),
        }
    }
}
