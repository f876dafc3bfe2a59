//! Number literals to numbers: exact for integers within 64 bits, however they are written, and
//! the nearest float beyond.

use serde_json::Number;

/// Digits up to which a float holds every decimal integer exactly.
const EXACT_FLOAT_DIGITS: usize = 15;

/// 2 to the power of 64.
const BEYOND_64_BITS: f64 = 18_446_744_073_709_551_616.0;

/// The number, and whether comparing it is as exact as the literal.
pub(super) fn parse(literal: &str) -> (Number, bool) {
    if literal
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-')
    {
        return integer(literal).map_or_else(|| (float(literal), false), |number| (number, true));
    }
    let is_long = literal.bytes().filter(u8::is_ascii_digit).count() > EXACT_FLOAT_DIGITS;
    if is_long && let Some(number) = plain(literal).as_deref().and_then(integer) {
        return (number, true);
    }
    let number = float(literal);
    let inexact = number.as_f64().is_some_and(|value| {
        let tiny = value != 0.0 && value.abs() < f64::MIN_POSITIVE;
        // Whole only as a float, or an integer that no 64 bits hold.
        let whole = value != 0.0 && value.fract() == 0.0;
        tiny || whole && (is_long || value.abs() >= BEYOND_64_BITS)
    });
    (number, !inexact)
}

/// What a number is beyond, if it was not read exactly.
pub(crate) fn bound(literal: &str) -> &'static str {
    let value = literal.parse::<f64>().unwrap_or(f64::INFINITY).abs();
    let has_fraction = literal.contains(['.', 'e', 'E']);
    if has_fraction && !(f64::MIN_POSITIVE..f64::MAX).contains(&value) {
        "the range of a float"
    } else if value >= BEYOND_64_BITS || !has_fraction {
        "64 bits"
    } else {
        "the precision of a float"
    }
}

fn integer(digits: &str) -> Option<Number> {
    // `-0` is the integer zero, which no signed zero of a float equals everywhere.
    let unsigned = digits.parse::<u64>().ok().map(Number::from);
    unsigned.or_else(|| digits.parse::<i64>().ok().map(Number::from))
}

/// The nearest float that a number can hold: never infinite, and zero only for a zero.
fn float(literal: &str) -> Number {
    let value: f64 = literal.parse().unwrap_or(0.0);
    let mantissa = literal.split(['e', 'E']).next().unwrap_or(literal);
    let is_zero = mantissa.bytes().all(|byte| !matches!(byte, b'1'..=b'9'));
    let value = if value == 0.0 && !is_zero {
        f64::from_bits(1).copysign(value)
    } else {
        value.clamp(f64::MIN, f64::MAX)
    };
    Number::from_f64(value).unwrap_or_else(|| Number::from(0))
}

/// An integer that is written with a fraction or an exponent, as plain digits; `None` where it
/// is no integer, or longer than 64 bits could be.
fn plain(literal: &str) -> Option<String> {
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse().ok().filter(|e: &i64| e.abs() < 1_000)?;
    let digits = format!("{whole}{fraction}");
    let point = i64::try_from(whole.len()).ok()? + exponent;
    let point = usize::try_from(point).ok()?;
    if point >= digits.len() {
        return Some(format!("{digits:0<point$}")).filter(|plain| plain.len() < 64);
    }
    let (integer, rest) = digits.split_at(point);
    rest.bytes()
        .all(|byte| byte == b'0')
        .then(|| integer.to_owned())
}
