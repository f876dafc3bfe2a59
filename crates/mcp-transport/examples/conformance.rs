//! The client that `scripts/conformance.sh` runs against the protocol's own conformance suite.
//!
//! It does what the suite's scenarios want of any client: connect, list everything, call each tool, answer what servers
//! ask, close. The suite gives the URL as the last argument, and calls with special arguments in its context.

#![expect(clippy::print_stderr, reason = "this is a command")]

use std::error::Error;
use std::process::ExitCode;

use mcp_transport::{
    CallOptions, ClientInfo, Connection, Handlers, HttpSpec, Options, RequestError, Tool, model,
};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Some(url) = std::env::args()
        .next_back()
        .filter(|url| url.starts_with("http"))
    else {
        eprintln!("usage: conformance URL");
        return ExitCode::from(2);
    };
    match run(&url).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let handlers = Handlers::new().elicitation(|question| async move { Ok(accept(&question)) });
    let options = Options::new(ClientInfo::new("conformance-client", "1.0.0")).handlers(handlers);
    let (connection, _events) = Connection::http(HttpSpec::new(url)?, options).await?;
    let used = use_everything(&connection).await;
    connection.close().await;
    used
}

/// Accepts a form, with the default of each field that has one (SEP-1034), and yes to every other boolean.
fn accept(question: &model::ElicitRequestParams) -> model::ElicitResult {
    let question = serde_json::to_value(question).unwrap_or_default();
    let mut content = Map::new();
    if let Some(fields) = question["requestedSchema"]["properties"].as_object() {
        for (name, field) in fields {
            let value = field
                .get("default")
                .cloned()
                .or_else(|| (field["type"] == "boolean").then_some(json!(true)));
            content.extend(value.map(|value| (name.clone(), value)));
        }
    }
    model::ElicitResult::new(model::ElicitationAction::Accept).with_content(Value::Object(content))
}

async fn use_everything(connection: &Connection) -> Result<(), Box<dyn Error>> {
    let tools = connection.tools().await?;
    for problem in &tools.problems {
        eprintln!("left out: {problem}");
    }
    for (name, arguments) in calls(&tools.items)? {
        match connection
            .call_tool(&name, &arguments, CallOptions::new())
            .await
        {
            Ok(result) => eprintln!("{name}: {}", result.raw()),
            // Some scenarios only look at the listing, and serve no calls.
            Err(error @ RequestError::Server { .. }) => eprintln!("{name}: {error}"),
            Err(error) => return Err(error.into()),
        }
    }
    for resource in connection.resources().await?.items {
        connection.read_resource(&resource.uri).await?;
    }
    for prompt in connection.prompts().await?.items {
        connection.get_prompt(&prompt.name, None).await?;
    }
    Ok(())
}

/// A tool and its arguments.
type Call = (String, Box<RawValue>);

/// What to call: what the suite's context asks for, and otherwise each tool with arguments of the right types.
fn calls(tools: &[Tool]) -> Result<Vec<Call>, Box<dyn Error>> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the suite gives its context in a variable"
    )]
    let context: Value = std::env::var("MCP_CONFORMANCE_CONTEXT")
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    if let Some(asked) = context["toolCalls"].as_array() {
        let call = |call: &Value| {
            Ok((
                call["name"]
                    .as_str()
                    .ok_or("a call without a name")?
                    .to_owned(),
                to_raw_value(&call["arguments"])?,
            ))
        };
        return asked.iter().map(call).collect();
    }
    let arguments = |tool: &Tool| Ok((tool.name.clone(), to_raw_value(&sample(tool, tools))?));
    tools.iter().map(arguments).collect()
}

fn sample(tool: &Tool, tools: &[Tool]) -> Value {
    let schema: Value = serde_json::from_str(tool.input_schema.get()).unwrap_or_default();
    let required = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    required
        .map(|name| {
            (
                name.to_owned(),
                value(&schema["properties"][name], tool, tools),
            )
        })
        .collect::<Map<_, _>>()
        .into()
}

fn value(field: &Value, tool: &Tool, tools: &[Tool]) -> Value {
    match field["type"].as_str() {
        Some("number" | "integer") => json!(5),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        // The suite's echo wants the schema of the other tool, exactly as it was received.
        Some("object") => {
            let other = tools.iter().find(|other| other.name != tool.name);
            other
                .and_then(|other| serde_json::from_str(other.input_schema.get()).ok())
                .unwrap_or_else(|| json!({}))
        }
        _ => json!("text"),
    }
}
