//! The HTML report, as text and in a real browser.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests fail by panicking and tell what they skip; CI says by a variable that it has a browser"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{Own, PLAIN};

/// A scenario that fails, of two servers that say whatever could become markup, a link or a script.
const HOSTILE: &str = r#"{ title: "A <script>alert(1)</script> title", proves: "p & 'q'", secrets: ["tok-123456"],
    servers: {
        it: { tools: [{ name: "a", description: "<img src=http://127.0.0.1:9/x onerror=alert(1)>", inputSchema: {} }],
            calls: { a: { text: "</pre></svg><script>alert(2)</script>\u001b[2J\u202e tok-123456" } },
            rules: [{ when: "start", do: [{ stderr: "</pre><style>@import 'http://127.0.0.1:9/y'</style> tok-123456\n" }] }] },
        other: { tools: [{ name: "b", inputSchema: { type: "object", "</title>": "javascript:alert(3)" } }] } },
    files: { user: { mcpServers: { "it": { command: "$FIXTURE", args: ["it"], exposure: "direct" },
        "<b>other</b>": { command: "$FIXTURE", args: ["other"] } } } },
    exchanges: [{ user: "Do <b>it</b>.", moves: [
        { call: { tool: "mcp__it__a", arguments: { "<i>": "\"'&" }, expect: { contains: "something else" } } },
        { say: "<u>Done</u>." }] }] }"#;

/// A page of a run with scenarios that pass, fail and differ.
fn page() -> (Own, PathBuf) {
    let own = Own::new(&[("differs", PLAIN), ("hostile", HOSTILE), ("right", PLAIN)]);
    own.run("run", &["s/right", "--accept"]).says(0, &[]);
    own.write("artifacts/s/differs.json", "{\n  \"title\": \"<s>\"\n}\n");
    own.run("run", &["--report", "html=report.html"])
        .says(1, &["2 passed, 2 failed"]);
    let file = own.path("report.html");
    (own, file)
}

#[test]
fn the_report_shows_each_scenario_and_escapes_what_came_from_outside() {
    let (own, _) = page();
    let text = own.read("report.html");
    for part in [
        "<title>Scenarios: 2 failed</title>",
        "default-src 'none'; style-src 'unsafe-inline'",
        "s/differs",
        "s/right",
        "library/no-strays",
        "tools/call a",
        "A &lt;script&gt;alert(1)&lt;/script&gt; title",
        "brought back no",
        "<ins>+",
        "<del>-",
        "&lt;b&gt;other&lt;/b&gt;",
    ] {
        assert!(text.contains(part), "{part:?} is missing");
    }
    let failed = text.find("s/hostile").expect("it is there");
    let passed = text.find("s/right").expect("it is there");
    assert!(failed < passed, "what failed stands first");
    for part in [
        "<script",
        "<img",
        "<b>",
        "<i>",
        "tok-123456",
        "\u{1b}",
        "\u{202e}",
    ] {
        assert!(!text.contains(part), "{part:?} stands in the page");
    }
    assert_eq!(text.matches("<style>").count(), 1);
    let folder = own.path("").display().to_string();
    assert!(
        !text.contains("/tmp/mcp-harness-"),
        "a sandbox's path is replaced"
    );
    assert!(
        !text.contains(&folder),
        "the page names no folder of this machine"
    );
}

#[test]
fn a_browser_shows_the_report_without_an_error_and_without_asking_anybody() {
    let Some(browser) = Browser::find() else {
        return;
    };
    let (own, file) = page();
    let shown = browser.open(&own, &file);
    assert_eq!(shown.console, Vec::<String>::new());
    assert_eq!(shown.requests, Vec::<String>::new());
    assert_eq!(shown.document.matches("<svg class=\"sequence\"").count(), 3);
    assert_eq!(shown.document.matches("class=\"scenario ").count(), 4);
    assert!(shown.picture.starts_with(b"\x89PNG"), "it is drawn");

    // What is looked for would be seen: the same page without its policy, and with something to load.
    let text = own.read("report.html");
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    let loose = text.replace(policy, "").replace(
        "<main>",
        "<main><img src=\"http://127.0.0.1:9/asked\"><script>console.log('ran')</script>",
    );
    own.write("loose.html", &loose);
    let shown = browser.open(&own, &own.path("loose.html"));
    assert_eq!(shown.requests, ["http://127.0.0.1:9/asked"]);
    assert!(
        shown.console.iter().any(|line| line.contains("ran")),
        "{:?}",
        shown.console
    );
}

/// Chromium, without a window.
struct Browser(PathBuf);

/// What a browser made of a page.
struct Shown {
    document: String,
    picture: Vec<u8>,
    /// What stands on the console.
    console: Vec<String>,
    /// What the page asked for; the browser's own requests are not the page's.
    requests: Vec<String>,
}

impl Browser {
    /// The browser of this machine. Where there is none the test is skipped, unless CI says that there must be one.
    fn find() -> Option<Browser> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path)
            .flat_map(|folder| names.map(|name| folder.join(name)))
            .find(|file| file.is_file());
        if found.is_none() {
            let needed = std::env::var_os("MCP_REQUIRE_CHROMIUM").is_some();
            assert!(
                !needed,
                "MCP_REQUIRE_CHROMIUM is set, and there is no chromium"
            );
            println!("skipped: no chromium");
        }
        found.map(Browser)
    }

    fn open(&self, own: &Own, page: &Path) -> Shown {
        let url = format!("file://{}", page.display());
        let log = own.path("net-log.json");
        let log_option = format!("--log-net-log={}", log.display());
        let document = self.run(own, &["--dump-dom", &log_option, &url]);
        let picture = own.path("page.png");
        let picture_option = format!("--screenshot={}", picture.display());
        self.run(own, &[&picture_option, "--window-size=1200,1600", &url]);
        let console = document.1.lines().filter(|line| line.contains(":CONSOLE"));
        Shown {
            console: console.map(str::to_owned).collect(),
            requests: requests(&fs::read_to_string(log).expect("the browser logs its requests")),
            picture: fs::read(picture).expect("the browser makes a picture"),
            document: document.0,
        }
    }

    /// What the browser writes to its output and to its errors.
    fn run(&self, own: &Own, arguments: &[&str]) -> (String, String) {
        let profile = tempfile::tempdir_in(own.path("")).expect("a folder can be made");
        let output = Command::new(&self.0)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args([
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--enable-logging=stderr",
                "--v=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(arguments)
            .output()
            .expect("the browser can be started");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{err}");
        (out, err)
    }
}

/// The URLs that a page asked for; the browser's own requests have no origin.
fn requests(log: &str) -> Vec<String> {
    let log: Value = serde_json::from_str(log).expect("the log is JSON");
    let events = log["events"].as_array().expect("it has events");
    let params = events.iter().map(|event| &event["params"]);
    let of_page = params.filter(|params| {
        let initiator = params["initiator"].as_str();
        initiator.is_some_and(|origin| origin != "not an origin")
    });
    of_page
        .map(|params| params["url"].as_str().unwrap_or_default().to_owned())
        .collect()
}
