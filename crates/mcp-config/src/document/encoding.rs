//! From bytes to text: the byte order mark, UTF-8, and what people save by mistake.

use super::cursor;
use super::faults::Fault;

/// Bytes that are not UTF-8, with the text before them for an excerpt.
pub(super) struct BadEncoding {
    pub(super) readable: String,
    pub(super) fault: Fault,
}

/// The text without its byte order mark.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, BadEncoding> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        let fault = Fault::new(cursor::locate("", 0, 0), "the file is saved as UTF-16")
            .help("save it as UTF-8");
        return Err(BadEncoding {
            readable: String::new(),
            fault,
        });
    }
    str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let readable = String::from_utf8_lossy(good).into_owned();
        let span = cursor::locate(&readable, readable.len(), readable.len());
        let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
        let fault = Fault::new(span, format!("the byte 0x{byte:02x} is not UTF-8 here"))
            .help("save the file as UTF-8");
        BadEncoding { readable, fault }
    })
}
