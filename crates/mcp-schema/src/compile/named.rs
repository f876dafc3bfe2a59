//! Names of groups in a pattern, for references to them: the engine only takes their numbers.

/// The names of a pattern's groups in the order of their numbers, empty for one without.
pub(super) struct Names<'a>(Vec<&'a str>);

impl<'a> Names<'a> {
    pub(super) fn of(pattern: &'a str) -> Self {
        let mut names = Vec::new();
        // Without a reference by name nobody asks for them.
        let mut rest = if pattern.contains("\\k<") || pattern.contains("(?P=") {
            pattern
        } else {
            ""
        };
        let mut in_class = false;
        while let Some(first) = rest.chars().next() {
            let mut length = first.len_utf8();
            match first {
                '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
                '[' => in_class = true,
                ']' => in_class = false,
                '(' if !in_class => names.extend(group(&rest[1..])),
                _ => {}
            }
            rest = &rest[length..];
        }
        Self(names)
    }

    /// A reference to the group of some name, as the engine wants it.
    pub(super) fn reference(&self, name: &str) -> Option<String> {
        let mut named = self.0.iter();
        let index = named.position(|given| !given.is_empty() && *given == name)?;
        // The brackets keep a digit that follows apart.
        Some(format!("(?:\\{})", index + 1))
    }
}

/// The name of the group that an opening bracket captures, empty if it has none; `None` if it captures nothing.
fn group(after: &str) -> Option<&str> {
    let Some(kind) = after.strip_prefix('?') else {
        return Some("");
    };
    let name = kind.strip_prefix('P').unwrap_or(kind).strip_prefix('<')?;
    let looks_behind = name.starts_with(['=', '!']);
    let (name, _) = name.split_once('>').filter(|_| !looks_behind)?;
    Some(name)
}
