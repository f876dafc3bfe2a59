//! A number as written.

use std::fmt;

/// A number literal. It keeps its text, so that digits beyond 64 bits are not lost.
///
/// ```
/// use mcp_config::document;
///
/// let parsed = document::parse("n.json", b"[18446744073709551616, 0x10, .5]");
/// let document = parsed.document.expect("the text is JSON5");
/// let items = document.root().as_array().expect("an array");
/// assert_eq!(items[0].as_number().map(|n| n.text()), Some("18446744073709551616"));
/// assert_eq!(items[1].as_u64(), Some(16));
/// assert_eq!(document.root().to_json(), "[18446744073709551616,16,0.5]");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Number {
    text: Box<str>,
}

impl Number {
    /// `text` is a number by the rules of JSON5.
    pub(super) fn new(text: &str) -> Self {
        Number { text: text.into() }
    }

    /// The literal as it stands in the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value, if it is a whole number that fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.whole().and_then(|n| u64::try_from(n).ok())
    }

    /// The value, if it is a whole number that fits.
    pub fn as_i64(&self) -> Option<i64> {
        self.whole().and_then(|n| i64::try_from(n).ok())
    }

    /// The nearest floating-point value.
    pub fn as_f64(&self) -> Option<f64> {
        json5::from_str(&self.text).ok()
    }

    /// `1e3` and `5.0` are whole numbers too, as they are in JSON Schema.
    fn whole(&self) -> Option<i128> {
        if let Ok(exact) = json5::from_str::<i128>(&self.text) {
            return Some(exact);
        }
        let float = self.as_f64()?;
        let exact = float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0;
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 53 bits")]
        exact.then_some(float as i128)
    }

    /// The number in JSON's grammar, with the digits as written; `null` for what JSON cannot say.
    pub(super) fn to_json(&self) -> String {
        let (sign, digits) = match self.text.split_at_checked(1) {
            Some(("-", digits)) => ("-", digits),
            Some(("+", digits)) => ("", digits),
            _ => ("", &*self.text),
        };
        if digits.starts_with("0x") || digits.starts_with("0X") {
            let value = u128::from_str_radix(digits.get(2..).unwrap_or_default(), 16);
            return value.map_or_else(|_| "null".to_owned(), |value| format!("{sign}{value}"));
        }
        if digits.starts_with(['I', 'N']) {
            return "null".to_owned();
        }
        let mantissa = digits.find(['e', 'E']).unwrap_or(digits.len());
        let (mantissa, exponent) = digits.split_at(mantissa);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let whole = if whole.is_empty() { "0" } else { whole };
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}{exponent}")
    }
}

/// A number may be a credential too, so that the text shows only on request.
impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({} characters)", self.text.len())
    }
}
