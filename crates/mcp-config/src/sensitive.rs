//! Guesses which texts are credentials, where the place alone does not tell: arguments and queries.

use crate::entry::masked_url;
use crate::secret::MASK;

/// Names of things that are credentials, without separators.
const SECRET_WORDS: [&str; 14] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
    "bearer",
    "authorization",
    "signature",
    "webhook",
    "cookie",
];

/// Beginnings of credentials that well-known services issue.
const SECRET_PREFIXES: [&str; 26] = [
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "hf_",
    "npm_",
    "pypi-",
    "lin_api_",
    "ntn_",
    "secret_",
    "SG.",
    "ya29.",
];

/// Whether a variable, flag or parameter of that name holds a credential.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let bare: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let bare = bare.to_ascii_lowercase();
    let last = name
        .trim_matches('-')
        .rsplit(['_', '-', '.'])
        .next()
        .unwrap_or_default();
    let last = last.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| bare.contains(word))
        || matches!(
            last.as_str(),
            "key" | "pass" | "pwd" | "pat" | "pin" | "auth" | "jwt" | "sig" | "creds"
        )
}

/// Whether a text looks like a credential by itself.
pub(crate) fn looks_secret(text: &str) -> bool {
    let text = text.trim();
    let prefixed = SECRET_PREFIXES
        .iter()
        .any(|prefix| text.starts_with(prefix) && text.len() >= 12);
    let lower = text.get(..7).map(str::to_ascii_lowercase);
    let scheme = matches!(lower.as_deref(), Some("bearer ")) || text.starts_with("Basic ");
    prefixed || scheme || text.contains("-----BEGIN") || is_random(text)
}

/// Long, with letters and digits mixed, and none of what paths, names and versions have.
fn is_random(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '=' | '~');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    text.len() >= 20 && text.chars().all(allowed) && digits >= 4 && letters >= 4
}

/// Arguments, with the parts that look like credentials hidden.
pub(crate) fn masked_args(args: &[&str]) -> Vec<String> {
    let mut expects_value = false;
    let mut shown = Vec::with_capacity(args.len());
    for arg in args {
        if expects_value && !arg.starts_with("--") {
            shown.push(masked_value(arg));
        } else {
            shown.push(masked_arg(arg));
        }
        expects_value =
            arg.starts_with('-') && !arg.contains(['=', ' ', ':']) && is_secret_name(arg);
    }
    shown
}

/// A header or `NAME=VALUE` keeps its name.
fn masked_value(arg: &str) -> String {
    let masked = masked_arg(arg);
    if masked == *arg {
        MASK.to_owned()
    } else {
        masked
    }
}

fn masked_arg(arg: &str) -> String {
    if arg.contains(char::is_whitespace) {
        return masked_text(arg);
    }
    if arg.contains("://") {
        return masked_in_url(arg);
    }
    for separator in ['=', ':'] {
        if let Some((name, value)) = arg.split_once(separator)
            && !value.is_empty()
            && !name.contains(['/', '\\'])
            && is_credential_like(value)
            && (is_secret_name(name) || looks_secret(value))
        {
            return format!("{name}{separator}{MASK}");
        }
    }
    if looks_secret(arg) {
        MASK.to_owned()
    } else {
        arg.to_owned()
    }
}

/// A text of several words, such as a script or a header. Only the words that look like credentials are hidden, so
/// that who approves a command sees the rest of it.
fn masked_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut expects_value = false;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let space = word.get(bare.len()..).unwrap_or_default();
        let inner = bare.trim_matches(['"', '\'', '(', ')', ',', ';']);
        if inner.is_empty() {
            shown.push_str(word);
            continue;
        }
        let masked = if expects_value && is_scheme(inner) {
            inner.to_owned()
        } else if expects_value && !inner.starts_with("--") && is_credential_like(inner) {
            masked_value(inner)
        } else {
            masked_arg(inner)
        };
        let names = inner.ends_with(':') || inner.starts_with('-') && !inner.contains('=');
        expects_value = is_scheme(inner) || names && is_secret_name(inner.trim_end_matches(':'));
        // The word's own quotes stay around it.
        shown.push_str(&bare.replacen(inner, &masked, 1));
        shown.push_str(space);
    }
    shown
}

pub(crate) fn is_scheme(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "bearer" | "basic" | "token"
    )
}

/// Nothing that a shell would run can pass as a credential.
fn is_credential_like(word: &str) -> bool {
    !word.contains(['$', '`', '(', ')', '|', ';', '&', '<', '>'])
}

/// A URL, perhaps behind `--flag=` or `NAME=`.
fn masked_in_url(arg: &str) -> String {
    let scheme = arg.find("://").unwrap_or_default();
    let before = arg.get(..scheme).unwrap_or_default();
    let start = before
        .rfind(|c: char| !c.is_ascii_alphanumeric() && !"+.-".contains(c))
        .map_or(0, |at| at + 1);
    let (prefix, url) = arg.split_at(start);
    let name = prefix.trim_end_matches(['=', ':']);
    if !name.is_empty() && is_secret_name(name) {
        return format!("{prefix}{MASK}");
    }
    format!("{prefix}{}", masked_url(url))
}
