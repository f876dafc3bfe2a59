//! How problems are printed.

use mcp_config::{Problem, RenderOptions, document, escape_json, escape_terminal, render};

use crate::support::user;

fn printed(text: &str) -> String {
    render(user(text).problems(), RenderOptions::default())
}

/// The report without the temporary file's directory.
fn without_directory(report: &str) -> String {
    let mut lines = String::new();
    for line in report.lines() {
        match (line.find("--> "), line.rfind('/')) {
            (Some(arrow), Some(slash)) => {
                lines.push_str(&line[..arrow + 4]);
                lines.push_str(&line[slash + 1..]);
            }
            _ => lines.push_str(line),
        }
        lines.push('\n');
    }
    lines
}

#[test]
fn problems_look_like_a_compilers_one_for_each_wrong_thing() {
    let report = printed(
        "{\n  // servers\n  \"mcpServers\": {\n    \"é\": { \"command\": \"npx -y pkg\", \"env\": { \"N\": 5, \"T\": \"tok-planted\" } },\n    \"b\": { \"comand\": \"x\" }\n  }\n}\n",
    );
    let expected = r#"error: `command` is the program alone, but this is a whole command line
 --> user.json:4:23
  |
4 |     "é": { "command": "npx -y pkg", "env": { "N": 5, "T": "***" } },
  |                       ^^^^^^^^^^^^ mcpServers.é.command
  |
  = help: write "command": "npx", "args": ["-y","pkg"]

error: expected a string, found a number
 --> user.json:4:51
  |
4 |     "é": { "command": "npx -y pkg", "env": { "N": 5, "T": "***" } },
  |                                                   ^ mcpServers.é.env.N
  |
  = help: write it in quotes: "N": "5"

error: the entry has neither `command` nor `url`
 --> user.json:5:5
  |
5 |     "b": { "comand": "***" }
  |     ^^^ mcpServers.b
  |
  = help: add `command` (a local server) or `url` (a remote one); `comand` has no effect

warning: unknown member `comand`, which has no effect
 --> user.json:5:12
  |
5 |     "b": { "comand": "***" }
  |            ^^^^^^^^ mcpServers.b.comand
  |
  = help: did you mean `command`?

"#;
    assert_eq!(without_directory(&report), expected);
}

#[test]
fn a_problem_without_a_line_names_its_file() {
    let problem = Problem::error("the file does not exist")
        .in_file("/x/mcp.json")
        .with_help("create it");
    assert_eq!(
        problem.to_string(),
        "/x/mcp.json: error: the file does not exist; create it"
    );
    let text = render(&[problem], RenderOptions::default());
    assert_eq!(
        text,
        "error: the file does not exist\n--> /x/mcp.json\n = help: create it\n\n"
    );
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let good = |name: &str| {
        format!(
            "\"{name}\": {{\"command\": \"srv\", \"cwd\": \"{}\"}}",
            "x".repeat(300)
        )
    };
    let text = format!(
        "{{\"mcpServers\": {{{}, \"bad\": 5, {}}}}}",
        good("a"),
        good("b")
    );
    let report = printed(&text);
    let longest = report
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap();
    assert!(longest < 220, "{longest}: {report}");
    assert!(report.contains("^ mcpServers.bad"), "{report}");
    let column = text.find("\"bad\": 5").unwrap() + 8;
    assert!(
        report.contains(&format!(":1:{column}")),
        "{column}: {report}"
    );
}

