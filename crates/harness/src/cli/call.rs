//! `mcp-harness call`: one tool of a configured server.

use std::io;
use std::process::ExitCode;

use mcp_session::{CallOptions, ContentPart, ToolResult};
use mcp_transport::Progress;

use super::args::CallArgs;
use super::connect::connected;
use super::exit::{CommandError, FAILED, OK, USAGE};
use super::host::{Host, complain, print};
use super::output::print_json;
use super::tools::troubles;
use crate::terminal::{escape, escape_line};

pub(super) fn call(args: &CallArgs, host: &Host) -> Result<ExitCode, CommandError> {
    connected(&args.select, host, async |session, exchange| {
        let known = exchange.tools().iter().any(|tool| tool.name() == args.name);
        let options = CallOptions::new().on_progress(|progress| complain(&line(&progress)));
        let result = exchange
            .call_with(&args.name, &args.arguments, options)
            .await;
        if args.json {
            print_json(&result)?;
        } else {
            print(&text(&result))?;
        }
        if !known {
            let style = host.style(&io::stderr());
            for line in troubles(&session.status(), exchange, style) {
                complain(&line);
            }
            complain("`mcp-harness tools` with the same options lists the tools");
            return Ok(ExitCode::from(USAGE));
        }
        Ok(ExitCode::from(if result.is_error { FAILED } else { OK }))
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
