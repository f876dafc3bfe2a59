//! Layers over each other, and what is kept of a file that got broken.

use mcp_config::{
    ConfigReader, Exposure, Layer, Locations, Outcome, Server, Transport, Trust, load,
};

use crate::support::{Files, assert_problems, layered, lines, states};

#[test]
fn a_later_layers_entry_replaces_the_earlier_one_as_a_whole() {
    let config = layered(
        "{\"mcpServers\": {\"a\": {\"command\": \"old\", \"env\": {\"K\": \"1\"}, \"enabled\": false}, \"b\": {\"command\": \"b\"}}}",
        "{\"mcpServers\": {\"c\": {\"command\": \"c\"}, \"a\": {\"command\": \"new\"}}}",
    );
    assert_eq!(states(&config), "a:ready b:ready c:ready");
    assert!(config.problems().is_empty());
    let a = config.get("a").and_then(Server::entry).unwrap();
    let Transport::Stdio(stdio) = a.transport() else {
        panic!("not stdio")
    };
    assert_eq!((stdio.command().as_str(), stdio.env().count()), ("new", 0));
    assert_eq!(a.origin().layer(), "project");
    assert_eq!(
        a.replaced()
            .iter()
            .map(mcp_config::Origin::layer)
            .collect::<Vec<_>>(),
        ["user"]
    );
}

