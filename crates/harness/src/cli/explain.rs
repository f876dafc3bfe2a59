//! `mcp-harness tools --explain NAME`: one tool's whole story.

use std::process::ExitCode;

use mcp_config::Exposure;
use mcp_naming::Derivation;
use mcp_session::{Exchange, ToolStatus};
use serde::Serialize;
use serde_json::value::RawValue;

use super::exit::{CommandError, OK};
use super::host::print;
use super::output::print_json;
use super::tokens::tokens;
use super::tools::why_hidden;
use crate::artifact::Json;
use crate::number::count;
use crate::terminal::{Style, escape, escape_line};

pub(super) fn explain(
    tool: &ToolStatus,
    exchange: &Exchange,
    json: bool,
    style: Style,
) -> Result<ExitCode, CommandError> {
    let story = Story::new(tool, exchange);
    if json {
        print_json(&story)?;
    } else {
        print(&story.text(style))?;
    }
    Ok(ExitCode::from(OK))
}

/// What is told of a tool; its JSON form has exactly these members.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Story<'a> {
    name: Option<&'a str>,
    naming: Option<&'static str>,
    server: &'a str,
    configured: Option<String>,
    raw_name: &'a str,
    exposure: Exposure,
    rule: Option<&'a str>,
    withheld: Option<String>,
    tokens: usize,
    coverage: &'static str,
    notes: Vec<String>,
    title: Option<&'a str>,
    description: Option<&'a str>,
    annotations: Option<&'a RawValue>,
    input_schema: &'a RawValue,
    output_schema: Option<&'a RawValue>,
    #[serde(skip)]
    shown: String,
}

impl<'a> Story<'a> {
    fn new(tool: &'a ToolStatus, exchange: &Exchange) -> Self {
        let entry = exchange.settled().get(tool.server());
        Story {
            name: tool.name(),
            naming: tool.derivation().map(naming),
            server: tool.server(),
            configured: entry.map(|entry| entry.origin().to_string()),
            raw_name: tool.raw_name(),
            exposure: tool.exposure(),
            rule: tool.rule(),
            withheld: tool.withheld(),
            tokens: tool.name().map_or(0, |name| {
                tokens(name, tool.description(), tool.input_schema())
            }),
            coverage: tool.coverage().as_str(),
            notes: tool.schema_notes(),
            title: tool.title(),
            description: tool.description(),
            annotations: tool.annotations(),
            input_schema: tool.input_schema(),
            output_schema: tool.output_schema(),
            shown: match (tool.name(), tool.rule()) {
                (None, _) => format!("no, {}", why_hidden(tool)),
                (Some(_), Some(rule)) => format!("yes, by toolExposure \"{rule}\""),
                (Some(_), None) => "yes, by exposure".to_owned(),
            },
        }
    }

    fn text(&self, style: Style) -> String {
        let title = self.name.unwrap_or(self.raw_name);
        let facts = self.facts().into_iter().map(|(what, value)| {
            let what = style.dim(&format!("{what:<12}"));
            format!("  {what} {}", escape_line(&value))
        });
        let notes = self.notes.iter().map(|note| {
            let note = format!("note: {}", escape_line(note));
            format!("  {}", style.yellow(&note))
        });
        let schema = |schema: &RawValue| Json::lenient(schema.get()).to_text();
        let parts = [
            ("description", self.description.map(str::to_owned)),
            ("input schema", Some(schema(self.input_schema))),
            ("output schema", self.output_schema.map(schema)),
        ];
        let parts = parts.into_iter().filter_map(|(what, part)| {
            let part = escape(part?.trim_end()).replace('\n', "\n  ");
            Some(format!("{}\n  {part}", style.bold(what)))
        });
        let lines = std::iter::once(style.bold(&escape_line(title)))
            .chain(facts)
            .chain(notes)
            .chain(parts);
        lines.map(|line| line + "\n").collect()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let place = self.configured.as_ref();
        let server = place.map_or_else(
            || self.server.to_owned(),
            |place| format!("{} ({place})", self.server),
        );
        let mut facts = vec![("server", server), ("raw name", self.raw_name.to_owned())];
        facts.extend(self.naming.map(|naming| ("name", naming.to_owned())));
        facts.push(("visible", self.shown.clone()));
        facts.extend(self.title.map(|title| ("title", title.to_owned())));
        facts.extend(
            self.annotations
                .map(|raw| ("annotations", Json::lenient(raw.get()).to_line())),
        );
        if self.tokens > 0 {
            let tokens = format!("about {} (an estimate)", count(self.tokens));
            facts.push(("tokens", tokens));
        }
        let checked = match self.coverage {
            "full" => "checked before each call, all of the schema",
            "partial" => "checked before each call, but for what the notes say",
            _ => "not checked, as the notes say",
        };
        facts.push(("arguments", checked.to_owned()));
        facts
    }
}

fn naming(derivation: Derivation) -> &'static str {
    match derivation {
        Derivation::Verbatim => "server and raw name as they are",
        Derivation::Sanitised => "server and raw name, with _ for what names cannot hold",
        Derivation::Cut => "too long, so it is cut and ends in a hash of server and raw name",
        Derivation::Unreadable => {
            "too little is left without foreign characters, so it ends in a hash of server and raw name"
        }
        Derivation::Clash => {
            "another tool would have the same name, so it ends in a hash of server and raw name"
        }
        _ => "made by a newer rule",
    }
}
