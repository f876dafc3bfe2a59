//! The error object of an answer, read leniently and masked.

use serde_json::value::RawValue;

use crate::types::Object;
use crate::{Mask, RequestError};

/// How much is shown of an error that is no object: a text in its place says what failed.
const SHOWN: usize = 1000;

/// Turns the text of an `error` member into our error.
pub(crate) fn server_error(method: &'static str, json: &str, mask: &Mask) -> RequestError {
    let mut error = match Object::parse(json) {
        Ok(error) => error,
        Err(message) => {
            let said = mask.apply_prefix(json, SHOWN);
            return RequestError::invalid(method, "error", format!("{message}: {said}"));
        }
    };
    let message = error.take("message").map(RawValue::get).unwrap_or_default();
    let mut message = serde_json::from_str(message).unwrap_or_else(|_| message.to_owned());
    let code = code(error.take("code")).unwrap_or_else(|odd| {
        message = format!("code {odd}: {message}");
        0
    });
    RequestError::Server {
        code,
        message: mask.apply(&message).into_owned(),
        data: error.take("data").and_then(|data| masked(data, mask)),
        http_status: None,
    }
}

/// An integer; a server that sends a fraction or a string of digits means its whole part. Gives back the text
/// of what means no number.
fn code(json: Option<&RawValue>) -> Result<i64, &str> {
    let Some(json) = json.map(RawValue::get) else {
        return Ok(0);
    };
    let whole = json.trim_matches('"').split('.').next().unwrap_or_default();
    whole.parse().map_err(|_| json)
}

/// JSON text with hidden values replaced. Where a bare number was hidden nothing is left of it.
fn masked(json: &RawValue, mask: &Mask) -> Option<Box<RawValue>> {
    RawValue::from_string(mask.apply(json.get()).into_owned()).ok()
}
