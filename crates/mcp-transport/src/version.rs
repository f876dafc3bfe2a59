//! Protocol revisions and the two ways of speaking them.
//! Which one a server gets is settled by the handshake (`connect`), not here.

use std::fmt;
use std::str::FromStr;

/// How a server is spoken to.
///
/// A connection finds it out and shows it in [`ServerInfo`](crate::ServerInfo); handing it to the next
/// connection with [`Options::era`](crate::Options::era) saves the probe.
///
/// ```
/// use mcp_transport::Era;
///
/// assert_eq!("initialize".parse(), Ok(Era::Initialize));
/// assert_eq!(Era::Stateless.to_string(), "stateless");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Era {
    /// Revisions 2024-11-05 to 2025-11-25: a session begun by `initialize`.
    Initialize,
    /// Revision 2026-07-28: `server/discover`, and metadata in each request.
    Stateless,
}

impl Era {
    /// The word that is kept and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Initialize => "initialize",
            Self::Stateless => "stateless",
        }
    }
}

impl fmt::Display for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not the name of an era.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown era \"{0}\": expected \"initialize\" or \"stateless\"")]
pub struct UnknownEra(String);

impl FromStr for Era {
    type Err = UnknownEra;

    fn from_str(text: &str) -> Result<Self, UnknownEra> {
        match text {
            "initialize" => Ok(Self::Initialize),
            "stateless" => Ok(Self::Stateless),
            other => Err(UnknownEra(other.to_owned())),
        }
    }
}

/// A protocol revision that this crate speaks.
///
/// ```
/// use mcp_transport::{Era, ProtocolVersion};
///
/// assert_eq!(ProtocolVersion::SUPPORTED[0].as_str(), "2026-07-28");
/// assert_eq!(ProtocolVersion::known("2025-06-18").map(ProtocolVersion::era), Some(Era::Initialize));
/// assert_eq!(ProtocolVersion::known("latest"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProtocolVersion(&'static str);

impl ProtocolVersion {
    /// Every revision that is spoken, the newest first.
    pub const SUPPORTED: &'static [Self] = &[
        Self::STATELESS,
        Self::LATEST_INITIALIZE,
        Self("2025-06-18"),
        Self("2025-03-26"),
        Self("2024-11-05"),
    ];
    /// The revision without a handshake.
    pub const STATELESS: Self = Self("2026-07-28");
    /// The newest revision that begins with `initialize`.
    pub const LATEST_INITIALIZE: Self = Self("2025-11-25");

    /// The revision of that name, if this crate speaks it.
    pub fn known(text: &str) -> Option<Self> {
        Self::SUPPORTED
            .iter()
            .copied()
            .find(|version| version.0 == text)
    }

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// How this revision is spoken.
    pub fn era(self) -> Era {
        if self == Self::STATELESS {
            Era::Stateless
        } else {
            Era::Initialize
        }
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
