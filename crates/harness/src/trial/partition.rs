//! Parts of a run, for machines that share it.

use std::str::FromStr;

use sha2::{Digest, Sha256};

/// The `K`th of `N` parts of all trials, written `K/N` and counted from 1.
///
/// Which part a trial belongs to follows from its name alone, so a new scenario moves no other one.
///
/// ```
/// use mcp_harness::trial::Partition;
///
/// let parts: Vec<Partition> = vec!["1/2".parse()?, "2/2".parse()?];
/// let takers = parts.iter().filter(|part| part.takes("mcp.session/plain-call"));
/// assert_eq!(takers.count(), 1, "every trial is in exactly one part");
/// # Ok::<(), mcp_harness::trial::PartitionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partition {
    number: u64,
    count: u64,
}

/// Why a text names no partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// It is not of the form `K/N`.
    #[error("a partition is written K/N, such as 1/3 for the first of three")]
    Form,
    /// `K` is not between 1 and `N`.
    #[error("partitions are counted from 1 to {count}, so there is no number {number}")]
    Number {
        /// `K`.
        number: u64,
        /// `N`.
        count: u64,
    },
}

impl FromStr for Partition {
    type Err = PartitionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, count) = text.split_once('/').ok_or(PartitionError::Form)?;
        let natural = |digits: &str| digits.parse::<u64>().map_err(|_| PartitionError::Form);
        let (number, count) = (natural(number)?, natural(count)?);
        if count == 0 {
            return Err(PartitionError::Form);
        }
        if number == 0 || number > count {
            return Err(PartitionError::Number { number, count });
        }
        Ok(Partition { number, count })
    }
}

impl Partition {
    /// Whether a trial of this name belongs to this part.
    pub fn takes(self, name: &str) -> bool {
        let digest = Sha256::digest(name.as_bytes());
        let head = digest.iter().take(8);
        let value = head.fold(0_u64, |value, byte| (value << 8) | u64::from(*byte));
        value % self.count == self.number - 1
    }
}
