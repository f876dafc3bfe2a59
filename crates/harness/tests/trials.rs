//! Trials that must fail: each mistake is found, and the message says what to do.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mcp_harness::library::Library;
use mcp_harness::sandbox::Fixture;
use mcp_harness::terminal::Style;
use mcp_harness::trial::{Mode, Outcome, Progress, Setup, run, trials};
use tempfile::TempDir;

/// A folder with one scenario, and how its trials are run.
struct Case {
    folder: TempDir,
    setup: Setup,
}

impl Case {
    fn new(scenario: &str) -> Case {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let library = Library::folders(
            folder.path().join("scenarios"),
            folder.path().join("artifacts"),
        );
        let fixture = Fixture::new(Path::new(env!("CARGO_BIN_EXE_mcp-harness")))
            .expect("the launcher can be written");
        let case = Case {
            folder,
            setup: Setup::new(library, fixture),
        };
        case.write("scenarios/suite/case.json5", scenario);
        case
    }

    /// A scenario of client moves on one server.
    fn client(script: &str, moves: &str) -> Case {
        Case::new(&format!(
            "{{ title: 't', proves: 'p', servers: {{ it: {{ {script} }} }},\n\
             client: [{{ connect: {{ server: 'it' }} }}, {moves}] }}"
        ))
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }

    fn outcome(&self, name: &str) -> Outcome {
        let found = trials(&self.setup.library).expect("the library can be read");
        let trial = found
            .iter()
            .find(|trial| trial.name() == name)
            .expect("there is such a trial");
        trial.run(&self.setup).outcome
    }

    /// What the failure of the scenario says.
    fn failure(&self) -> String {
        self.failure_of("suite/case")
    }

    fn failure_of(&self, name: &str) -> String {
        match self.outcome(name) {
            Outcome::Failed(failure) => failure.render(Style::Plain),
            other => panic!("{other:?}"),
        }
    }

    fn accept(&mut self) {
        self.setup.mode = Mode::Accept;
        assert_eq!(self.outcome("suite/case"), Outcome::Accepted);
        self.setup.mode = Mode::Verify;
    }
}

fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn a_missing_artifact_fails_with_the_command_that_accepts_it() {
    let mut case = Case::client("tools: []", "'close'");
    let failure = case.failure();
    assert_says(
        &failure,
        &[
            "there is no accepted artifact",
            "artifacts/suite/case.json is missing",
            "+  \"title\": \"t\"",
            "suite/case --exact --accept",
        ],
    );
    case.accept();
    assert_eq!(case.outcome("suite/case"), Outcome::Passed);
}

#[test]
fn a_differing_artifact_fails_with_a_unified_diff() {
    let mut case = Case::client("tools: []", "'close'");
    case.accept();
    let accepted =
        fs::read_to_string(case.path("artifacts/suite/case.json")).expect("it was written");
    case.write(
        "artifacts/suite/case.json",
        &accepted.replace("\"ended\": \"exited\"", "\"ended\": \"killed\""),
    );
    let failure = case.failure();
    assert_says(
        &failure,
        &[
            "what happened differs from",
            "--- ",
            "+++ ",
            "@@ ",
            "-        \"ended\": \"killed\"",
            "+        \"ended\": \"exited\"",
            "suite/case --exact --accept",
        ],
    );
}

#[test]
fn an_artifact_is_canonical_json_with_a_final_newline() {
    let mut case = Case::client("tools: []", "'close'");
    case.accept();
    let text = fs::read_to_string(case.path("artifacts/suite/case.json")).expect("it was written");
    assert!(
        text.starts_with("{\n  \"title\": \"t\",\n") && text.ends_with("}\n"),
        "{text}"
    );
    assert!(
        !text.contains(env!("CARGO_PKG_VERSION")),
        "our version number stands in it:\n{text}"
    );
}

