//! References in the spelling of other programs, which mean nothing here.

use crate::sensitive::is_scheme;

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

/// How many of them are told about in one value.
const MOST: usize = 5;

/// Finds `{env:X}`, `${env:X}`, `${input:x}` and their like.
pub(crate) fn foreign_references(text: &str) -> Vec<Foreign> {
    let mut found = Vec::new();
    let mut rest = text;
    while found.len() < MOST
        && let Some(open) = rest.find('{')
    {
        let (before, from) = rest.split_at(open);
        let dollars = before.len() - before.trim_end_matches('$').len();
        let inner = from.get(1..).unwrap_or_default();
        rest = inner;
        let Some((inner, _)) = head(inner).split_once('}') else {
            continue;
        };
        // An even number of dollar signs is escaped ones.
        if let Some(foreign) = classify(inner, dollars % 2 == 1, dollars) {
            found.push(foreign);
        }
    }
    found
}

/// Names are short; looking no further keeps the search linear.
fn head(text: &str) -> &str {
    text.char_indices()
        .nth(80)
        .map_or(text, |(end, _)| text.split_at(end).0)
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
        ("localEnv" | "containerEnv", true) => "dev containers",
        ("secret" | "secrets" | "file", true) => "another program",
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
    let is_variable = matches!(kind.trim(), "env" | "localEnv" | "containerEnv");
    let variable = if is_variable {
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

/// The first that looks like a reference but is none of ours: `${VAR`, `${VAR:+x}`, `${ VAR }`, `%VAR%`, or a command
/// behind a scheme.
pub(crate) fn unfinished_reference(text: &str) -> Option<(String, &'static str)> {
    if let Some((scheme, rest)) = text.split_once(' ')
        && is_scheme(scheme)
        && rest.trim_start().starts_with('!')
    {
        let why = "a command is the whole value, as in !echo \"Bearer $(COMMAND)\"";
        return Some(("!…".to_owned(), why));
    }
    let last_close = text.rfind('}');
    let mut at = 0;
    while let Some(dollar) = text.get(at..)?.find('$') {
        at += dollar + 1;
        let after = text.get(at..)?;
        if after.starts_with('$') {
            at += 1;
        } else if after.starts_with('(') {
            return Some((
                "$(…)".to_owned(),
                "a command is written with `!` before the whole value",
            ));
        } else if let Some(inner) = after.strip_prefix('{')
            && let Some(found) = misread(inner, last_close.is_some_and(|close| close > at))
        {
            return Some(found);
        } else if after.strip_prefix('<').is_some_and(is_unclosed) {
            return Some(("$<…".to_owned(), "its closing `>` is missing"));
        }
    }
    windows_reference(text).map(|written| (written, "this is the spelling of Windows"))
}

/// What `${` and the text after it are, and why they are no reference, if they look like one.
fn misread(inner: &str, closed: bool) -> Option<(String, &'static str)> {
    let name = name_length(inner);
    if name > 80 {
        return None;
    }
    let braces = head(inner).split_once('}').map(|(inside, _)| inside);
    if braces.is_some_and(|inside| classify(inside, true, 1).is_some()) {
        return None;
    }
    if name == 0 || inner.starts_with(|c: char| c.is_ascii_digit()) {
        let filled = braces.filter(|inside| !inside.is_empty());
        return filled.map(|_| {
            (
                "${…}".to_owned(),
                "it does not begin with a variable's name",
            )
        });
    }
    let written = || {
        let written: String = inner.chars().take(name + 2).collect();
        format!("${{{written}")
    };
    let operator = inner.get(name..)?;
    let ours = operator.starts_with(":-") || operator.starts_with(":?");
    if operator.is_empty() || (!closed && ours) {
        return Some((written(), "its closing brace is missing"));
    }
    if ours || operator.starts_with('}') {
        return None;
    }
    if operator.starts_with([':', '-', '?', '+', '=', '#', '%', '/', '^', ',', '@']) {
        return Some((written(), "this operator of the shell is not supported"));
    }
    let variable = inner.get(..name)?;
    braces.map(|_| (format!("${{{variable}…}}"), "this is no variable's name"))
}

/// Whether nothing ends the name after `$<`.
fn is_unclosed(inner: &str) -> bool {
    let (name, after) = inner.split_at(name_length(inner));
    let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    is_name && name.len() <= 80 && !after.starts_with('>')
}

/// The first `%NAME%`, in capitals. What may be the encoded bytes of a URL is none.
pub(crate) fn windows_reference(text: &str) -> Option<String> {
    let between = text.split('%').skip(1);
    let names = between.filter(|name| {
        let capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let is_byte = name.chars().take(2).all(|c| c.is_ascii_hexdigit());
        (3..=80).contains(&name.len()) && !is_byte && name.chars().all(capital)
    });
    names
        .take(MOST)
        .map(|name| format!("%{name}%"))
        .find(|written| text.contains(written.as_str()))
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}
