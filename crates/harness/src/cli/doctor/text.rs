//! The form that people read: the files' problems first, then each server, then the sum.

use mcp_config::{Config, RenderOptions, render};
use mcp_session::{ServerState, StageTime};

use super::checkup::{Checkup, Server};
use super::wrap::wrap;
use crate::cli::config::no_servers;
use crate::cli::host::Host;
use crate::cli::waiting::duration;
use crate::number::{count, plural};
use crate::terminal::{Style, escape, escape_line};

pub(super) fn text(checkup: &Checkup, config: &Config, host: &Host) -> String {
    let style = host.output_style();
    let columns = Host::output_columns();
    let options = RenderOptions {
        colour: style == Style::Coloured,
        ..RenderOptions::default()
    };
    let problems = render(config.problems(), options);
    if checkup.servers.is_empty() && !config.has_errors() {
        return problems + &no_servers(config);
    }
    let servers = checkup.servers.iter().flat_map(|(name, server)| {
        let name = style.bold(&escape_line(name));
        let first = format!("{name}: {}\n", headline(server, style));
        let lines = lines(server, style).into_iter();
        let indented = lines.map(|line| indented(&line, columns));
        std::iter::once(first).chain(indented)
    });
    std::iter::once(problems)
        .chain(servers)
        .chain([sum(checkup, style)])
        .collect()
}

/// A text of one or more lines below a server's name.
fn indented(text: &str, columns: Option<usize>) -> String {
    let text = format!("  {}", text.replace('\n', "\n    "));
    let lines = text.lines().map(str::trim_end);
    let lines = lines.map(|line| match columns {
        Some(columns) => wrap(line, columns, "    "),
        None => line.to_owned(),
    });
    lines.map(|line| line + "\n").collect()
}

fn headline(server: &Server, style: Style) -> String {
    let state = match server.state {
        ServerState::Ready => style.green("ready"),
        ServerState::Disabled => style.dim("switched off"),
        ServerState::AwaitingApproval => style.yellow("waits for approval"),
        // Nobody waits for it any longer.
        ServerState::Connecting => style.red("failed"),
        other => style.red(&other.to_string()),
    };
    let facts = [
        server.transport.map(str::to_owned),
        server.implementation.as_deref().map(escape_line),
        server.version.as_deref().map(|version| {
            let era = server.era.as_deref().filter(|era| *era != version);
            let era = era.map(|era| format!(" by {era}")).unwrap_or_default();
            escape_line(&format!("MCP {version}{era}"))
        }),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    if facts.is_empty() {
        return state;
    }
    format!("{state}  {}", style.dim(&facts.join(", ")))
}

fn lines(server: &Server, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    if server.state == ServerState::Ready {
        lines.push(tools(server));
    }
    if !server.stages.is_empty() {
        lines.push(style.dim(&stages(&server.stages)));
    }
    if !server.is_well() {
        lines.push(style.dim(&format!("configured in {}", server.configured)));
    }
    lines.extend(server.error.iter().map(|error| style.red(&escape(error))));
    if let Some(stderr) = unsaid(server) {
        lines.push(format!("stderr:\n{}", escape(stderr.trim_end())));
    }
    let notes = server.notes.iter();
    lines.extend(notes.map(|note| style.yellow(&format!("note: {}", escape(note)))));
    let advice = server.advice.iter();
    lines.extend(advice.map(|step| format!("{} {}", style.bold("to do:"), escape(step))));
    lines
}

fn tools(server: &Server) -> String {
    let mut facts = vec![plural(server.tools, "tool")];
    facts.extend(
        (server.hidden > 0).then(|| format!("{} of them not given to the model", server.hidden)),
    );
    facts.extend((server.tokens > 0).then(|| format!("about {} tokens", count(server.tokens))));
    facts.join(", ")
}

fn stages(stages: &[StageTime]) -> String {
    let times = stages.iter().map(|time| {
        let stage = serde_json::to_value(time.stage).unwrap_or_default();
        format!(
            "{} {}",
            stage.as_str().unwrap_or_default(),
            duration(time.elapsed)
        )
    });
    times.collect::<Vec<_>>().join(", ")
}

/// What stood on standard error, where the error does not tell it already.
fn unsaid(server: &Server) -> Option<&str> {
    let tail = server.stderr.as_deref()?;
    let said = server
        .error
        .as_deref()
        .is_some_and(|error| error.contains(tail.trim_end()));
    (!said).then_some(tail)
}

fn sum(checkup: &Checkup, style: Style) -> String {
    let of = |is_so: fn(&Server) -> bool| {
        let servers = checkup.servers.values();
        servers.filter(|server| is_so(server)).count()
    };
    let ready = of(|server| server.state == ServerState::Ready);
    let off = of(|server| server.state == ServerState::Disabled);
    let waiting = of(|server| server.state == ServerState::AwaitingApproval);
    let failed = checkup.servers.len() - ready - off - waiting;
    let mut parts = vec![format!("{ready} ready")];
    parts.extend((failed > 0).then(|| style.red(&format!("{failed} failed"))));
    parts.extend((waiting > 0).then(|| style.yellow(&format!("{waiting} waiting for approval"))));
    parts.extend((off > 0).then(|| format!("{off} switched off")));
    let tokens: usize = checkup.servers.values().map(|server| server.tokens).sum();
    if tokens > 0 {
        parts.push(format!("about {} tokens of tools", count(tokens)));
    }
    format!(
        "{}: {}\n",
        plural(checkup.servers.len(), "server"),
        parts.join(", ")
    )
}
