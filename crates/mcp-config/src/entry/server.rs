//! One server, as configured.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::exposure::{Exposure, ToolExposure};
use super::origin::{Origin, Sourced};
use super::transport::Transport;
use crate::resolve::{
    Command, Digest, DigestKey, Environment, Outputs, ResolveErrors, ResolvedServer, resolve,
    variables_digest,
};
use crate::template::Template;

/// One server, as configured: checked, merged from its layers, not yet resolved. Cloning it is cheap.
///
/// ```
/// use mcp_config::{Origin, ServerEntry, Transport};
///
/// let json = r#"{ "command": "srv", "args": ["--stdio"], "toolExposure": { "debug_*": "hidden" } }"#;
/// let (entry, problems) = ServerEntry::parse("demo", json, &Origin::plugin("tenant"));
/// assert!(problems.is_empty());
/// let entry = entry.expect("the entry is right");
/// assert!(matches!(entry.transport(), Transport::Stdio(stdio) if stdio.command().as_str() == "srv"));
/// assert!(entry.is_direct());
/// assert_eq!(entry.exposure_of("debug_dump").as_str(), "hidden");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerEntry {
    pub(super) name: Arc<str>,
    pub(super) origin: Origin,
    /// The entries of earlier layers that this one took the place of, the nearest first.
    pub(super) replaced: Vec<Origin>,
    /// Where `type` is written, if it is not left out.
    pub(super) type_origin: Option<Origin>,
    pub(super) transport: Arc<Transport>,
    pub(super) enabled: Option<Sourced<bool>>,
    pub(super) exposure: Option<Sourced<Exposure>>,
    pub(super) tool_exposure: Option<Sourced<ToolExposure>>,
    pub(super) start_timeout: Option<Sourced<Duration>>,
    pub(super) request_timeout: Option<Sourced<Duration>>,
    pub(super) max_request: Option<Sourced<Duration>>,
}

impl ServerEntry {
    /// The key in `mcpServers`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the entry itself is written.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The entries of earlier layers that this one took the place of, the nearest first.
    pub fn replaced(&self) -> &[Origin] {
        &self.replaced
    }

    /// Where `type` is written, if it is not left out.
    pub fn type_origin(&self) -> Option<&Origin> {
        self.type_origin.as_ref()
    }

    /// How the server is reached.
    pub fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Whether the server is to run at all.
    pub fn is_enabled(&self) -> bool {
        self.enabled.as_ref().is_none_or(|enabled| **enabled)
    }

    /// The exposure of tools that no rule of `toolExposure` names.
    pub fn exposure(&self) -> Exposure {
        self.exposure
            .as_ref()
            .map_or(Exposure::default(), |exposure| **exposure)
    }

    /// The exposures of single tools, if there are any.
    pub fn tool_exposure(&self) -> Option<&ToolExposure> {
        self.tool_exposure.as_deref()
    }

    /// The exposure of a tool, by its raw name.
    pub fn exposure_of(&self, raw_tool: &str) -> Exposure {
        let rule = self.tool_exposure().and_then(|rules| rules.get(raw_tool));
        rule.unwrap_or_else(|| self.exposure())
    }

    /// Whether the server is enabled and may have tools that the model sees; only such servers are waited for.
    pub fn is_direct(&self) -> bool {
        let is_direct = |exposure| exposure == Exposure::Direct;
        let by_rule = |rules: &ToolExposure| rules.rules().any(|(_, exposure)| is_direct(exposure));
        self.is_enabled()
            && (is_direct(self.exposure()) || self.tool_exposure().is_some_and(by_rule))
    }

    /// How long the server may take to start, if the entry says so.
    pub fn start_timeout(&self) -> Option<Duration> {
        self.start_timeout.as_deref().copied()
    }

    /// How long a request may take without progress, if the entry says so.
    pub fn request_timeout(&self) -> Option<Duration> {
        self.request_timeout.as_deref().copied()
    }

    /// How long a request may take in all, if the entry says so.
    pub fn max_request(&self) -> Option<Duration> {
        self.max_request.as_deref().copied()
    }

