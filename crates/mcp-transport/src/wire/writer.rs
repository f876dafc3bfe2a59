//! Writes messages as text, one line each.

use serde::Serialize;

/// A message under construction. It never holds a line break.
#[derive(Debug)]
pub(crate) struct MessageWriter {
    text: Vec<u8>,
}

impl MessageWriter {
    /// Begins a request.
    pub(crate) fn request(id: u64, method: &str, room: usize) -> Self {
        let mut writer = Self::begin(room);
        writer.text.extend_from_slice(b",\"id\":");
        writer.json(&id);
        writer.method(method)
    }

    /// Begins a notification.
    pub(crate) fn notification(method: &str) -> Self {
        Self::begin(64).method(method)
    }

    /// A whole answer with a result that is JSON text.
    pub(crate) fn result(id: &str, result: &str) -> Vec<u8> {
        let mut writer = Self::begin(id.len() + result.len());
        writer.text.extend_from_slice(b",\"id\":");
        writer.raw(id);
        writer.text.extend_from_slice(b",\"result\":");
        writer.raw(result);
        writer.finish()
    }

    /// A whole answer with an error.
    pub(crate) fn error(id: &str, code: i64, message: &str) -> Vec<u8> {
        let mut writer = Self::begin(id.len() + message.len());
        writer.text.extend_from_slice(b",\"id\":");
        writer.raw(id);
        writer.text.extend_from_slice(b",\"error\":{\"code\":");
        writer.json(&code);
        writer.text.extend_from_slice(b",\"message\":");
        writer.json(message);
        writer.text.push(b'}');
        writer.finish()
    }

    /// Writes the params.
    pub(crate) fn params(mut self, members: impl FnOnce(&mut ObjectWriter<'_>)) -> Self {
        self.text.extend_from_slice(b",\"params\":");
        members(&mut ObjectWriter::open(&mut self));
        self.text.push(b'}');
        self
    }

    /// The finished message.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.text.push(b'}');
        self.text
    }

    fn begin(room: usize) -> Self {
        let mut text = Vec::with_capacity(room + 96);
        text.extend_from_slice(b"{\"jsonrpc\":\"2.0\"");
        Self { text }
    }

    fn method(mut self, method: &str) -> Self {
        self.text.extend_from_slice(b",\"method\":\"");
        self.text.extend_from_slice(method.as_bytes());
        self.text.push(b'"');
        self
    }

    fn json<T: Serialize + ?Sized>(&mut self, value: &T) {
        // Numbers and strings always have a JSON form, and a vector takes every byte.
        let written = serde_json::to_writer(&mut self.text, value);
        debug_assert!(written.is_ok());
    }

    /// Appends JSON text. A line break in it is white space between tokens, since strings hold none, and
    /// would end the message on a pipe.
    fn raw(&mut self, json: &str) {
        let start = self.text.len();
        self.text.extend_from_slice(json.as_bytes());
        let mut at = start;
        while let Some(next) = memchr::memchr2(b'\n', b'\r', &self.text[at..]) {
            self.text[at + next] = b' ';
            at += next + 1;
        }
    }
}

/// The members of a JSON object under construction. The caller gives each name once; names are MCP's own, which
/// need no escapes.
#[derive(Debug)]
pub(crate) struct ObjectWriter<'a> {
    writer: &'a mut MessageWriter,
    first: bool,
}

impl<'a> ObjectWriter<'a> {
    fn open(writer: &'a mut MessageWriter) -> Self {
        writer.text.push(b'{');
        Self {
            writer,
            first: true,
        }
    }

    /// A member whose value is JSON text.
    pub(crate) fn raw(&mut self, name: &'static str, json: &str) {
        self.name(name);
        self.writer.raw(json);
    }

    /// A member that serde writes.
    pub(crate) fn value<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) {
        self.name(name);
        self.writer.json(value);
    }

    /// A member that is an object.
    pub(crate) fn object(
        &mut self,
        name: &'static str,
        members: impl FnOnce(&mut ObjectWriter<'_>),
    ) {
        self.name(name);
        members(&mut ObjectWriter::open(self.writer));
        self.writer.text.push(b'}');
    }

    /// Members that are already JSON text of ours: on one line, with commas between them and none around.
    pub(crate) fn members(&mut self, text: &str) {
        if !text.is_empty() {
            self.comma();
            self.writer.text.extend_from_slice(text.as_bytes());
        }
    }

    fn name(&mut self, name: &'static str) {
        self.comma();
        for part in ["\"", name, "\":"] {
            self.writer.text.extend_from_slice(part.as_bytes());
        }
    }

    fn comma(&mut self) {
        if !self.first {
            self.writer.text.push(b',');
        }
        self.first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_between_tokens_become_spaces_and_strings_stay() {
        let message = MessageWriter::request(7, "tools/call", 0)
            .params(|params| {
                params.value("name", "a\"b\n");
                params.raw("arguments", "{\n  \"x\":\r\n \"a\\nb\"\n}");
                params.object("_meta", |meta| {
                    meta.members("\"a\":1,\"b\":2");
                    meta.value("progressToken", &7);
                });
            })
            .finish();
        assert_eq!(
            String::from_utf8(message).unwrap(),
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"a\\\"b\\n\",\
             \"arguments\":{   \"x\":   \"a\\nb\" },\"_meta\":{\"a\":1,\"b\":2,\"progressToken\":7}}}"
        );
    }
}
