//! `mcp-harness review`, as a person at a terminal meets it.

mod support;

use support::{Own, PLAIN};

#[test]
fn each_difference_is_shown_and_accepted_or_skipped() {
    let own = Own::new(&[("missing", PLAIN), ("other", PLAIN), ("right", PLAIN)]);
    own.run("run", &["s/right", "--accept"]).says(0, &[]);
    own.write("artifacts/s/other.json", "{}\n");
    let Some(mut terminal) = own.on_terminal("review", &[]) else {
        return;
    };
    terminal
        .shows("s/missing (1 of 2)")
        .shows("That it connects.")
        .shows("is missing")
        .shows("uit");
    terminal.press("xa").shows("accepted");
    terminal.shows("s/other (2 of 2)").shows("@@ ").shows("uit");
    terminal.press("s");
    terminal
        .end()
        .says(1, &["skipped", "1 accepted, 1 skipped, 0 failed otherwise"]);
    assert_eq!(own.read("artifacts/s/other.json"), "{}\n");
    own.run("run", &["s/missing", "--exact"])
        .says(0, &["PASS   s/missing"]);
}

#[test]
fn all_accepted_is_a_success_and_a_filter_limits_what_is_asked() {
    let own = Own::new(&[("one", PLAIN), ("two", PLAIN)]);
    let Some(mut terminal) = own.on_terminal("review", &["s/two", "--exact"]) else {
        return;
    };
    terminal.shows("s/two (1 of 1)").shows("uit").press("a");
    terminal.end().says(0, &["1 accepted, 0 skipped"]);
    assert!(!own.path("artifacts/s/one.json").exists());
}

#[test]
fn quitting_leaves_the_rest_as_it_is() {
    let own = Own::new(&[("one", PLAIN), ("two", PLAIN)]);
    let Some(mut terminal) = own.on_terminal("review", &[]) else {
        return;
    };
    terminal.shows("uit").press("q");
    terminal.end().says(1, &["0 accepted, 2 skipped"]);
    assert!(!own.path("artifacts").exists(), "nothing is written");
}

#[test]
fn an_interrupt_ends_it_with_the_code_of_an_interrupt() {
    let own = Own::new(&[("one", PLAIN)]);
    let Some(mut terminal) = own.on_terminal("review", &[]) else {
        return;
    };
    terminal.shows("uit").press("\u{3}");
    assert_eq!(terminal.end().code, 130);
}

#[test]
fn what_cannot_be_accepted_is_told_and_not_asked_about() {
    let own = Own::new(&[
        ("broken", "{ titel: 't' }"),
        (
            "secret",
            "{ title: 't', proves: 'p', secrets: ['tok-123456'],
               servers: { it: { tools: [{ name: 'a', inputSchema: {} }], calls: { a: { text: 'tok-123456' } } } },
               client: [{ connect: { server: 'it' } }, { call: { tool: 'a' } }, 'close'] }",
        ),
    ]);
    let Some(terminal) = own.on_terminal("review", &[]) else {
        return;
    };
    let ran = terminal.end();
    ran.says(
        1,
        &[
            "s/broken: ",
            "unknown member `titel`",
            "s/secret: a secret stands in the artifact",
            "0 accepted, 0 skipped, 2 failed otherwise",
        ],
    );
}

#[test]
fn without_a_terminal_it_refuses_and_says_what_to_do_instead() {
    let own = Own::new(&[("one", PLAIN)]);
    own.run("review", &[]).says(
        2,
        &[
            "needs a terminal",
            "run --scenarios scenarios --artifacts artifacts NAME --exact --accept",
        ],
    );
}

#[test]
fn the_built_in_artifacts_cannot_be_reviewed() {
    let own = Own::new(&[]);
    let output = std::process::Command::new(support::BINARY)
        .arg("review")
        .current_dir(own.path(""))
        .output();
    let output = output.expect("the command can be started");
    let message = String::from_utf8(output.stderr).expect("the message is text");
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("run this in a clone"), "{message}");
}
