//! References in the spelling of other programs, which mean nothing here.

/// A reference that is not ours, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// The reference as written.
    pub(crate) written: String,
    /// Whose spelling it is.
    pub(crate) whose: &'static str,
    /// What to write instead.
    pub(crate) instead: String,
}

/// Finds `{env:X}`, `${env:X}`, `${input:x}` and their like.
pub(crate) fn foreign_references(text: &str) -> Vec<Foreign> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        let dollars = before.len() - before.trim_end_matches('$').len();
        let inner = from.get(1..).unwrap_or_default();
        rest = inner;
        // Names are short; looking no further keeps this linear.
        let near = inner
            .char_indices()
            .nth(80)
            .map_or(inner, |(end, _)| &inner[..end]);
        let Some((inner, _)) = near.split_once('}') else {
            continue;
        };
        // An even number of dollar signs is escaped ones.
        if let Some(foreign) = classify(inner, dollars % 2 == 1, dollars) {
            found.push(foreign);
        }
    }
    found
}

fn classify(inner: &str, dollar: bool, dollars: usize) -> Option<Foreign> {
    let (kind, name) = inner.split_once(':')?;
    let name = name.trim();
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "_-.".contains(c));
    let whose = match (kind.trim(), dollar) {
        ("env", true) => "VS Code and Cursor",
        ("env", false) if dollars == 0 => "opencode",
        ("input" | "command" | "config", true) => "VS Code",
        ("secret" | "secrets", true) => "another program",
        _ => return None,
    };
    if !is_name {
        return None;
    }
    let sign = if dollar { "$" } else { "" };
    let variable: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let variable = if kind.trim() == "env" {
        variable
    } else {
        variable.to_ascii_uppercase()
    };
    Some(Foreign {
        written: format!("{sign}{{{inner}}}"),
        whose,
        instead: format!("${{{variable}}}"),
    })
}

/// Finds what looks like one of our references but is not: `${VAR`, `${VAR:+x}`, `${VAR-x}`.
pub(crate) fn unfinished_references(text: &str) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(dollar) = rest.find('$') {
        let after = rest.get(dollar + 1..).unwrap_or_default();
        if let Some(escaped) = after.strip_prefix('$') {
            rest = escaped;
            continue;
        }
        rest = after;
        let Some(inner) = after.strip_prefix('{') else {
            continue;
        };
        let end = inner
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(inner.len());
        let (name, operator) = inner.split_at(end);
        if name.is_empty() || name.len() > 80 || name.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let why = match operator.chars().next() {
            None => "its closing brace is missing",
            Some(':') if operator.starts_with(":-") || operator.starts_with(":?") => {
                if inner.contains('}') {
                    continue;
                }
                "its closing brace is missing"
            }
            Some(':' | '-' | '?' | '+' | '=' | '#' | '%' | '/' | '^' | ',' | '@') => {
                "this operator of the shell is not supported"
            }
            Some(_) => continue,
        };
        found.push((
            format!("${{{name}{}", operator.chars().take(2).collect::<String>()),
            why,
        ));
    }
    found
}