#[test]
fn files_that_belong_to_nothing_fail_in_a_trial_of_their_own() {
    let mut case = Case::client("tools: []", "'close'");
    case.accept();
    assert_eq!(case.outcome("library/no-strays"), Outcome::Passed);
    case.write("artifacts/suite/renamed.json", "{}\n");
    case.write("scenarios/suite/forgotten.json", "{}\n");
    let reason = case.failure_of("library/no-strays");
    assert_says(
        &reason,
        &[
            "artifacts/suite/renamed.json: an artifact without a scenario",
            "scenarios/suite/forgotten.json: not a scenario",
        ],
    );
}

#[test]
fn files_beside_the_suites_or_below_them_are_strays_with_their_place() {
    let mut case = Case::client("tools: []", "'close'");
    case.accept();
    case.write("scenarios/scenario.schema.json", "{}\n");
    case.write("artifacts/README.md", "How to read them.\n");
    assert_eq!(case.outcome("library/no-strays"), Outcome::Passed);
    case.write("scenarios/above.json5", "{}\n");
    case.write("scenarios/suite/deep/below.json5", "{}\n");
    case.write("artifacts/above.json", "{}\n");
    let belongs = |folder: &str, name: &str| {
        format!(
            "it belongs at {}",
            case.path(folder).join("<suite>").join(name).display()
        )
    };
    assert_says(
        &case.failure_of("library/no-strays"),
        &[
            "scenarios/above.json5: a scenario in no suite",
            "scenarios/suite/deep: a folder in a suite",
            &belongs("scenarios", "NAME.json5"),
            "artifacts/above.json: an artifact in no suite",
            &belongs("artifacts", "NAME.json"),
        ],
    );
}

#[test]
fn a_library_without_a_scenario_is_an_error() {
    let case = Case::client("tools: []", "'close'");
    let refused = |scenarios: &Path| {
        let library = Library::folders(scenarios, case.path("artifacts"));
        trials(&library).expect_err("it is refused").to_string()
    };
    let suite = case.path("scenarios/suite");
    assert_says(
        &refused(&suite),
        &[
            &format!("there is no scenario in {}", suite.display()),
            "suite/<suite>/NAME.json5; case.json5 lies directly in it",
            &format!("--scenarios {}", case.path("scenarios").display()),
        ],
    );
    fs::create_dir_all(case.path("empty/suite")).expect("a folder can be made");
    let empty = refused(&case.path("empty"));
    assert!(empty.ends_with("empty/<suite>/NAME.json5"), "{empty}");
}

#[test]
fn a_leaked_process_fails_and_is_ended() {
    let case = Case::client(
        "tools: [], rules: [{ when: 'start', do: [{ spawn: { name: 'child', ignore: ['SIGTERM'], group: 'own' } }] }]",
        "'close'",
    );
    let failure = case.failure();
    assert_says(
        &failure,
        &["a process was left running (and is killed now): process "],
    );
    let pid = failure
        .split("process ")
        .nth(2)
        .and_then(|rest| rest.split(':').next());
    let pid = pid.expect("the process is named");
    // A killed process takes a moment to go; what is left of it then has no command line.
    let begun = std::time::Instant::now();
    while fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty()) {
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "process {pid} lives on"
        );
    }
}

#[test]
fn a_secret_in_the_artifact_fails_with_its_place() {
    let case = Case::new(
        "{ title: 't', proves: 'p', secrets: ['tok-123456'], servers: { it: { tools: [{ name: 'a', inputSchema: {} }],\n\
         calls: { a: { text: 'the key is tok-123456' } } } },\n\
         client: [{ connect: { server: 'it' } }, { call: { tool: 'a' } }, 'close'] }",
    );
    assert_says(
        &case.failure(),
        &[
            "a secret stands in the artifact, at /client/1/result/content/0/text",
            "name that place in `redact`",
        ],
    );
}

