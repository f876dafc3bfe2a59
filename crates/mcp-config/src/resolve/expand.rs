//! Expands one template.

use super::environment::Environment;
use super::error::ResolveError;
use super::outputs::Outputs;
use crate::secret::Secret;
use crate::template::{Fallback, Form, Part, Template};

/// A value, and what went into it.
pub(super) struct Expanded {
    pub(super) text: String,
    /// The values of variables and commands in it, with the names of the variables.
    pub(super) ingredients: Vec<(Option<String>, Secret)>,
}

impl Expanded {
    /// The variables that contributed nothing, because they are empty.
    pub(super) fn empty_variables(&self) -> Vec<String> {
        let empty = self
            .ingredients
            .iter()
            .filter(|(_, value)| value.expose().is_empty());
        let mut names: Vec<String> = Vec::new();
        for name in empty.filter_map(|(name, _)| name.as_ref()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Whether there were references or commands, and none contributed anything.
    pub(super) fn is_hollow(&self) -> bool {
        !self.ingredients.is_empty()
            && self
                .ingredients
                .iter()
                .all(|(_, value)| value.expose().is_empty())
    }
}

pub(super) fn expand(
    template: &Template,
    environment: &Environment,
    outputs: &Outputs,
) -> Result<Expanded, Vec<ResolveError>> {
    let mut expansion = Expansion {
        environment,
        expanded: Expanded {
            text: String::new(),
            ingredients: Vec::new(),
        },
        errors: Vec::new(),
    };
    match template.form() {
        Form::Parts(parts) => expansion.parts(parts),
        Form::Command(command) => match outputs.get(command) {
            Some(Ok(value)) => expansion.ingredient(None, value.expose()),
            Some(Err(failure)) => {
                expansion
                    .errors
                    .push(ResolveError::CommandFailed(failure.clone()));
            }
            None => expansion.errors.push(ResolveError::CommandNotRun),
        },
    }
    if expansion.errors.is_empty() {
        Ok(expansion.expanded)
    } else {
        Err(expansion.errors)
    }
}

struct Expansion<'a> {
    environment: &'a Environment,
    expanded: Expanded,
    errors: Vec<ResolveError>,
}

impl Expansion<'_> {
    /// Recursion is bounded by the depth that the template's parser allows.
    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Literal(literal) => self.expanded.text.push_str(literal),
                Part::Variable { name, fallback } => self.variable(name, fallback),
            }
        }
    }

    fn variable(&mut self, name: &str, fallback: &Fallback) {
        let value = self.environment.get_os(name).map(|value| value.to_str());
        match (value, fallback) {
            (Some(None), _) => {
                self.errors.push(ResolveError::NotUnicode {
                    variable: name.to_owned(),
                });
            }
            (None | Some(Some("")), Fallback::Default(default)) => {
                let before = self.expanded.text.len();
                self.parts(default);
                if self.expanded.text.len() == before {
                    self.ingredient(Some(name), "");
                }
            }
            (None | Some(Some("")), Fallback::Message(message)) if !message.trim().is_empty() => {
                let (variable, message) = (name.to_owned(), message.to_string());
                self.errors
                    .push(ResolveError::Required { variable, message });
            }
            // A message that says nothing is that of an unset variable.
            (None, _) | (Some(Some("")), Fallback::Message(_)) => {
                self.errors.push(ResolveError::Unset {
                    variable: name.to_owned(),
                });
            }
            (Some(Some(value)), _) => self.ingredient(Some(name), value),
        }
    }

    fn ingredient(&mut self, name: Option<&str>, value: &str) {
        self.expanded.text.push_str(value);
        self.expanded
            .ingredients
            .push((name.map(str::to_owned), Secret::new(value)));
    }
}
