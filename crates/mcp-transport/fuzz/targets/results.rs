//! Any JSON as the result of each method, the handshakes included: what is understood is what `serde_json` reads there, and
//! what stays raw stays as it was sent.

use std::collections::HashSet;

use super::peer::{connect, no_arguments, paused};
use mcp_transport::{
    CallOptions, CallResult, CompletionRef, Connection, Era, ListProblem, Listing, RequestError,
};
use serde_json::Value;
use serde_json::value::RawValue;

const URI: &str = "a://b";

/// The keys of the items of a list, and its problems; none if it failed.
type Keys = Option<(Vec<String>, Vec<ListProblem>)>;

/// The first byte picks the method and the era, the others are the result.
pub(crate) fn run(bytes: &[u8]) {
    let Some((pick, text)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    // On one line, as a server has to write it; line ends stand only between tokens.
    let text = text.replace(['\n', '\r'], " ");
    let Ok(json) = RawValue::from_string(text) else {
        return;
    };
    let era = if pick % 2 == 0 {
        Era::Initialize
    } else {
        Era::Stateless
    };
    paused(ask(pick / 2 % 8, era, json.get()));
}

async fn ask(pick: u8, era: Era, json: &str) {
    let result = json.to_owned();
    let handshake = pick != 0;
    let connecting = connect(era, usize::MAX, move |request| {
        let good = request.handshake().filter(|_| handshake);
        good.unwrap_or_else(|| request.result(&result))
    });
    let value = serde_json::from_str::<Value>(json).ok();
    let connection = match connecting.await {
        Ok((connection, _events)) => connection,
        Err(error) => return assert!(!handshake, "{error}"),
    };
    if !handshake {
        check_server(&connection, value.as_ref());
    }
    match pick {
        0 => {}
        1 => {
            let arguments = no_arguments();
            let result = connection.call_tool("t", &arguments, CallOptions::default());
            check_call(result.await, json, value);
        }
        2 => check_tools(&connection, json, value).await,
        3 => {
            let read = keys(connection.resources().await, |item| item.uri);
            check_list(read, "resources", "uri", value);
        }
        4 => {
            let read = keys(connection.resource_templates().await, |item| {
                item.uri_template
            });
            check_list(read, "resourceTemplates", "uriTemplate", value);
        }
        5 => {
            let read = keys(connection.prompts().await, |item| item.name);
            check_list(read, "prompts", "name", value);
        }
        6 => check_contents(&connection, json, value.as_ref()).await,
        _ => check_completion(&connection, value).await,
    }
    connection.close().await;
}

fn check_server(connection: &Connection, value: Option<&Value>) {
    let server = connection.server();
    let _ = (
        server.capabilities.declares("tools"),
        server.capabilities.list_changed("tools"),
    );
    let Some(value) = value else { return };
    if let Some(name) = value["serverInfo"]["name"].as_str() {
        assert_eq!(server.name.as_deref(), Some(name));
    }
    if server.era == Era::Initialize {
        assert_eq!(
            value["protocolVersion"].as_str(),
            Some(server.protocol_version.as_str())
        );
    }
    assert_eq!(
        server.instructions.as_deref(),
        value["instructions"].as_str()
    );
}

fn check_call(result: Result<CallResult, RequestError>, json: &str, value: Option<Value>) {
    let Ok(result) = result else { return };
    assert_eq!(result.raw(), json);
    let alone = CallResult::from_json(json).expect("it was taken from the server");
    assert_eq!(
        (alone.content(), alone.raw()),
        (result.content(), result.raw())
    );
    let Some(value) = value else { return };
    assert_eq!(result.is_error(), value["isError"] == true);
    let parts: Vec<Value> = result
        .parts()
        .iter()
        .filter_map(|part| serde_json::from_str(part.get()).ok())
        .collect();
    match &value["content"] {
        Value::Null => assert!(parts.is_empty()),
        Value::Array(content) => assert_eq!(&parts, content),
        other => assert_eq!(&parts, std::slice::from_ref(other)),
    }
    let structured = result
        .structured_content()
        .and_then(|json| serde_json::from_str::<Value>(json).ok());
    assert_eq!(structured.as_ref(), value.get("structuredContent"));
}

async fn check_tools(connection: &Connection, json: &str, value: Option<Value>) {
    let Ok(listing) = connection.tools().await else {
        return;
    };
    for tool in &listing.items {
        assert!(!tool.name.is_empty() && json.contains(tool.input_schema.get()));
        assert!(
            tool.other
                .iter()
                .all(|(_, value)| json.contains(value.get()))
        );
    }
    let names: Vec<_> = listing.items.iter().map(|tool| tool.name.clone()).collect();
    let Some(mut value) = value else { return };
    if let Some(tools) = value.get_mut("tools").and_then(Value::as_array_mut) {
        tools.retain(|tool| tool["inputSchema"].is_object() && tool["name"] != "");
    }
    check_list(
        Some((names, listing.problems)),
        "tools",
        "name",
        Some(value),
    );
}

fn keys<T>(listing: Result<Listing<T>, RequestError>, key: fn(T) -> String) -> Keys {
    let listing = listing.ok()?;
    let keys = listing.items.into_iter().map(key).collect();
    Some((keys, listing.problems))
}

/// The keys of the items are those of the objects that have one, each once, in their order. (A next page is the same page
/// again, so it adds nothing.)
fn check_list(read: Keys, member: &str, key: &str, value: Option<Value>) {
    let (Some((keys, problems)), Some(value)) = (read, value) else {
        return;
    };
    assert!(problems.len() <= 101 && problems.iter().all(|problem| !problem.path.is_empty()));
    let mut seen = HashSet::new();
    let items = value[member]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let expected = items.iter().filter_map(|item| item[key].as_str());
    let expected: Vec<_> = expected.filter(|key| seen.insert(*key)).collect();
    assert_eq!(keys, expected);
}

async fn check_contents(connection: &Connection, json: &str, value: Option<&Value>) {
    if let Ok(read) = connection.read_resource(URI).await {
        check_array(read.raw(), read.contents().len(), "contents", json, value);
    }
    if let Ok(read) = connection.get_prompt("p", None).await {
        check_array(read.raw(), read.messages().len(), "messages", json, value);
    }
}

fn check_array(raw: &str, count: usize, member: &str, json: &str, value: Option<&Value>) {
    assert_eq!(raw, json);
    if let Some(value) = value {
        assert_eq!(value[member].as_array().map(Vec::len), Some(count));
    }
}

async fn check_completion(connection: &Connection, value: Option<Value>) {
    let read = connection.complete(CompletionRef::Resource(URI), "a", "", None);
    if let (Ok(read), Some(value)) = (read.await, value) {
        assert_eq!(Value::from(read.values), value["completion"]["values"]);
    }
}
