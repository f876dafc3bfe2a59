//! A whole entry, resolved.

use std::fmt;
use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::error::{KeyedError, ResolveError, ResolveErrors};
use super::expand::{Expanded, expand};
use super::header;
use super::mask::Mask;
use super::outputs::Outputs;
use crate::document::JsonPath;
use crate::entry::{HttpEntry, Origin, ServerEntry, Sourced, StdioEntry, Transport, masked_url};
use crate::secret::Secret;
use crate::sensitive::masked_args;
use crate::template::Template;

/// What a connection is made of, with credentials. Debug hides them.
///
/// ```
/// use std::path::Path;
///
/// use mcp_config::{Environment, Origin, Outputs, ResolvedTransport, ServerEntry};
///
/// let json = r#"{ "command": "srv", "env": { "A": "key ${TOKEN}" }, "cwd": "sub" }"#;
/// let (entry, _) = ServerEntry::parse("a", json, &Origin::plugin("demo"));
/// let environment = Environment::new().with("TOKEN", "tok-123");
/// let resolved = entry
///     .expect("the entry is right")
///     .resolve(&environment, &Outputs::new(), Path::new("/srv"))?;
/// assert_eq!(resolved.mask[0].expose(), "tok-123");
/// let ResolvedTransport::Stdio { env, cwd, .. } = resolved.transport else { unreachable!("a command means stdio") };
/// assert_eq!((env[0].1.expose(), cwd.as_path()), ("key tok-123", Path::new("/srv/sub")));
/// # Ok::<(), mcp_config::ResolveErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedServer {
    /// How to reach the server.
    pub transport: ResolvedTransport,
    /// What to hide in whatever the server prints: values of six bytes or more from headers, commands, and variables
    /// other than the plain ones; longest first.
    pub mask: Vec<Secret>,
}

/// How to reach a server. Debug shows arguments and URLs without what looks like a credential.
#[derive(Clone, PartialEq, Eq)]
pub enum ResolvedTransport {
    /// A process.
    Stdio {
        /// The program. With a slash and not absolute, it is relative to `cwd`; without a slash, it is looked up in
        /// the server's own `PATH`.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// What the entry adds to the base environment, in the order of the file.
        env: Vec<(String, Secret)>,
        /// Its working directory; absolute if the base directory is.
        cwd: PathBuf,
    },
    /// A URL.
    Http {
        /// The URL as written.
        url: String,
        /// Headers to send with each request, in the order of the file.
        headers: Vec<(String, Secret)>,
    },
}

impl fmt::Debug for ResolvedTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResolvedTransport::Stdio {
                command,
                args,
                env,
                cwd,
            } => {
                let words: Vec<&str> = std::iter::once(command)
                    .chain(args)
                    .map(String::as_str)
                    .collect();
                f.debug_struct("Stdio")
                    .field("command", &masked_args(&words))
                    .field("env", env)
                    .field("cwd", cwd)
                    .finish()
            }
            ResolvedTransport::Http { url, headers } => f
                .debug_struct("Http")
                .field("url", &masked_url(url))
                .field("headers", headers)
                .finish(),
        }
    }
}

pub(crate) fn resolve(
    entry: &ServerEntry,
    environment: &Environment,
    outputs: &Outputs,
    base: &Path,
) -> Result<ResolvedServer, ResolveErrors> {
    let path = JsonPath::root().member("mcpServers").member(entry.name());
    let mut resolver = Resolver {
        path,
        environment,
        outputs,
        errors: Vec::new(),
        mask: Mask::default(),
    };
    let transport = match entry.transport() {
        Transport::Stdio(stdio) => resolver.stdio(stdio, base),
        Transport::Http(http) => resolver.http(http),
    };
    if resolver.errors.is_empty() {
        Ok(ResolvedServer {
            transport,
            mask: resolver.mask.finish(),
        })
    } else {
        Err(ResolveErrors {
            server: entry.name().to_owned(),
            errors: resolver.errors,
        })
    }
}

struct Resolver<'a> {
    path: JsonPath,
    environment: &'a Environment,
    outputs: &'a Outputs,
    errors: Vec<KeyedError>,
    mask: Mask,
}

impl Resolver<'_> {
    fn stdio(&mut self, stdio: &StdioEntry, base: &Path) -> ResolvedTransport {
        let command = self.home("command", None, stdio.command());
        let args = stdio.args().iter().enumerate();
        let args = args
            .map(|(index, arg)| self.home("args", Some(index), arg))
            .collect();
        let cwd = stdio.cwd().map(|cwd| self.home("cwd", None, cwd));
        let cwd = cwd.map_or_else(|| base.to_owned(), |cwd| base.join(cwd));
        let mut env = Vec::new();
        for (name, template) in stdio.env() {
            let Some(value) = self.expand("env", name, template) else {
                continue;
            };
            if value.text.contains('\0') {
                self.fail("env", name, template.origin(), ResolveError::NulInEnv);
            }
            env.push((name.to_owned(), Secret::new(value.text)));
        }
        ResolvedTransport::Stdio {
            command,
            args,
            env,
            cwd,
        }
    }

    fn http(&mut self, http: &HttpEntry) -> ResolvedTransport {
        let mut headers = Vec::new();
        for (name, template) in http.headers() {
            let Some(value) = self.expand("headers", name, template) else {
                continue;
            };
            if let Err(error) = header::check(name, &value) {
                self.fail("headers", name, template.origin(), error);
            }
            self.mask.add_header(name, &value.text);
            headers.push((name.to_owned(), Secret::new(value.text)));
        }
        for credential in http.credentials() {
            self.mask.add(&credential);
        }
        ResolvedTransport::Http {
            url: http.url().to_string(),
            headers,
        }
    }

    fn expand(
        &mut self,
        member: &str,
        key: &str,
        template: &Sourced<Template>,
    ) -> Option<Expanded> {
        match expand(template, self.environment, self.outputs) {
            Ok(expanded) => {
                for (name, value) in &expanded.ingredients {
                    match name {
                        Some(name) => self.mask.add_variable(name, value.expose()),
                        None => self.mask.add(value.expose()),
                    }
                }
                Some(expanded)
            }
            Err(errors) => {
                for error in errors {
                    self.fail(member, key, template.origin(), error);
                }
                None
            }
        }
    }

    /// Expands `~/` at the beginning.
    fn home(&mut self, member: &str, index: Option<usize>, value: &Sourced<String>) -> String {
        let Some(rest) = value.strip_prefix("~/") else {
            return value.to_string();
        };
        if let Some(home) = self.environment.get("HOME").filter(|home| !home.is_empty()) {
            return format!("{}/{rest}", home.trim_end_matches('/'));
        }
        let path = self.path.member(member);
        let (key, path) = match index {
            Some(index) => (format!("{member}[{index}]"), path.index(index)),
            None => (member.to_owned(), path),
        };
        self.push(key, path, value.origin(), ResolveError::NoHome);
        value.to_string()
    }

    fn fail(&mut self, member: &str, key: &str, origin: &Origin, error: ResolveError) {
        let path = self.path.member(member).member(key);
        self.push(format!("{member}.{key}"), path, origin, error);
    }

    fn push(&mut self, key: String, path: JsonPath, origin: &Origin, error: ResolveError) {
        self.errors.push(KeyedError {
            key,
            path,
            origin: origin.clone(),
            error,
        });
    }
}
