//! Any text as a value of `env` and of a header: no panic, no literal text in what is shown, and a resolution that is
//! right for a text whose dollar signs are doubled.

use std::path::Path;

use mcp_config::{Environment, Origin, Outputs, ResolvedTransport, ServerEntry, Template};

pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let template = Template::new(text);
    let shown = format!("{template}{template:?}");
    assert!(template.variables().iter().all(|name| text.contains(name)));
    // The frame around the mask says nothing about the text.
    if !text.contains('$') && text.len() >= 8 && !"[SECRET]Template([SECRET])".contains(text) {
        assert!(!shown.contains(text), "{shown}");
    }
    let environment = Environment::new()
        .with("A", "1")
        .with("B", "")
        .with("C", "${A}");
    for (kind, member) in [
        ("\"command\": \"srv\", \"env\"", "A"),
        ("\"url\": \"http://h\", \"headers\"", "X-A"),
    ] {
        let value = serde_json::Value::from(text);
        let json = format!("{{{kind}: {{\"{member}\": {value}}}}}");
        let (entry, _) = ServerEntry::parse("a", &json, &Origin::plugin("fuzz"));
        if let Some(entry) = entry {
            let _ = entry.resolve(&environment, &Outputs::new(), Path::new("/"));
        }
    }
    let escaped = text.replace('$', "$$");
    let escaped = if escaped.starts_with('!') {
        format!("!{escaped}")
    } else {
        escaped
    };
    let json = format!(
        "{{\"command\": \"srv\", \"env\": {{\"A\": {}}}}}",
        serde_json::Value::from(escaped)
    );
    if let (Some(entry), _) = ServerEntry::parse("a", &json, &Origin::plugin("fuzz")) {
        let resolved = entry
            .resolve(&environment, &Outputs::new(), Path::new("/"))
            .expect("there is no reference");
        let ResolvedTransport::Stdio { env, .. } = resolved.transport else {
            unreachable!("a command means stdio")
        };
        assert_eq!(env[0].1.expose(), text);
    }
}
