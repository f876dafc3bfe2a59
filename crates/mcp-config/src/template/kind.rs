//! A value before it is resolved.

use std::collections::BTreeSet;
use std::fmt;

use super::parse::parts;
use super::show;
use crate::resolve::Command;

/// A value of `env` or `headers`, as written.
///
/// `${VAR}`, `$VAR` and `$<VAR>` are references; `${VAR:-default}` takes the default, itself a template, where the
/// variable is unset or empty; `${VAR:?message}` fails with the message there. `$$` is a dollar sign, any other `$`
/// stands for itself. A leading `!` makes the rest a command, a leading `!!` stands for one `!`.
///
/// Debug and Display show references and hide literal text.
///
/// ```
/// use mcp_config::Template;
///
/// let template = Template::new("Bearer ${TOKEN:-tok-123}");
/// assert_eq!(template.variables().into_iter().collect::<Vec<_>>(), ["TOKEN"]);
/// assert_eq!(template.to_string(), "Bearer ${TOKEN:-[SECRET]}");
///
/// let command = Template::new("!pass show mcp");
/// assert_eq!(command.command().map(|command| command.expose()), Some("pass show mcp"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Template {
    text: Box<str>,
    form: Form,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Form {
    Command(Command),
    Parts(Vec<Part>),
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Literal(String),
    Variable { name: Box<str>, fallback: Fallback },
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Fallback {
    None,
    Default(Vec<Part>),
    Message(Box<str>),
}

impl Template {
    /// Takes a value apart. Every text is a template.
    pub fn new(text: &str) -> Self {
        let form = match text.strip_prefix('!') {
            Some(literal) if literal.starts_with('!') => Form::Parts(parts(literal)),
            Some(command) => Form::Command(Command::new(command)),
            None => Form::Parts(parts(text)),
        };
        Template {
            text: text.into(),
            form,
        }
    }

    /// The value as written, with whatever credentials it holds.
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// The command, if the value is one.
    pub fn command(&self) -> Option<&Command> {
        match &self.form {
            Form::Command(command) => Some(command),
            Form::Parts(_) => None,
        }
    }

    /// The names of the variables that it may use.
    pub fn variables(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        if let Form::Parts(parts) = &self.form {
            collect(parts, &mut names);
        }
        names
    }

    /// The value, if it is the same whatever the environment holds.
    pub(crate) fn literal(&self) -> Option<String> {
        match &self.form {
            Form::Parts(parts) => parts.iter().map(Part::as_literal).collect(),
            Form::Command(_) => None,
        }
    }

    pub(crate) fn form(&self) -> &Form {
        &self.form
    }
}

impl Part {
    fn as_literal(&self) -> Option<&str> {
        match self {
            Part::Literal(literal) => Some(literal),
            Part::Variable { .. } => None,
        }
    }
}

/// Recursion is bounded by the depth that the parser allows.
fn collect<'a>(parts: &'a [Part], names: &mut BTreeSet<&'a str>) {
    for part in parts {
        if let Part::Variable { name, fallback } = part {
            names.insert(name);
            if let Fallback::Default(default) = fallback {
                collect(default, names);
            }
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&show::masked(&self.form))
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Template({self})")
    }
}
