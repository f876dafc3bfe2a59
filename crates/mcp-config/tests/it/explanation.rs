//! What `explain` shows: values, origins, what they shadow, and no credential.

use mcp_config::{Layer, Trust, explain, load};

use crate::support::Files;

const USER: &str = r#"{"mcpServers": {
  "a": {"command": "old"},
  "b": {"url": "https://user:pw@h.invalid/mcp?key=planted#frag", "headers": {"Authorization": "Bearer ${T}"}},
  "c": {"command": "srv", "args": ["--token", "planted", "x"], "env": {"LIT": "planted", "CMD": "!planted"}, "enabled": true}
}}"#;
const PROJECT: &str = r#"{"mcpServers": {
  "a": {"command": "new", "startTimeoutMs": 5},
  "c": {"enabled": false, "toolExposure": {"z": "direct", "a": "hidden"}},
  "d": {"args": []}
}}"#;

fn explained() -> (Files, serde_json::Value, String) {
    let files = Files::new();
    let config = load(&[
        Layer::user(files.write("user.json", USER)),
        Layer::project(files.write("project.json", PROJECT)).with_trust(Trust::Trusted),
    ]);
    let explanation = explain(&config);
    let json = serde_json::to_string(&explanation).unwrap();
    assert!(!json.contains("planted"), "{json}");
    let text = explanation.to_string();
    (files, serde_json::from_str(&json).unwrap(), text)
}

#[test]
fn the_json_form_shows_values_with_origins() {
    let (files, json, _) = explained();
    let servers = &json["servers"];
    let place = |file: &str, layer: &str, line: u32, column: u32| serde_json::json!({ "layer": layer, "file": files.path(file), "line": line, "column": column });
    assert_eq!(servers["a"]["state"], "valid");
    assert_eq!(servers["a"]["command"], "new");
    assert_eq!(
        servers["a"]["origin"],
        place("project.json", "project", 2, 3)
    );
    assert_eq!(
        servers["a"]["replaces"],
        serde_json::json!([place("user.json", "user", 2, 3)])
    );
    assert_eq!(servers["a"]["startTimeoutMs"], 5);
    assert_eq!(servers["b"]["type"], "http");
    assert_eq!(
        servers["b"]["url"],
        "https://[SECRET]@h.invalid/mcp?key=[SECRET]#[SECRET]"
    );
    assert_eq!(
        servers["b"]["headers"],
        serde_json::json!({ "Authorization": "Bearer ${T}" })
    );
    assert_eq!(servers["b"]["exposure"], "direct");
    assert_eq!(servers["b"]["direct"], true);
    assert_eq!(servers["c"]["state"], "disabled");
    assert_eq!(
        servers["c"]["args"],
        serde_json::json!(["--token", "[SECRET]", "x"])
    );
    assert_eq!(
        servers["c"]["env"],
        serde_json::json!({ "LIT": "[SECRET]", "CMD": "![SECRET]" })
    );
    let enabled = &servers["c"]["origins"]["enabled"];
    assert_eq!(
        (&enabled["layer"], &enabled["shadows"]["layer"]),
        (&"project".into(), &"user".into())
    );
    assert_eq!(servers["c"]["origins"]["args[1]"]["line"], 4);
    assert!(
        servers["c"]["origins"]["exposure"].is_null(),
        "a default has no origin"
    );
    assert_eq!(servers["d"]["state"], "failed");
    assert!(servers["d"]["error"].as_str().unwrap().contains("neither"));
    assert_eq!(json["problems"][0]["path"], "mcpServers.d");
    assert_eq!(json["layers"][0]["outcome"], "loaded");
}

#[test]
fn the_order_of_rules_is_kept() {
    let (_files, _, text) = explained();
    assert!(text.find("toolExposure.z").unwrap() < text.find("toolExposure.a").unwrap());
}

#[test]
fn the_text_form_is_for_people() {
    let (files, _, text) = explained();
    let text = text.replace(files.path("").to_str().unwrap(), "");
    let expected = r#"layers
  user: user.json (loaded)
  project: project.json (loaded)

servers
  a: valid (project:2:3)
    takes the place of user:2:3
    type = "stdio" (inferred)
    command = "new" (project:2:20)
    enabled = true (default)
    exposure = "direct" (default)
    startTimeoutMs = 5 (project:2:45)
  b: valid (user:3:3)
    type = "http" (inferred)
    url = "https://[SECRET]@h.invalid/mcp?key=[SECRET]#[SECRET]" (user:3:16)
    headers.Authorization = "Bearer ${T}" (user:3:95)
    enabled = true (default)
    exposure = "direct" (default)
  c: disabled (user:4:3)
    type = "stdio" (inferred)
    command = "srv" (user:4:20)
    args[0] = "--token" (user:4:36)
    args[1] = "[SECRET]" (user:4:47)
    args[2] = "x" (user:4:58)
    env.LIT = "[SECRET]" (user:4:79)
    env.CMD = "![SECRET]" (user:4:97)
    enabled = false (project:3:20, shadows user:4:121)
    exposure = "direct" (default)
    toolExposure.z = "direct" (project:3:43)
    toolExposure.a = "hidden" (project:3:43)
  d: failed (project:4:3)
    mcpServers.d: the entry has neither `command` nor `url`
"#;
    assert_eq!(text, expected);
}

#[test]
fn an_untrusted_entry_is_shown_as_waiting() {
    let files = Files::new();
    let layer = Layer::project(files.write(
        "project.json",
        r#"{"mcpServers": {"a": {"command": "srv"}}}"#,
    ));
    let config = load(&[layer]);
    let json = serde_json::to_value(explain(&config)).unwrap();
    let server = &json["servers"]["a"];
    assert_eq!(
        (&server["state"], &server["summary"]),
        (&"awaiting-approval".into(), &"runs srv".into())
    );
    assert_eq!(
        server["fingerprint"],
        config.pending()[0].fingerprint().to_string()
    );
}

#[test]
fn what_looks_like_a_credential_in_the_path_of_a_url_is_hidden() {
    for (url, shown) in [
        (
            "https://h.invalid/s/sk-planted-0123456/mcp",
            "https://h.invalid/s/[SECRET]/mcp",
        ),
        (
            "https://u@h.invalid/0a1b2c3d4e5f6a7b8c9d0e1f?x=planted",
            "https://[SECRET]@h.invalid/[SECRET]?x=[SECRET]",
        ),
        (
            "https://sk-live.docs-42.invalid/v1/mcp",
            "https://sk-live.docs-42.invalid/v1/mcp",
        ),
        (
            "https://h.invalid/a-rather-long-but-plain-name/",
            "https://h.invalid/a-rather-long-but-plain-name/",
        ),
    ] {
        let files = Files::new();
        let text = format!(r#"{{"mcpServers": {{"a": {{"url": "{url}"}}}}}}"#);
        let config = load(&[Layer::user(files.write("user.json", text))]);
        let json = serde_json::to_value(explain(&config)).unwrap();
        assert_eq!(json["servers"]["a"]["url"], shown);
    }
}