fn one_line_each(problems: &[Problem]) -> String {
    let lines = problems
        .iter()
        .map(|problem| format!("{problem}{problem:?}"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let name = "a\\u001b[31m\\u202e\\u009b2J\\nb";
    let config = user(format!(
        "{{\"mcpServers\": {{\"{name}\": {{\"args\": [], \"\\u001b]0;x\\u0007\": 1}}}}}}"
    ));
    for text in [
        render(config.problems(), RenderOptions::default()),
        one_line_each(config.problems()),
        mcp_config::explain(&config).to_string(),
        escape_json(&serde_json::to_string_pretty(&mcp_config::explain(&config)).unwrap())
            .into_owned(),
    ] {
        let bad = text
            .chars()
            .find(|c| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c));
        assert_eq!(bad, None, "{text}");
    }
    assert_eq!(
        escape_terminal("tab\tnul\0bell\u{7}"),
        "tab\\tnul\\u{0}bell\\u{7}"
    );
    let json = serde_json::to_string("\u{9b}\u{202e}\u{e0041}\u{1b}\n").unwrap();
    let escaped = escape_json(&json);
    assert!(escaped.is_ascii(), "{escaped}");
    assert_eq!(
        serde_json::from_str::<String>(&escaped).unwrap(),
        "\u{9b}\u{202e}\u{e0041}\u{1b}\n"
    );
}

#[test]
fn an_excerpt_of_raw_control_characters_is_safe_and_marked_right() {
    for (text, line, mark) in [
        ("[1 \u{9c}\u{1b}[2J 2]", "1 | [1 ��[2J 2]", "  |    ^^"),
        ("[1, \u{202e}'a' x]", "1 | [1, �'***' x]", "  |     ^"),
        ("['\u{9c}', x]", "1 | ['***', x]", "  |         ^"),
        ("{\u{7}: 1}", "1 | {�: 1}", "  |  ^"),
        ("[1]\u{200b}", "1 | [1]�", "  |    ^"),
    ] {
        let problems = document::parse("t", text.as_bytes()).problems;
        let report = render(&problems, RenderOptions::default());
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!((lines[3], lines[4]), (line, mark), "{text:?}\n{report}");
    }
}

#[test]
fn marks_end_at_characters() {
    for text in [
        "0xƢ",
        "[0xé, 1]",
        "'\\xé'",
        "'é\\u1é'",
        "{\"é\": \"\\ué\"}",
        "é",
        "{é é}",
        "1é",
    ] {
        let problems = document::parse("t", text.as_bytes()).problems;
        let report = render(&problems, RenderOptions::default());
        assert!(report.contains('^'), "{text}: {report}");
    }
}

#[test]
fn colours_are_used_only_on_request() {
    let problems = document::parse("t", b"{").problems;
    let plain = render(&problems, RenderOptions::default());
    let colour = render(
        &problems,
        RenderOptions {
            colour: true,
            ..RenderOptions::default()
        },
    );
    assert!(!plain.contains('\u{1b}') && colour.contains('\u{1b}'));
    assert_eq!(plain.lines().count(), colour.lines().count());
    assert!(!colour.contains(":::"));
}

#[test]
fn a_problem_serialises_with_all_its_members() {
    let parsed = document::parse("dir/t.json", b"{\n  \"a\": }");
    let json = serde_json::to_value(&parsed.problems[0]).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "severity": "error", "file": "dir/t.json", "line": 2, "column": 8, "path": null,
            "message": "expected a value, found `}`", "help": null,
        })
    );
}

#[test]
fn an_excerpt_of_a_broken_text_hides_what_may_be_a_credential() {
    for text in [
        "{\"mcpServers\": {\"a\": {\"env\": {\"TOKEN\": \"sk-planted\" \"X\": 1}}}}",
        "{\"TOKEN\": sk-planted}",
        "{\"TOKEN: \"sk-planted\"}",
        "{\"TOKEN\": \"sk-planted}",
        "{\"TOKEN\": 'sk-planted, \"b\": 1}",
        "{ // sk-planted\n \"a\": 1,, }",
        "{ /* sk-planted */ a b }",
        "{\"a\": \"sk-planted\\x\"}",
        "TOKEN=sk-planted",
        "env:\n  TOKEN: sk-planted",
        "{\"a\": [\"sk-planted\"}",
        "sk-planted",
        "{\"mcpServers\": {}} sk-planted",
        "{\"a\": 1 /* sk-planted",
    ] {
        let report = printed(text);
        assert!(!report.contains("planted"), "{text}\n{report}");
        assert!(report.contains("error: "), "{text}\n{report}");
    }
}
