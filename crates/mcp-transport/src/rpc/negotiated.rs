//! What the handshake settled, as later requests need it.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::wire::ObjectWriter;
use crate::{LogLevel, ProtocolVersion};

/// The revision that is spoken and what each request says about us.
#[derive(Debug)]
pub(crate) struct Negotiated {
    pub(crate) version: ProtocolVersion,
    /// Members of `_meta` as JSON text, without braces; empty where the handshake said it all.
    meta: String,
    /// The log level that each stateless request asks for: its place in [`LogLevel::ALL`], plus one.
    log_level: AtomicU8,
}

impl Negotiated {
    pub(crate) fn new(version: ProtocolVersion, meta: String) -> Self {
        Self {
            version,
            meta,
            log_level: AtomicU8::new(0),
        }
    }

    pub(crate) fn set_log_level(&self, level: LogLevel) {
        self.log_level.store(level as u8 + 1, Relaxed);
    }

    /// Whether [`write_meta`](Self::write_meta) writes anything.
    pub(crate) fn has_meta(&self) -> bool {
        !self.meta.is_empty()
    }

    pub(crate) fn room(&self) -> usize {
        self.meta.len()
    }

    pub(crate) fn write_meta(&self, meta: &mut ObjectWriter<'_>) {
        meta.members(&self.meta);
        let level = usize::from(self.log_level.load(Relaxed));
        if let Some(level) = level.checked_sub(1).and_then(|at| LogLevel::ALL.get(at)) {
            meta.value("io.modelcontextprotocol/logLevel", level.as_str());
        }
    }
}
