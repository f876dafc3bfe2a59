//! Values that must not be shown.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// A string that may be a credential. Debug and Display print `[SECRET]`; reading it is a named call, and its memory
/// is cleared when it is dropped.
///
/// ```
/// use mcp_config::Secret;
///
/// let secret = Secret::new("tok-123");
/// assert_eq!(format!("{secret} {secret:?}"), "[SECRET] [SECRET]");
/// assert_eq!(secret.expose(), "tok-123");
/// ```
#[derive(Clone)]
pub struct Secret(SecretString);

/// What stands in the place of a secret.
pub(crate) const MASK: &str = "[SECRET]";

impl Secret {
    /// Hides a value.
    pub fn new(value: impl Into<String>) -> Self {
        Secret(SecretString::from(value.into()))
    }

    /// The value itself.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}

impl Eq for Secret {}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}
