//! The error object of an answer, read leniently and masked.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::kind_of;
use crate::{Mask, RequestError};

#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow)]
    code: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

/// Turns the text of an `error` member into our error.
pub(crate) fn server_error(method: &'static str, json: &str, mask: &Mask) -> RequestError {
    let wire: Wire<'_> = match serde_json::from_str(json) {
        Ok(wire) => wire,
        Err(_) if !json.starts_with('{') => {
            let message = format!("expected an object, found {}", kind_of(json));
            return RequestError::invalid(method, "error", message);
        }
        Err(error) => return RequestError::invalid(method, "error", error.to_string()),
    };
    let message = wire.message.map(RawValue::get).unwrap_or_default();
    let mut message = serde_json::from_str(message).unwrap_or_else(|_| message.to_owned());
    let code = code(wire.code).unwrap_or_else(|odd| {
        message = format!("code {odd}: {message}");
        0
    });
    RequestError::Server {
        code,
        message: mask.apply(&message).into_owned(),
        data: wire.data.and_then(|data| masked(data, mask)),
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
    if json.get() == "null" {
        return None;
    }
    RawValue::from_string(mask.apply(json.get()).into_owned()).ok()
}
