//! A digest of the variables that an entry uses, to see that one changed without keeping its value.

use std::collections::BTreeSet;
use std::fmt;

use sha2::{Digest as _, Sha256};

use super::environment::Environment;

/// A secret of the host's, different in each process, so that a digest cannot be compared with a list of guesses.
///
/// ```
/// use mcp_config::DigestKey;
///
/// let key = DigestKey::new([7; 32]); // 32 random bytes in earnest
/// assert_eq!(format!("{key:?}"), "DigestKey([SECRET])");
/// ```
#[derive(Clone)]
pub struct DigestKey([u8; 32]);

impl DigestKey {
    /// Takes 32 random bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        DigestKey(bytes)
    }
}

impl fmt::Debug for DigestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DigestKey([SECRET])")
    }
}

/// What [`ServerEntry::variables_digest`](crate::ServerEntry::variables_digest) yields; only equality says anything.
///
/// ```
/// use mcp_config::{DigestKey, Environment, Origin, ServerEntry};
///
/// let json = r#"{ "command": "srv", "env": { "A": "${TOKEN}" } }"#;
/// let (entry, _) = ServerEntry::parse("a", json, &Origin::plugin("demo"));
/// let entry = entry.expect("the entry is right");
/// let (key, before) = (DigestKey::new([7; 32]), Environment::new().with("TOKEN", "old"));
/// let after = before.clone().with("TOKEN", "new");
/// assert_ne!(entry.variables_digest(&before, &key), entry.variables_digest(&after, &key));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Digest({:02x}{:02x}{:02x}{:02x}…)",
            self.0[0], self.0[1], self.0[2], self.0[3]
        )
    }
}

/// SHA-256 keyed twice, once inside and once outside, over names and values with their lengths.
pub(crate) fn variables_digest(
    names: &BTreeSet<&str>,
    environment: &Environment,
    key: &DigestKey,
) -> Digest {
    let mut inner = Sha256::new();
    inner.update(key.0);
    for name in names {
        absorb(&mut inner, name.as_bytes());
        match environment.get_os(name) {
            None => inner.update([0]),
            Some(value) => {
                inner.update([1]);
                absorb(&mut inner, value.as_encoded_bytes());
            }
        }
    }
    let outer = Sha256::new()
        .chain_update(key.0)
        .chain_update(inner.finalize());
    Digest(outer.finalize().into())
}

fn absorb(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}
