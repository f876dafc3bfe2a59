//! Medians and spread of a few figures.

use serde::{Deserialize, Serialize};

/// The middle and the ends of some figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Spread {
    /// None of no figures.
    pub(crate) fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        Some(Self {
            median: quantile(&sorted, 0.5)?,
            low: *sorted.first()?,
            high: *sorted.last()?,
        })
    }
}

/// The figure below which that share of the sorted figures lies, between neighbours where it falls
/// between them.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "there are far fewer figures than a float can count, and the share is within 0 to 1"
)]
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = sorted.len().checked_sub(1)? as f64 * share.clamp(0.0, 1.0);
    let below = place.floor() as usize;
    let above = place.ceil() as usize;
    let (low, high) = (*sorted.get(below)?, *sorted.get(above)?);
    Some(low + (high - low) * place.fract())
}

#[cfg(test)]
mod tests {
    use super::Spread;

    fn check(figures: &[f64], median: f64, low: f64, high: f64) {
        let spread = Spread::of(figures.iter().copied());
        assert_eq!(spread, Some(Spread { median, low, high }), "{figures:?}");
    }

    #[test]
    fn the_median_is_the_middle_or_between_the_two_middles() {
        check(&[3.0], 3.0, 3.0, 3.0);
        check(&[9.0, 1.0, 5.0], 5.0, 1.0, 9.0);
        check(&[4.0, 1.0, 2.0, 9.0], 3.0, 1.0, 9.0);
        assert_eq!(Spread::of([]), None);
    }
}