#[test]
fn a_secret_that_a_server_was_given_is_masked_in_its_journal() {
    let mut case = Case::new(
        "{ title: 't', proves: 'p', secrets: ['tok-123456'], servers: { it: { tools: [{ name: 'a', inputSchema: {} }],\n\
         calls: { a: { text: 'thanks' } } } },\n\
         client: [{ connect: { server: 'it' } }, { start: { name: 'x', call: { tool: 'a', arguments: { key: 'tok-123456' } } } }, { finish: 'x' }, 'close'] }",
    );
    case.accept();
    let text = fs::read_to_string(case.path("artifacts/suite/case.json")).expect("it was written");
    assert!(
        text.contains("\"key\": \"[SECRET]\"") && !text.contains("tok-123456"),
        "{text}"
    );
}

#[test]
fn a_scenario_that_hangs_is_ended_and_says_what_it_waited_for() {
    // It waits before anything else, so that a busy machine gets no further than this either.
    let mut case = Case::new(
        "{ title: 't', proves: 'p', servers: { it: { tools: [], rules: [{ when: 'demo/never', do: [{ open: 'never' }] }] } },\n\
         client: [{ event: { await: { gate: 'never' } } }, { connect: { server: 'it' } }, 'close'] }",
    );
    case.setup.limit = Duration::from_millis(300);
    assert_says(
        &case.failure(),
        &[
            "it was ended after 0.3 s",
            "waiting for the event {\"awaitGate\":\"never\"}",
        ],
    );
}

#[test]
fn playings_that_differ_fail_whatever_the_artifact_says() {
    let mut case = Case::client(
        "tools: [{ name: 'a', inputSchema: {} }], calls: { a: { text: { '@pid': true } } }",
        "{ call: { tool: 'a' } }, 'close'",
    );
    case.setup.repeat = 2;
    case.setup.mode = Mode::Accept;
    assert_says(
        &case.failure(),
        &[
            "two playings differ, 1 and 2",
            "in the scenario's `redact`",
            "--- suite/case (playing 1)\n+++ suite/case (playing 2)\n",
        ],
    );
    assert!(!case.path("artifacts").exists(), "nothing is accepted");
}

#[test]
fn places_that_the_scenario_names_are_redacted() {
    let mut case = Case::new(
        "{ title: 't', proves: 'p', redact: ['/client/*/result/content/0/text'],\n\
         servers: { it: { tools: [{ name: 'a', inputSchema: {} }], calls: { a: { text: { '@pid': true } } } } },\n\
         client: [{ connect: { server: 'it' } }, { call: { tool: 'a' } }, 'close'] }",
    );
    case.setup.repeat = 2;
    case.accept();
    let text = fs::read_to_string(case.path("artifacts/suite/case.json")).expect("it was written");
    assert!(text.contains("\"text\": \"[REDACTED]\""), "{text}");
}

#[test]
fn a_place_to_redact_that_does_not_exist_is_a_mistake() {
    let case = Case::new(
        "{ title: 't', proves: 'p', redact: ['/client/*/calls/*/content/0/text'],\n\
         servers: { it: { tools: [{ name: 'a', inputSchema: {} }], calls: { a: { text: 'x' } } } },\n\
         client: [{ connect: { server: 'it' } }, { call: { tool: 'a' } }, 'close'] }",
    );
    assert_says(
        &case.failure(),
        &[
            "nothing in the artifact is at `redact` /client/*/calls/*/content/0/text",
            "did you mean /client/1/result/content/0/text",
        ],
    );
}

#[test]
fn a_file_with_a_mistake_fails_alone_and_with_its_place() {
    let mut case = Case::client("tools: []", "'close'");
    case.accept();
    case.write("scenarios/suite/wrong.json5", "{ title: 't', proofs: 'p' }");
    assert_eq!(case.outcome("suite/case"), Outcome::Passed);
    let reason = case.failure_of("suite/wrong");
    assert_says(
        &reason,
        &["wrong.json5:1:15", "unknown member `proofs`", "`proves`"],
    );
}

#[test]
fn a_fixture_that_cannot_start_is_told_with_its_own_words() {
    let case = Case::new(
        "{ title: 't', proves: 'p', servers: { it: { tools: [] } },\n\
         client: [{ connect: { server: 'it', args: ['--no-such-option'] } }, 'ping'] }",
    );
    assert_says(
        &case.failure(),
        &["needs a connection", "the client move 2 (ping)"],
    );
}

