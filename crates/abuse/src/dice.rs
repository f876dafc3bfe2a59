//! Chance from a seed, the same everywhere: splitmix64.

/// A generator of choices.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    /// A generator of its own for a part of a run, so that the parts do not depend on each other.
    pub(crate) fn part(seed: u64, number: u64) -> Dice {
        let mut dice = Dice(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Dice(dice.next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `sides`, which must not be 0.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        // The remainder is below a usize.
        usize::try_from(self.next() % sides as u64).unwrap_or_default()
    }

    pub(crate) fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }
}