#[test]
fn a_project_whose_file_is_the_users_is_no_layer_of_its_own() {
    let files = Files::new();
    let file = files.write("user.json", r#"{"mcpServers": {"a": {"command": "srv"}}}"#);
    let link = files.path("link.json");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for project in [&file, &link] {
        let layers = [Layer::user(&file), Layer::project(project)];
        let config = load(&layers);
        assert_eq!(states(&config), "a:ready");
        assert_eq!((config.sources().len(), config.pending().len()), (1, 0));
        assert!(config.problems().is_empty(), "{:?}", config.problems());
    }
    files.write("user.json", "{");
    let config = load(&[Layer::user(&file), Layer::project(&file)]);
    assert_eq!(config.problems().len(), 1, "a broken file is told of once");
}

#[test]
fn an_override_sets_its_members_and_keeps_the_rest() {
    let config = layered(
        r#"{"mcpServers": {"a": {"command": "srv", "env": {"K": "1"}, "exposure": "hidden", "toolExposure": {"x": "direct", "y": "direct"}}}}"#,
        r#"{"mcpServers": {"a": {"disabled": true, "toolExposure": {"z": "hidden"}}}}"#,
    );
    assert!(config.problems().is_empty(), "{:?}", config.problems());
    let a = config.get("a").and_then(Server::entry).unwrap();
    assert!(!a.is_enabled());
    assert_eq!(
        (a.exposure(), a.exposure_of("x")),
        (Exposure::Hidden, Exposure::Hidden),
        "toolExposure is replaced as a whole"
    );
    let (enabled, exposure, tools) = a.overridable();
    assert_eq!(
        (
            enabled.unwrap().origin().layer(),
            enabled.unwrap().shadowed()
        ),
        ("project", None)
    );
    assert_eq!(exposure.unwrap().origin().layer(), "user");
    assert_eq!(tools.unwrap().shadowed().unwrap().layer(), "user");
    assert_eq!((a.origin().layer(), a.replaced().len()), ("user", 0));
}

#[test]
fn three_layers_are_put_over_each_other_in_order() {
    let files = Files::new();
    let layer =
        |name: &str, text: &str| Layer::new(name, files.write(&format!("{name}.json"), text));
    let config = load(&[
        layer(
            "one",
            r#"{"mcpServers": {"a": {"command": "one"}, "b": {"command": "one"}}}"#,
        ),
        layer(
            "two",
            r#"{"mcpServers": {"a": {"enabled": false}, "b": {"command": "two"}}}"#,
        ),
        layer(
            "three",
            r#"{"mcpServers": {"a": {"enabled": true, "exposure": "hidden"}, "b": {"command": "three"}}}"#,
        ),
    ]);
    let a = config.get("a").and_then(Server::entry).unwrap();
    let (enabled, ..) = a.overridable();
    assert_eq!(
        (a.is_enabled(), enabled.unwrap().shadowed().unwrap().layer()),
        (true, "two")
    );
    let b = config.get("b").and_then(Server::entry).unwrap();
    assert_eq!(
        b.replaced()
            .iter()
            .map(mcp_config::Origin::layer)
            .collect::<Vec<_>>(),
        ["two", "one"]
    );
}

#[test]
fn an_override_without_a_base_is_a_problem_that_names_a_broken_file() {
    let config = layered("{}", r#"{"mcpServers": {"a": {"enabled": true}}}"#);
    assert_eq!(states(&config), "a:failed");
    assert_problems(
        "no base",
        config.problems(),
        &[&[
            "error mcpServers.a: there is no server of this name",
            "check the name",
        ]],
    );
    assert_eq!(config.problems()[0].line(), Some(1));

    let config = layered(
        "{\"mcpServers\": ",
        r#"{"mcpServers": {"a": {"enabled": true}}}"#,
    );
    assert_problems(
        "broken base",
        config.problems(),
        &[
            &["error -: the text ends inside"],
            &["mcpServers.a", "user.json, which could not be read"],
        ],
    );

    let config = layered(
        r#"{"mcpServers": {"a": {"command": 5}}}"#,
        r#"{"mcpServers": {"a": {"enabled": true}}}"#,
    );
    assert_eq!(states(&config), "a:failed");
    assert_problems(
        "failed base",
        config.problems(),
        &[&["mcpServers.a.command"]],
    );
}

#[test]
fn a_wrong_entry_fails_its_name_and_is_not_quietly_the_earlier_one() {
    let config = layered(
        r#"{"mcpServers": {"a": {"command": "srv"}}}"#,
        r#"{"mcpServers": {"a": {"comand": "x"}}}"#,
    );
    assert_eq!(states(&config), "a:failed");
    let config = layered(
        r#"{"mcpServers": {"a": {"comand": "x"}}}"#,
        r#"{"mcpServers": {"a": {"command": "srv"}}}"#,
    );
    assert_eq!(states(&config), "a:ready");
    assert_eq!(
        lines(config.problems()).len(),
        2,
        "what is wrong in the user's file is still told"
    );
    for project in [
        r#"{"enabled": "no"}"#,
        r#"{"exposure": "x"}"#,
        "{}",
        "null",
        r#"{"disabled": true, "enabled": true}"#,
    ] {
        let config = layered(
            r#"{"mcpServers": {"a": {"command": "srv"}}}"#,
            &format!(r#"{{"mcpServers": {{"a": {project}}}}}"#),
        );
        assert_eq!(
            (states(&config).as_str(), config.problems().len()),
            ("a:failed", 1),
            "{project}"
        );
    }
}

#[test]
fn an_entry_that_is_neither_whole_nor_an_override_lists_what_may_be_overridden() {
    for project in [
        r#"{"env": {"K": "9"}}"#,
        r#"{"enabled": true, "requestTimeoutMs": 5}"#,
        r#"{"type": "stdio", "enabled": false}"#,
        r#"{"type": "http", "headers": {"X-K": "v"}}"#,
    ] {
        let config = layered(
            r#"{"mcpServers": {"a": {"command": "srv"}}}"#,
            &format!(r#"{{"mcpServers": {{"a": {project}}}}}"#),
        );
        assert_eq!(states(&config), "a:failed");
        let expected: &[&str] = &[
            "error mcpServers.a: ",
            "may hold only enabled, disabled, exposure, toolExposure",
        ];
        assert_problems(project, config.problems(), &[expected]);
    }
}

/// One file through the states that it can have: its text, then the servers, the outcome, whether the last good
/// servers are kept, and how many problems there are.
#[test]
fn a_file_that_got_broken_keeps_its_last_good_servers_and_a_deleted_one_loses_them() {
    let good = r#"{"mcpServers": {"a": {"command": "srv"}}}"#;
    let mended = r#"{"mcpServers": {"b": {"command": "srv"}, "c": 5}}"#;
    let broken = "{\"mcpServers\": {";
    let steps = [
        (None, "", Outcome::Absent, false, 0),
        (Some(broken), "", Outcome::Broken, false, 1),
        (Some(good), "a:ready", Outcome::Loaded, false, 0),
        (Some(broken), "a:ready", Outcome::Broken, true, 2),
        (Some(broken), "a:ready", Outcome::Broken, true, 2),
        (
            Some("{\"servers\": {}}"),
            "a:ready",
            Outcome::Broken,
            true,
            2,
        ),
        (Some(mended), "b:ready c:failed", Outcome::Loaded, false, 1),
        (
            Some("nonsense"),
            "b:ready c:failed",
            Outcome::Broken,
            true,
            2,
        ),
        (None, "", Outcome::Absent, false, 0),
        (Some(broken), "", Outcome::Broken, false, 1),
        (Some(good), "a:ready", Outcome::Loaded, false, 0),
        (Some(""), "", Outcome::Empty, false, 0),
        (Some(broken), "", Outcome::Broken, false, 1),
    ];
    let files = Files::new();
    let path = files.path("user.json");
    let layers = [Layer::user(&path)];
    let mut reader = ConfigReader::new();
    for (step, (text, servers, outcome, kept, problems)) in steps.into_iter().enumerate() {
        match text {
            Some(text) => _ = files.write("user.json", text),
            None => _ = std::fs::remove_file(&path),
        }
        let config = reader.load(&layers);
        let source = &config.sources()[0];
        assert_eq!(states(&config), servers, "step {step}");
        assert_eq!(
            (source.outcome(), source.kept_last_good()),
            (outcome, kept),
            "step {step}"
        );
        assert_eq!(
            config.problems().len(),
            problems,
            "step {step}: {:?}",
            config.problems()
        );
    }
}

#[test]
fn an_unchanged_file_is_not_taken_apart_again_unless_the_layers_changed() {
    let files = Files::new();
    let layer =
        Layer::project(files.write("p.json", r#"{"mcpServers": {"a": {"command": "srv"}}}"#));
    let mut reader = ConfigReader::new();
    let first = reader.load(std::slice::from_ref(&layer));
    assert_eq!(states(&first), "a:awaiting");
    assert_eq!(
        states(&reader.load(std::slice::from_ref(&layer))),
        "a:awaiting"
    );
    let approved = layer.clone().approve([first.pending()[0].fingerprint()]);
    assert_eq!(states(&reader.load(&[approved])), "a:ready");
    assert_eq!(
        states(&reader.load(&[layer.clone(), Layer::user(files.path("absent.json"))])),
        "a:awaiting"
    );
    files.write(
        "absent.json",
        r#"{"mcpServers": {"b": {"command": "srv"}}}"#,
    );
    assert_eq!(
        states(&reader.load(&[layer, Layer::user(files.path("absent.json"))])),
        "a:awaiting b:ready"
    );
}

#[test]
fn an_unreadable_file_keeps_its_last_good_servers() {
    let files = Files::new();
    let path = files.write("user.json", r#"{"mcpServers": {"a": {"command": "srv"}}}"#);
    let layers = [Layer::user(&path)];
    let mut reader = ConfigReader::new();
    assert_eq!(states(&reader.load(&layers)), "a:ready");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let config = reader.load(&layers);
    assert_eq!(states(&config), "a:ready");
    assert_eq!(config.sources()[0].outcome(), Outcome::Unreadable);
    assert_problems(
        "directory",
        config.problems(),
        &[
            &["error -: the file is a directory"],
            &["warning -: the server that this file had before stays in use"],
        ],
    );
    std::fs::remove_dir(&path).unwrap();
    assert_eq!(states(&reader.load(&layers)), "");
}

#[test]
fn a_broken_layer_leaves_the_other_alone() {
    let good = r#"{"mcpServers": {"a": {"command": "srv"}}}"#;
    for broken in [
        "{",
        "[]",
        "\"x\"",
        "{\"servers\": {}}",
        "key: value",
        "\u{0}",
    ] {
        assert_eq!(states(&layered(broken, good)), "a:ready", "{broken}");
        assert_eq!(states(&layered(good, broken)), "a:ready", "{broken}");
    }
}

#[test]
fn files_are_found_by_convention() {
    let mut locations = Locations::new("/home/demo/.codework");
    assert_eq!(locations.layers().len(), 1);
    locations.user_config_dir = Some("/etc/demo".into());
    locations.project = Some("/srv/demo".into());
    let layers = locations.layers();
    let files: Vec<_> = layers
        .iter()
        .map(|layer| layer.file().display().to_string())
        .collect();
    assert_eq!(
        files,
        ["/etc/demo/mcp.json", "/srv/demo/.codework/mcp.json"]
    );
    assert_eq!(layers[1].trust(), Trust::Untrusted);
}
