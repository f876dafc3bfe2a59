//! What patterns of other engines say that ECMAScript would read as text that can hardly be meant.

/// A class of POSIX at the beginning of a text within brackets, such as `[:alpha:]`: its length, and the characters that
/// it stands for. ECMAScript takes its letters one by one.
pub(super) fn posix_class(rest: &str) -> Option<(usize, &'static str)> {
    let (name, _) = rest.strip_prefix("[:")?.split_once(":]")?;
    let characters = match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "blank" => r" \t",
        "digit" => "0-9",
        "graph" => "!-~",
        "lower" => "a-z",
        "print" => " -~",
        "punct" => r"!-\/:-@\[-`{-~",
        "space" => r"\s",
        "upper" => "A-Z",
        "word" => r"\w",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    };
    Some((name.len() + 4, characters))
}

/// The pattern between delimiters and its flags, as in `/^a$/i`. Behind a slash nothing begins, so that ECMAScript's
/// reading would match no text at all.
pub(super) fn delimited(pattern: &str) -> Option<(&str, String)> {
    let (body, flags) = pattern.strip_prefix('/')?.rsplit_once('/')?;
    let known = flags.chars().all(|flag| "dgimsuvy".contains(flag));
    let inline: String = flags.chars().filter(|flag| "ims".contains(*flag)).collect();
    (known && body.starts_with('^')).then_some((body, inline))
}
