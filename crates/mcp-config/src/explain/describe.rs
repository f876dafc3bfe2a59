//! From a configuration to what is shown of it.

use super::model::{Explanation, Member, ServerView, Shown, State};
use crate::config::{Config, Server};
use crate::entry::{HttpEntry, ServerEntry, Sourced, StdioEntry, Transport, masked_url};
use crate::sensitive::masked_args;
use crate::template::Template;

/// Explains a configuration.
pub fn explain(config: &Config) -> Explanation {
    Explanation {
        servers: config
            .servers()
            .map(|(name, server)| view(name, server))
            .collect(),
        problems: config.problems().to_vec(),
        layers: config.sources().to_vec(),
    }
}

fn view(name: &str, server: &Server) -> ServerView {
    let (state, entry) = match server {
        Server::Ready(entry) if entry.is_enabled() => (
            State::Valid {
                direct: entry.is_direct(),
            },
            Some(&**entry),
        ),
        Server::Ready(entry) => (State::Disabled, Some(&**entry)),
        Server::Failed(failed) => (
            State::Failed {
                error: failed.message(),
            },
            None,
        ),
        Server::AwaitingApproval(pending) => {
            let (fingerprint, summary) = (pending.fingerprint().to_string(), pending.summary());
            (
                State::AwaitingApproval {
                    fingerprint,
                    summary,
                },
                pending.entry(),
            )
        }
    };
    ServerView {
        name: name.to_owned(),
        state,
        origin: server.origin().clone(),
        replaced: entry.map_or_else(Vec::new, |entry| entry.replaced().to_vec()),
        members: entry.map_or_else(Vec::new, members),
    }
}

fn members(entry: &ServerEntry) -> Vec<(&'static str, Member)> {
    let transport = entry.transport();
    let kind = Shown {
        origin: entry.type_origin().cloned(),
        inferred: true,
        ..Shown::default_value(transport.kind())
    };
    let mut members = vec![("type", Member::One(kind))];
    match transport {
        Transport::Stdio(stdio) => members.extend(stdio_members(stdio)),
        Transport::Http(http) => members.extend(http_members(http)),
    }
    let (enabled, exposure, tool_exposure) = entry.overridable();
    let enabled = enabled.map_or_else(
        || Shown::default_value(entry.is_enabled()),
        |enabled| Shown::sourced(enabled, **enabled),
    );
    members.push(("enabled", Member::One(enabled)));
    let exposure = exposure.map_or_else(
        || Shown::default_value(entry.exposure().as_str()),
        |exposure| Shown::sourced(exposure, exposure.as_str()),
    );
    members.push(("exposure", Member::One(exposure)));
    if let Some(rules) = tool_exposure {
        let shown = rules
            .rules()
            .map(|(rule, exposure)| (rule.to_owned(), Shown::sourced(rules, exposure.as_str())));
        members.push(("toolExposure", Member::Named(shown.collect())));
    }
    for (name, limit) in entry.time_limits() {
        if let Some(limit) = limit {
            let ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
            members.push((name, Member::One(Shown::sourced(limit, ms))));
        }
    }
    members
}

fn stdio_members(stdio: &StdioEntry) -> Vec<(&'static str, Member)> {
    let mut words = vec![stdio.command().as_str()];
    words.extend(stdio.args().iter().map(|arg| arg.as_str()));
    let mut shown = masked_args(&words).into_iter();
    let command = shown.next().unwrap_or_default();
    let args = stdio
        .args()
        .iter()
        .zip(shown)
        .map(|(arg, shown)| Shown::sourced(arg, shown));
    let mut members = vec![
        (
            "command",
            Member::One(Shown::sourced(stdio.command(), command)),
        ),
        ("args", Member::List(args.collect())),
        ("env", templates(stdio.env())),
    ];
    if let Some(cwd) = stdio.cwd() {
        members.push(("cwd", Member::One(Shown::sourced(cwd, cwd.as_str()))));
    }
    members
}

fn http_members(http: &HttpEntry) -> Vec<(&'static str, Member)> {
    let url = Shown::sourced(http.url(), masked_url(http.url()));
    vec![
        ("url", Member::One(url)),
        ("headers", templates(http.headers())),
    ]
}

fn templates<'a>(templates: impl Iterator<Item = (&'a str, &'a Sourced<Template>)>) -> Member {
    let shown = templates.map(|(name, template)| {
        (
            name.to_owned(),
            Shown::sourced(template, template.to_string()),
        )
    });
    Member::Named(shown.collect())
}

impl Shown {
    fn default_value(value: impl Into<serde_json::Value>) -> Self {
        Shown {
            value: value.into(),
            origin: None,
            shadowed: None,
            inferred: false,
        }
    }

    fn sourced<T>(source: &Sourced<T>, value: impl Into<serde_json::Value>) -> Self {
        Shown {
            value: value.into(),
            origin: Some(source.origin().clone()),
            shadowed: source.shadowed().cloned(),
            inferred: false,
        }
    }
}
