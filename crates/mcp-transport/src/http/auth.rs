//! Credentials per request. The OAuth client will stand on this trait; this module knows no flow.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::challenge::Challenge;

/// A boxed future, so that the trait can be used as an object.
pub type AuthFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The value of an `Authorization` header. Debug and Display never show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential(String);

impl Credential {
    /// A whole header value, such as `Bearer …`.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[SECRET]")
    }
}

impl fmt::Display for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[SECRET]")
    }
}

/// Supplies the credential of each request, and hears of those that were refused.
///
/// ```
/// use mcp_transport::{AuthFuture, AuthProvider, Credential, Refusal};
///
/// struct Fixed;
///
/// impl AuthProvider for Fixed {
///     fn credential(&self) -> AuthFuture<'_, Option<Credential>> {
///         Box::pin(async { Some(Credential::new("Bearer k-123456")) })
///     }
///
///     fn refused<'a>(&'a self, _refusal: &'a Refusal) -> AuthFuture<'a, Option<Credential>> {
///         Box::pin(async { None })
///     }
/// }
/// ```
pub trait AuthProvider: Send + Sync + 'static {
    /// The credential to send with the next request, if there is one.
    fn credential(&self) -> AuthFuture<'_, Option<Credential>>;

    /// A request was answered 401 or 403, so it did not run. If another credential is returned, it is sent once more,
    /// a `tools/call` too.
    fn refused<'a>(&'a self, refusal: &'a Refusal) -> AuthFuture<'a, Option<Credential>>;
}

/// An answer of 401 or 403.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// 401 or 403.
    pub status: u16,
    /// What the server asks for, in `WWW-Authenticate`; often empty.
    pub challenges: Vec<Challenge>,
    /// The configured header that carried the refused credential, if one did. Its value is never told.
    pub header: Option<String>,
    /// The first readable characters of the answer.
    pub excerpt: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.header, self.status) {
            (Some(header), status) => write!(
                f,
                "the server refused the credentials in the header {header} ({status})"
            )?,
            (None, 401) => f.write_str("the server asks for credentials (401)")?,
            (None, status) => write!(f, "the server refused access ({status})")?,
        }
        for (index, challenge) in self.challenges.iter().enumerate() {
            let lead = if index == 0 { "; it wants" } else { " or" };
            write!(f, "{lead} {challenge}")?;
        }
        if !self.excerpt.is_empty() {
            write!(f, ": {}", self.excerpt)?;
        }
        Ok(())
    }
}
