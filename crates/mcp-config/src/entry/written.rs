//! An entry as a file would say it.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::exposure::ToolExposure;
use super::origin::Sourced;
use super::server::ServerEntry;
use super::transport::{HttpEntry, StdioEntry, Transport};
use crate::template::Template;

impl ServerEntry {
    /// The entry as JSON, as a file would say it, with whatever credentials it holds: what a plugin takes, changes and
    /// gives back to [`ServerEntry::parse`].
    ///
    /// ```
    /// use mcp_config::{Origin, ServerEntry};
    ///
    /// let json = r#"{ "url": "https://host.invalid/mcp", "headers": { "X-Key": "${KEY}" }, "disabled": true }"#;
    /// let (entry, _) = ServerEntry::parse("a", json, &Origin::plugin("demo"));
    /// assert_eq!(
    ///     entry.expect("the entry is right").expose_json(),
    ///     r#"{"url":"https://host.invalid/mcp","headers":{"X-Key":"${KEY}"},"enabled":false}"#,
    /// );
    /// ```
    pub fn expose_json(&self) -> String {
        // Serialising cannot fail: all keys are strings.
        serde_json::to_string(&Written(self)).unwrap_or_default()
    }
}

struct Written<'a>(&'a ServerEntry);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Every field is named, so that a new one cannot be forgotten here.
        let ServerEntry {
            name: _,
            origin: _,
            replaced: _,
            type_origin,
            transport,
            enabled,
            exposure,
            tool_exposure,
            start_timeout: _,
            request_timeout: _,
            max_request: _,
        } = self.0;
        let mut map = serializer.serialize_map(None)?;
        if type_origin.is_some() {
            map.serialize_entry("type", transport.kind())?;
        }
        match &**transport {
            Transport::Stdio(stdio) => write_stdio(&mut map, stdio)?,
            Transport::Http(HttpEntry { url, headers }) => {
                map.serialize_entry("url", url.as_str())?;
                map.serialize_entry("headers", &Templates(headers))?;
            }
        }
        if let Some(enabled) = enabled {
            map.serialize_entry("enabled", &**enabled)?;
        }
        if let Some(exposure) = exposure {
            map.serialize_entry("exposure", exposure.as_str())?;
        }
        if let Some(rules) = tool_exposure {
            map.serialize_entry("toolExposure", &Rules(rules))?;
        }
        for (name, limit) in self.0.time_limits() {
            if let Some(limit) = limit {
                map.serialize_entry(name, &limit.as_millis())?;
            }
        }
        map.end()
    }
}

fn write_stdio<M: SerializeMap>(map: &mut M, stdio: &StdioEntry) -> Result<(), M::Error> {
    let StdioEntry {
        command,
        args,
        env,
        cwd,
    } = stdio;
    map.serialize_entry("command", command.as_str())?;
    let args: Vec<&str> = args.iter().map(|arg| arg.as_str()).collect();
    map.serialize_entry("args", &args)?;
    map.serialize_entry("env", &Templates(env))?;
    match cwd {
        Some(cwd) => map.serialize_entry("cwd", cwd.as_str()),
        None => Ok(()),
    }
}

struct Templates<'a>(&'a [(String, Sourced<Template>)]);

impl Serialize for Templates<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value.expose())))
    }
}

/// The order of the rules is kept.
struct Rules<'a>(&'a ToolExposure);

impl Serialize for Rules<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.rules())
    }
}
