//! Recognises, in a text that is not JSON5, what it is instead, for the advice.

/// What to write instead, if the text is plainly of another kind.
pub(super) fn recognise(text: &str) -> Option<String> {
    let line = first_line(text)?;
    let advice = if is_toml(line) {
        "this looks like TOML; write JSON instead: { \"mcpServers\": { \"name\": { \"command\": \"…\" } } }"
    } else if is_bare_member(line) {
        "this is a part of a document: put `{` before it and `}` after it"
    } else if is_yaml(line) {
        "this looks like YAML; write JSON instead: { \"mcpServers\": { \"name\": { \"command\": \"…\" } } }"
    } else if line.starts_with("```") {
        "this is Markdown; keep only what stands between the lines with ```"
    } else if line.starts_with('<') && !line.starts_with("<<<<<<<") {
        "this looks like HTML or XML; this file must be JSON"
    } else if is_script(line) {
        "this looks like a program; this file must be JSON"
    } else {
        return None;
    };
    Some(advice.to_owned())
}

/// The first line that says something, without comments of the other formats.
fn first_line(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty() && !line.starts_with(['#', ';']) && !line.starts_with("//"))
}

fn is_key(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || "._-\"'$@/".contains(c))
}

/// A table header or an assignment.
fn is_toml(line: &str) -> bool {
    let header = line.trim_start_matches('[');
    let is_header = header.len() < line.len()
        && header.split(']').next().is_some_and(|name| {
            is_key(&name.replace(' ', ""))
                && name.starts_with(|c: char| c.is_alphabetic())
                && line.ends_with(']')
        });
    is_header
        || line
            .split_once('=')
            .is_some_and(|(key, _)| is_key(key.trim()))
}

/// `"mcpServers": {`, which was copied without the brackets around it.
fn is_bare_member(line: &str) -> bool {
    let after = |quote: char| {
        let rest = line.strip_prefix(quote)?;
        let (_, after) = rest.split_once(quote)?;
        Some(after.trim_start().starts_with(':'))
    };
    after('"').or_else(|| after('\'')).unwrap_or(false)
        || line
            .split_once(':')
            .is_some_and(|(key, rest)| is_key(key) && matches!(rest.trim(), "{" | "["))
}

fn is_yaml(line: &str) -> bool {
    let is_member = line.split_once(':').is_some_and(|(key, rest)| {
        is_key(key) && (rest.is_empty() || rest.starts_with([' ', '\t']))
    });
    line == "---" || line.starts_with("- ") || line.starts_with("%YAML") || is_member
}

fn is_script(line: &str) -> bool {
    ["export ", "module.exports", "import ", "const ", "#!"]
        .iter()
        .any(|word| line.starts_with(word))
}