    /// The values of `enabled`, `exposure` and `toolExposure` with their origins, where they are written.
    pub fn overridable(&self) -> Overridable<'_> {
        (
            self.enabled.as_ref(),
            self.exposure.as_ref(),
            self.tool_exposure.as_ref(),
        )
    }

    /// The three time limits with their origins, under their names in the file.
    pub fn time_limits(&self) -> [(&'static str, Option<&Sourced<Duration>>); 3] {
        [
            ("startTimeoutMs", self.start_timeout.as_ref()),
            ("requestTimeoutMs", self.request_timeout.as_ref()),
            ("maxRequestMs", self.max_request.as_ref()),
        ]
    }

    /// The commands whose outputs [`ServerEntry::resolve`] needs, each once, in the order of the file.
    pub fn commands(&self) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        for command in self.templates().filter_map(|template| template.command()) {
            if !commands.contains(command) {
                commands.push(command.clone());
            }
        }
        commands
    }

    /// The names of the variables that [`ServerEntry::resolve`] may use, `HOME` for `~/` among them.
    pub fn variables(&self) -> BTreeSet<&str> {
        let mut names: BTreeSet<&str> = self
            .templates()
            .flat_map(|template| template.variables())
            .collect();
        if let Transport::Stdio(stdio) = &*self.transport {
            let paths = [Some(stdio.command()), stdio.cwd()].into_iter().flatten();
            if paths.chain(stdio.args()).any(|path| path.starts_with("~/")) {
                names.insert("HOME");
            }
        }
        names
    }

    /// A digest that changes exactly when one of [`ServerEntry::variables`] does; unset and empty are told apart.
    pub fn variables_digest(&self, environment: &Environment, key: &DigestKey) -> Digest {
        variables_digest(&self.variables(), environment, key)
    }

    /// What a connection is made of. `base` is the session's base directory.
    ///
    /// ```
    /// use mcp_config::{Environment, Origin, Outputs, ResolvedTransport, ServerEntry};
    /// # use std::path::Path;
    ///
    /// let json = r#"{ "url": "https://host.invalid/mcp", "headers": { "Authorization": "Bearer ${TOKEN}" } }"#;
    /// let (entry, _) = ServerEntry::parse("remote", json, &Origin::plugin("tenant"));
    /// let entry = entry.expect("the entry is right");
    ///
    /// let environment = Environment::new().with("TOKEN", "tok-123");
    /// let resolved = entry.resolve(&environment, &Outputs::new(), Path::new("/srv"));
    /// let Ok(ResolvedTransport::Http { headers, .. }) = resolved.map(|resolved| resolved.transport) else {
    ///     unreachable!("a URL means http");
    /// };
    /// assert_eq!(headers[0].1.expose(), "Bearer tok-123");
    ///
    /// let errors = entry.resolve(&Environment::new(), &Outputs::new(), Path::new("/srv")).expect_err("unset");
    /// assert_eq!(
    ///     errors.to_string(),
    ///     r#"server "remote": headers.Authorization: environment variable TOKEN is not set"#,
    /// );
    /// ```
    pub fn resolve(
        &self,
        environment: &Environment,
        outputs: &Outputs,
        base: &Path,
    ) -> Result<ResolvedServer, ResolveErrors> {
        resolve(self, environment, outputs, base)
    }

    fn templates(&self) -> impl Iterator<Item = &Sourced<Template>> {
        let pairs = match &*self.transport {
            Transport::Stdio(stdio) => &stdio.env,
            Transport::Http(http) => &http.headers,
        };
        pairs.iter().map(|(_, template)| template)
    }

    /// Takes the place of an earlier layer's entry.
    pub(crate) fn replacing(mut self, earlier: &ServerEntry) -> Self {
        self.replaced = vec![earlier.origin.clone()];
        self.replaced.extend(earlier.replaced.iter().cloned());
        self
    }
}

/// What an entry of a later layer may override: `enabled`, `exposure`, `toolExposure`.
type Overridable<'a> = (
    Option<&'a Sourced<bool>>,
    Option<&'a Sourced<Exposure>>,
    Option<&'a Sourced<ToolExposure>>,
);
