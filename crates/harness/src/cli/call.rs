//! `mcp-harness call`: one tool of a configured server.

use std::process::ExitCode;

use mcp_session::{CallOptions, ContentPart, Exchange, Session, ToolResult, ToolStatus};
use mcp_transport::Progress;

use super::args::CallArgs;
use super::connect::connected;
use super::exit::{CommandError, FAILED, OK};
use super::host::{Host, complain, print};
use super::lookup::find;
use super::output::print_json;
use super::tools::why_hidden;
use crate::terminal::{escape, escape_line};

pub(super) fn call(args: &CallArgs, host: &Host) -> Result<ExitCode, CommandError> {
    connected(&args.start, args.wait, host, async |session, exchange| {
        let tools = session.tools();
        let name = callable(&args.name, &tools, session, exchange);
        if let Err(error) = &name
            && args.json
        {
            print_json(&ToolResult::error(error.to_string()))?;
        }
        let name = name?;
        let options = CallOptions::new().on_progress(|progress| complain(&line(&progress)));
        let result = exchange.call_with(name, &args.arguments, options).await;
        if args.json {
            print_json(&result)?;
        } else {
            print(&text(&result))?;
        }
        Ok(ExitCode::from(if result.is_error { FAILED } else { OK }))
    })
}

/// The name under which a tool is called.
fn callable<'t>(
    name: &str,
    tools: &'t [ToolStatus],
    session: &Session,
    exchange: &Exchange,
) -> Result<&'t str, CommandError> {
    let tool = find(name, tools, session, exchange)?;
    tool.name().ok_or_else(|| {
        CommandError::usage(format!(
            "tool {:?} of server {:?} is not given to the model ({}), so it cannot be called",
            tool.raw_name(),
            tool.server(),
            why_hidden(tool)
        ))
    })
}

fn text(result: &ToolResult) -> String {
    let parts = result.content.iter().map(|part| match part {
        ContentPart::Text { text } => escape(text),
        ContentPart::Image { mime_type, data } => format!(
            "[image, {}, {} characters of base64; --json prints it]",
            escape(mime_type),
            data.len()
        ),
        _ => "[a part of another kind; --json prints it]".to_owned(),
    });
    let warnings = result
        .warnings
        .iter()
        .map(|warning| format!("warning: {}", escape(warning)));
    parts.chain(warnings).map(|line| line + "\n").collect()
}

/// `progress 3 of 10: what the server says`.
fn line(progress: &Progress) -> String {
    let total = progress.total.map(|total| format!(" of {total}"));
    let message = progress
        .message
        .as_deref()
        .map(|message| format!(": {}", escape_line(message)));
    format!(
        "progress {}{}{}",
        progress.progress,
        total.unwrap_or_default(),
        message.unwrap_or_default()
    )
}
