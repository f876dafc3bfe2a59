//! The values that a server may echo, to be hidden in logs and reports.

use std::collections::BTreeSet;

use super::header;
use crate::secret::Secret;

/// Shorter values are too common to be hidden: hiding each `true` would make a log unreadable.
const SHORTEST: usize = 6;

/// Variables whose values are no secrets.
const PLAIN: [&str; 22] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "USERNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TMP",
    "TEMP",
    "PWD",
    "OLDPWD",
    "HOSTNAME",
    "EDITOR",
    "PAGER",
    "DISPLAY",
    "COLORTERM",
    "NO_COLOR",
    "SHLVL",
];

#[derive(Default)]
pub(super) struct Mask {
    values: BTreeSet<String>,
}

impl Mask {
    pub(super) fn add(&mut self, value: &str) {
        if value.len() >= SHORTEST {
            self.values.insert(value.to_owned());
        }
        // A server prints a key of several lines line by line. Its frame says nothing.
        if value.contains('\n') {
            let lines = value.lines().map(str::trim);
            let telling = lines.filter(|line| line.len() >= SHORTEST && !line.starts_with("-----"));
            self.values.extend(telling.map(str::to_owned));
        }
    }

    /// A header's value, and the credential behind its scheme.
    pub(super) fn add_header(&mut self, name: &str, value: &str) {
        let value = value.trim();
        self.add(value);
        if let Some((scheme, credential)) = value.split_once(' ')
            && (header::is_scheme(scheme) || header::expects_credential(name))
        {
            self.add(credential.trim());
        }
    }

    pub(super) fn add_variable(&mut self, name: &str, value: &str) {
        let plain = PLAIN.contains(&name) || name.starts_with("LC_") || name.starts_with("XDG_");
        if !plain {
            self.add(value);
        }
    }

    /// Longest first, so that a value is hidden before a part of it is.
    pub(super) fn finish(self) -> Vec<Secret> {
        let mut values: Vec<String> = self.values.into_iter().collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.into_iter().map(Secret::new).collect()
    }
}