#[test]
fn a_fixture_that_dies_is_told_with_how_it_ended_and_what_it_said() {
    let case = Case::new(
        "{ title: 't', proves: 'p', servers: { it: { tools: [{ name: 'a', inputSchema: {} }],\n\
         rules: [{ when: 'tools/call', do: [{ stderr: 'out of paper\\n' }, { exit: 3 }] }] } },\n\
         files: { user: { mcpServers: { it: { command: '$FIXTURE', args: ['it'] } } } },\n\
         exchanges: [{ moves: [{ call: { tool: 'mcp__it__a', expect: { error: false } } }] }] }",
    );
    assert_says(
        &case.failure(),
        &[
            "suite/case.json5",
            "mcp__it__a brought back an error",
            "server exited (exit status: 3)",
            "the server log ends with",
            "out of paper",
        ],
    );
}

#[test]
fn a_web_fixture_that_does_not_start_is_told() {
    let case = Case::new(
        "{ title: 't', proves: 'p', servers: { it: { tools: [], http: {}, rules: [{ when: 'start', do: [{ exit: 3 }] }] } },\n\
         client: [{ connect: { web: 'it' } }, 'close'] }",
    );
    assert_says(
        &case.failure(),
        &["cannot serve HTTP from", "it does not say where it listens"],
    );
}

#[test]
fn the_command_lists_the_trials_that_cargo_test_runs() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = trials(&Library::around(repository)).expect("the library can be read");
    let names: Vec<&str> = found.iter().map(mcp_harness::trial::Trial::name).collect();
    let listed = std::process::Command::new(env!("CARGO_BIN_EXE_mcp-harness"))
        .args(["run", "--list"])
        .current_dir(repository)
        .output()
        .expect("the command can be started");
    let listed = String::from_utf8(listed.stdout).expect("names are text");
    assert_eq!(listed.lines().collect::<Vec<_>>(), names);
}

#[test]
fn a_scenario_that_needs_the_outside_is_ignored_unless_it_is_asked_for() {
    let mut case = Case::new(
        "{ title: 't', proves: 'p', live: true, servers: { it: { tools: [] } }, client: [{ connect: { server: 'it' } }, 'close'] }",
    );
    assert!(matches!(case.outcome("suite/case"), Outcome::Ignored(_)));
    case.setup.live = true;
    assert!(
        matches!(case.outcome("suite/case"), Outcome::Failed(_)),
        "its artifact is missing"
    );
}

#[test]
fn trials_run_side_by_side_and_every_result_is_told_once() {
    let mut case = Case::client("tools: []", "'close'");
    for number in 0..5 {
        let text =
            fs::read_to_string(case.path("scenarios/suite/case.json5")).expect("it is there");
        case.write(&format!("scenarios/suite/more-{number}.json5"), &text);
    }
    case.setup.mode = Mode::Accept;
    let found = trials(&case.setup.library).expect("the library can be read");
    let (mut begun, mut ended) = (0, 0);
    let reports = run(&case.setup, found, 3, |progress| match progress {
        Progress::Begun(_) => begun += 1,
        Progress::Ended(_) => ended += 1,
    });
    assert_eq!(
        (begun, ended, reports.len()),
        (7, 7, 7),
        "six scenarios, and the search for strays"
    );
    assert!(
        reports
            .iter()
            .all(|report| !matches!(report.outcome, Outcome::Failed(_))),
        "{reports:?}"
    );
}

#[test]
fn the_built_in_library_verifies_and_accepts_nothing() {
    let library = Library::embedded();
    let scenarios = library.scenarios().expect("they are part of the command");
    assert!(!scenarios.is_empty());
    let first = &scenarios[0].name;
    assert!(
        library
            .artifact(first)
            .expect("it is part of the command")
            .is_some()
    );
    let refused = library
        .accept(first, "{}")
        .expect_err("nothing can be written");
    assert_says(
        &refused.to_string(),
        &["cannot be written", "--scenarios DIR --artifacts DIR"],
    );
}
