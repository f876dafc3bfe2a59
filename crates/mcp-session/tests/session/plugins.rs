//! Plugins of the three domains, and hooks around calls.

use std::sync::{Arc, Mutex, OnceLock};

use mcp_session::{
    BeginError, BoxFuture, CallFailure, Domain, EditRefused, HookedCall, McpPlugin, Plugin,
    PluginError, PluginFailures, PluginTool, PromptBucket, PromptPlugin, Refusal, ServerBucket,
    ServerState, Session, ToolBucket, ToolHook, ToolPatch, ToolPlugin, ToolResult,
};
use serde_json::json;

use crate::support::{Fleet, Sandbox, names, reach};

/// A plugin of any domain from a closure.
struct Edit<F>(&'static str, F);

impl<F: Fn(&mut ServerBucket) -> Result<(), PluginError> + Send + Sync> McpPlugin for Edit<F> {
    fn name(&self) -> &str {
        self.0
    }
    fn edit(&self, servers: &mut ServerBucket) -> Result<(), PluginError> {
        self.1(servers)
    }
}

impl<F: Fn(&mut ToolBucket<'_>) -> Result<(), PluginError> + Send + Sync> ToolPlugin for Edit<F> {
    fn name(&self) -> &str {
        self.0
    }
    fn edit(&self, tools: &mut ToolBucket<'_>) -> Result<(), PluginError> {
        self.1(tools)
    }
}

impl<F: Fn(&mut PromptBucket<'_>) -> Result<(), PluginError> + Send + Sync> PromptPlugin
    for Edit<F>
{
    fn name(&self) -> &str {
        self.0
    }
    fn edit(&self, prompt: &mut PromptBucket<'_>) -> Result<(), PluginError> {
        self.1(prompt)
    }
}

fn mcp(name: &'static str, edit: fn(&mut ServerBucket) -> Result<(), PluginError>) -> Plugin {
    Plugin::mcp(Edit(name, edit))
}

fn tool(name: &'static str, edit: fn(&mut ToolBucket<'_>) -> Result<(), PluginError>) -> Plugin {
    Plugin::tool(Edit(name, edit))
}

fn prompt(
    name: &'static str,
    edit: fn(&mut PromptBucket<'_>) -> Result<(), PluginError>,
) -> Plugin {
    Plugin::prompt(Edit(name, edit))
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new(r#""files": {"command": "files"}, "web": {"command": "web"}"#);
    sandbox
        .fleet
        .tools("files", &["read", "write"])
        .tools("web", &["get"])
        .tools("added", &["x"]);
    sandbox
}

#[tokio::test(start_paused = true)]
async fn mcp_plugins_edit_the_servers_by_the_rules_of_the_file() {
    let sandbox = sandbox();
    let session = sandbox
        .builder()
        .plugin(mcp("edits", |servers| {
            assert_eq!(servers.names(), ["files", "web"]);
            servers.set("added", r#"{"command": "added"}"#)?;
            servers.update("files", r#"{"toolExposure": {"write": "hidden"}}"#)?;
            servers.remove("web")?;
            let refused = servers.set("bad", r#"{"args": []}"#);
            assert!(
                matches!(refused, Err(EditRefused::Invalid { .. })),
                "{refused:?}"
            );
            let refused = servers.update("files", r#"{"env": {"A": 1}}"#);
            assert!(refused.unwrap_err().to_string().contains("env"));
            assert!(matches!(
                servers.update("none", "{}"),
                Err(EditRefused::UnknownServer { .. })
            ));
            assert!(matches!(
                servers.update("files", "[]"),
                Err(EditRefused::NotAnObject { .. })
            ));
            assert_eq!(
                servers.names(),
                ["added", "files"],
                "a refused edit changes nothing"
            );
            Ok(())
        }))
        .plugin(mcp("sees the edits before it", |servers| {
            assert_eq!(servers.names(), ["added", "files"]);
            servers.update("files", r#"{"disabled": true}"#)?;
            servers.update("files", r#"{"disabled": null}"#)?;
            Ok(())
        }))
        .build();
    for _ in 0..2 {
        let exchange = session.begin_exchange().await.unwrap();
        assert_eq!(names(&exchange), ["mcp__added__x", "mcp__files__read"]);
        assert_eq!(
            exchange.settled().names().collect::<Vec<_>>(),
            ["added", "files"]
        );
    }
    assert_eq!(
        sandbox.fleet.attempts("files"),
        1,
        "the same edits restart nothing"
    );
    session.close().await;
}

fn edit_tools(tools: &mut ToolBucket<'_>) -> Result<(), PluginError> {
    assert_eq!(
        tools
            .iter()
            .map(|tool| tool.raw_name.to_owned())
            .collect::<Vec<_>>(),
        ["read", "write", "get"]
    );
    assert!(tools.settled().get("files").is_some());
    let schema = r#"{"type": "object",  "required": ["path"]}"#;
    tools.patch(
        "mcp__files__read",
        &ToolPatch::new()
            .description("Reads.")
            .input_schema(schema)
            .annotations(r#"{"readOnlyHint": true}"#),
    )?;
    tools.remove("mcp__files__write")?;
    let own = |name: &str| {
        PluginTool::new(
            name,
            r#"{"type":"object","properties":{"a":{"type":"string"}}}"#,
            answer as fn(&_) -> _,
        )
    };
    tools.add(own("notes").description("Takes notes."))?;
    tools.replace("mcp__web__get", &own("get"))?;
    for (name, schema) in [
        ("mcp__x__y", "{}"),
        ("", "{}"),
        ("with space", "{}"),
        ("notes", "{}"),
        ("x", "{"),
        ("x", r#"{"type":"array"}"#),
    ] {
        let refused = tools.add(PluginTool::new(name, schema, answer as fn(&_) -> _));
        assert!(refused.is_err(), "{name} {schema}");
    }
    assert!(tools.remove("mcp__none").is_err());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn tool_plugins_add_patch_replace_and_remove() {
    let sandbox = sandbox();
    let session = sandbox.builder().plugin(tool("edits", edit_tools)).build();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(
        names(&exchange),
        ["mcp__files__read", "mcp__web__get", "notes"]
    );
    let read = &exchange.tools()[0];
    assert_eq!(read.description(), Some("Reads."));
    assert_eq!(
        read.annotations().map(serde_json::value::RawValue::get),
        Some(r#"{"readOnlyHint": true}"#)
    );
    assert_eq!(
        read.input_schema().get(),
        r#"{"type": "object",  "required": ["path"]}"#
    );
    assert_eq!(
        serde_json::to_value(&exchange.tools()[2]).unwrap()["plugin"],
        json!("edits")
    );
    assert_eq!(
        exchange.call("mcp__files__read", "{}").await.failure,
        Some(CallFailure::RefusedArguments)
    );
    assert_eq!(
        exchange
            .call("mcp__files__read", r#"{"path":"a"}"#)
            .await
            .text(),
        r#"{"path":"a"}"#
    );
    // A plugin's own tool has the same clean-up and checks.
    assert_eq!(
        exchange.call("notes", r#"{"a": null}"#).await.text(),
        "plugin got {}"
    );
    assert_eq!(
        exchange.call("notes", r#"{"a": 1}"#).await.failure,
        Some(CallFailure::RefusedArguments)
    );
    assert_eq!(
        exchange.call("mcp__web__get", "{}").await.text(),
        "plugin got {}"
    );
    let removed = exchange.call("mcp__files__write", "{}").await;
    assert_eq!(removed.failure, Some(CallFailure::HiddenTool));
    assert!(removed.text().contains("by a plugin"), "{}", removed.text());
    assert!(sandbox.fleet.calls("web").is_empty());
    session.close().await;
}

fn answer(arguments: &serde_json::value::RawValue) -> BoxFuture<'static, ToolResult> {
    let text = format!("plugin got {arguments}");
    Box::pin(async move { ToolResult::ok(text) })
}

/// Writes down what happens; refuses calls that carry `no`.
struct Recorder(&'static str, Arc<Mutex<Vec<String>>>);

impl ToolHook for Recorder {
    fn before<'a>(&'a self, call: HookedCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(async move {
            self.1.lock().unwrap().push(format!(
                "{} before {} {}",
                self.0, call.raw_name, call.arguments
            ));
            if call.arguments.get().contains("no") {
                Err(Refusal::new("not today"))
            } else {
                Ok(())
            }
        })
    }

    fn after<'a>(&'a self, call: HookedCall<'a>, result: &'a mut ToolResult) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            self.1
                .lock()
                .unwrap()
                .push(format!("{} after {}", self.0, call.name));
            *result = ToolResult::ok(format!("{} ({})", result.text(), self.0));
        })
    }
}

#[tokio::test(start_paused = true)]
async fn hooks_see_checked_arguments_may_refuse_and_may_change_the_result() {
    let sandbox = sandbox();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let hooks: [Arc<dyn ToolHook>; 2] = [
        Arc::new(Recorder("outer", seen.clone())),
        Arc::new(Recorder("inner", seen.clone())),
    ];
    let edit = move |tools: &mut ToolBucket<'_>| {
        for hook in &hooks {
            tools.hook("mcp__files__read", Arc::clone(hook))?;
        }
        Ok(())
    };
    let session = sandbox
        .builder()
        .plugin(Plugin::tool(Edit("hooks", edit)))
        .build();
    let exchange = session.begin_exchange().await.unwrap();
    let result = exchange.call("mcp__files__read", r#"{"a":1}"#).await;
    assert_eq!(result.text(), r#"{"a":1} (inner) (outer)"#);
    let refused = exchange.call("mcp__files__read", r#"{"a":"no"}"#).await;
    assert_eq!(
        (refused.failure, refused.text().as_str()),
        (Some(CallFailure::RefusedByPlugin), "not today")
    );
    assert_eq!(sandbox.fleet.calls("files").len(), 1);
    assert_eq!(
        *seen.lock().unwrap(),
        [
            r#"outer before read {"a":1}"#,
            r#"inner before read {"a":1}"#,
            "inner after mcp__files__read",
            "outer after mcp__files__read",
            r#"outer before read {"a":"no"}"#,
        ]
    );
    session.close().await;
}

/// Changes the tool while the host looks at a call: the server crashes, and comes back with another
/// schema.
struct Upgrade {
    session: Arc<OnceLock<Session>>,
    fleet: Fleet,
    schema: serde_json::Value,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ToolHook for Upgrade {
    fn before<'a>(&'a self, call: HookedCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(async move {
            self.asked.lock().unwrap().push(call.arguments.to_string());
            let tool = json!({"name": "read", "inputSchema": self.schema});
            self.fleet.raw_tools("files", vec![tool]);
            self.fleet.crash("files");
            reach(self.session.get().unwrap(), "files", ServerState::Dropped).await;
            Ok(())
        })
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_hook_let_through_is_what_is_sent_or_nothing_is() {
    let before = json!({"type": "object", "properties": {"limit": {"type": ["integer", "null"]}}});
    let drops_null = json!({"type": "object", "properties": {"limit": {"type": "integer"}}});
    let needs_more = json!({"type": "object", "required": ["path"]});
    let reworded = json!({"type": "object", "description": "Reads."});
    // The newer schema; what becomes of the call; what reaches the server.
    for (schema, failure, sent) in [
        (reworded, None, Some(json!({"limit": null}))),
        // Without hooks the null would be dropped and the rest sent.
        (drops_null, Some(CallFailure::Changed), None),
        (needs_more, Some(CallFailure::Changed), None),
    ] {
        let sandbox = Sandbox::new(r#""files": {"command": "files"}"#);
        let tool = json!({"name": "read", "inputSchema": before});
        sandbox.fleet.raw_tools("files", vec![tool]);
        let (own, asked) = (Arc::<OnceLock<Session>>::default(), Arc::default());
        let hook: Arc<dyn ToolHook> = Arc::new(Upgrade {
            session: Arc::clone(&own),
            fleet: sandbox.fleet.clone(),
            schema: schema.clone(),
            asked: Arc::clone(&asked),
        });
        let edit = move |tools: &mut ToolBucket<'_>| {
            Ok(tools.hook("mcp__files__read", Arc::clone(&hook))?)
        };
        let plugin = Plugin::tool(Edit("upgrade", edit));
        let session = sandbox.builder().plugin(plugin).build();
        own.set(session.clone()).unwrap();
        let exchange = session.begin_exchange().await.unwrap();
        let result = exchange
            .call("mcp__files__read", r#"{"limit": null}"#)
            .await;
        assert_eq!(result.failure, failure, "{schema}: {}", result.text());
        let calls = sandbox.fleet.calls("files");
        let arguments = calls.into_iter().map(|(_, _, arguments)| arguments).next();
        assert_eq!(arguments, sent, "{schema}");
        assert_eq!(
            *asked.lock().unwrap(),
            [r#"{"limit": null}"#],
            "a hook is asked once a call"
        );
        drop(exchange);
        session.close().await;
    }
}

#[tokio::test(start_paused = true)]
async fn domains_run_in_order_and_the_prompt_sees_the_tools() {
    let sandbox = sandbox();
    let session = sandbox
        .builder()
        .plugin(prompt("first", |prompt| {
            let tools: Vec<&str> = prompt
                .tools()
                .iter()
                .map(mcp_session::ToolDefinition::name)
                .collect();
            let text = format!(
                "{} of {}",
                tools.join(", "),
                prompt.settled().names().count()
            );
            prompt.set(text);
            Ok(())
        }))
        .plugin(prompt("second", |prompt| {
            prompt.extend("Be brief.");
            Ok(())
        }))
        .plugin(tool(
            "tools",
            |tools| Ok(tools.remove("mcp__files__write")?),
        ))
        .plugin(mcp("mcp", |servers| Ok(servers.remove("web")?)))
        .build();
    let exchange = session.begin_exchange().await.unwrap();
    assert_eq!(exchange.prompt(), "mcp__files__read of 1\n\nBe brief.");
    session.close().await;
}

fn broken_plugins() -> [(Domain, Plugin); 3] {
    [
        (
            Domain::Mcp,
            mcp("broken", |servers| {
                servers.remove("web")?;
                Err("no luck".into())
            }),
        ),
        (
            Domain::Tool,
            tool("broken", |tools| {
                tools.remove("mcp__files__read")?;
                Err("no luck".into())
            }),
        ),
        (
            Domain::Prompt,
            prompt("broken", |prompt| {
                prompt.set("half done");
                Err("no luck".into())
            }),
        ),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_failing_plugin_is_named_and_fails_the_exchange_unless_the_host_skips_it() {
    for (domain, plugin) in broken_plugins() {
        let sandbox = sandbox();
        let session = sandbox.builder().plugin(plugin.clone()).build();
        match session.begin_exchange().await {
            Err(BeginError::Plugin {
                name,
                domain: failed,
                source,
            }) => {
                assert_eq!(
                    (name.as_str(), failed, source.to_string().as_str()),
                    ("broken", domain, "no luck")
                );
            }
            other => panic!("{other:?}"),
        }
        assert!(
            matches!(
                session.begin_exchange().await,
                Err(BeginError::Plugin { .. })
            ),
            "no exchange is left open"
        );
        assert!(session.problems().is_empty());
        session.close().await;

        let session = sandbox
            .builder()
            .plugin(plugin)
            .plugin_failures(PluginFailures::Skip)
            .build();
        let exchange = session.begin_exchange().await.unwrap();
        assert_eq!(
            (names(&exchange).len(), exchange.prompt()),
            (3, ""),
            "its edits are left out"
        );
        let problem = exchange.problems()[0].to_string();
        assert!(
            problem.contains("\"broken\"") && problem.contains("no luck"),
            "{problem}"
        );
        session.close().await;
    }
}
