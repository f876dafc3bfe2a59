//! Finding the program, and what is said when it cannot be started.
#![cfg(all(feature = "stdio", unix))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod process_support;

use std::error::Error;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

use mcp_transport::process::{Ladder, ProcessGroup, ProcessSpec, Searched, SpawnError};
use process_support::{file, rest, shell};
use tempfile::TempDir;

/// A directory with `bin/tool`, `bin/flat` (not executable), `tool` and `sub/tool`.
fn sandbox() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    file(&at("bin/tool"), "#!/bin/sh\necho bin\n", "755");
    file(&at("bin/flat"), "#!/bin/sh\n", "644");
    file(&at("later/flat"), "#!/bin/sh\necho later\n", "755");
    file(&at("tool"), "#!/bin/sh\necho cwd\n", "755");
    file(&at("sub/tool"), "#!/bin/sh\necho sub\n", "755");
    std::fs::create_dir(at("bin/folder")).unwrap();
    root
}

/// Runs a command in the sandbox; `ROOT` stands for its path. The answer is its first line.
async fn run(root: &Path, command: &str, path: Option<&str>) -> Result<String, SpawnError> {
    let put = |text: &str| text.replace("ROOT", &root.display().to_string());
    let mut spec = ProcessSpec::new(put(command), root);
    if let Some(path) = path {
        spec = spec.env([("PATH", put(path))]);
    }
    let (group, mut pipes) = ProcessGroup::spawn(&spec)?;
    let text = rest(&mut pipes.stdout).await;
    group.terminate(Ladder::default()).await;
    Ok(text.trim_end().to_owned())
}

#[tokio::test]
async fn a_command_is_found_by_the_rules_of_its_own_path() {
    let root = sandbox();
    for (command, path, expected) in [
        ("tool", Some("ROOT/bin"), "bin"),
        ("tool", Some("ROOT/none:ROOT/bin"), "bin"),
        // An empty element, and an empty variable, mean the working directory.
        ("tool", Some("ROOT/none:"), "cwd"),
        ("tool", Some(":ROOT/bin"), "cwd"),
        ("tool", Some(""), "cwd"),
        // A relative element is relative to the working directory.
        ("tool", Some("sub"), "sub"),
        // A file that cannot be run does not hide a later one.
        ("flat", Some("ROOT/bin:ROOT/later"), "later"),
        // A slash means that no path is searched.
        ("./tool", Some("ROOT/bin"), "cwd"),
        ("sub/tool", Some(""), "sub"),
        ("sub/../bin/tool", None, "bin"),
        ("ROOT/sub/tool", None, "sub"),
        // Without a variable the system's directories are searched.
        ("true", None, ""),
    ] {
        let found = run(root.path(), command, path).await;
        assert_eq!(
            found.expect(command),
            expected,
            "{command} with PATH {path:?}"
        );
    }
}

/// A command, its `PATH`, and what is said of it; `ROOT` stands for the sandbox.
const REFUSED: &[(&str, Option<&str>, &str)] = &[
    (
        "tool",
        Some("/x:ROOT/none"),
        "command \"tool\" was not found: it is in no directory of PATH=/x:ROOT/none",
    ),
    (
        "nope",
        Some(""),
        "command \"nope\" was not found: PATH is empty, so only the working directory ROOT \
         was searched",
    ),
    (
        "nope",
        None,
        "command \"nope\" was not found: its environment has no PATH, so only /bin:/usr/bin \
         was searched",
    ),
    (
        "./nope",
        None,
        "command \"./nope\" was not found: ROOT/./nope does not exist",
    ),
    (
        "tool/inner",
        None,
        "command \"tool/inner\" was not found: ROOT/tool/inner does not exist",
    ),
    (
        "npx -y some-server",
        Some("/x"),
        "command \"npx -y some-server\" was not found: it is in no directory of PATH=/x \
         (arguments belong in `args`, not in `command`)",
    ),
    (
        "flat",
        Some("/x:ROOT/bin"),
        "command \"flat\" cannot be run: ROOT/bin/flat may not be executed (`chmod +x` would \
         allow it)",
    ),
    (
        "./bin/folder",
        None,
        "command \"./bin/folder\" cannot be run: ROOT/./bin/folder is a directory",
    ),
    (
        "/dev/null",
        None,
        "command \"/dev/null\" cannot be run: /dev/null is not a regular file",
    ),
    (
        "ROOT/plain",
        None,
        "command \"ROOT/plain\" cannot be run: ROOT/plain is neither a program for this \
         system nor a script with a `#!` line",
    ),
    (
        "ROOT/old",
        None,
        "command \"ROOT/old\" cannot be run: the first line of ROOT/old asks for \
         \"/no/such/interpreter\", which does not exist",
    ),
    (
        "ROOT/chain",
        None,
        "command \"ROOT/chain\" cannot be run: the first line of ROOT/old asks for \
         \"/no/such/interpreter\", which does not exist",
    ),
    (
        "ROOT/closed",
        None,
        "command \"ROOT/closed\" cannot be run: ROOT/bin/flat may not be executed (`chmod +x` \
         would allow it)",
    ),
    (
        "ROOT/dos",
        None,
        "command \"ROOT/dos\" cannot be run: the first line of ROOT/dos asks for \
         \"/bin/sh\\r\", which does not exist: the line ends in a carriage return, so save the \
         file with Unix line ends",
    ),
    ("", None, "the command is empty"),
];

#[tokio::test]
async fn each_way_of_not_starting_has_its_own_message() {
    let root = sandbox();
    let at = |name: &str| root.path().join(name);
    file(&at("old"), "#!/no/such/interpreter -x\n", "755");
    file(&at("dos"), "#!/bin/sh\r\necho\r\n", "755");
    file(&at("chain"), &format!("#!{}\n", at("old").display()), "755");
    file(
        &at("closed"),
        &format!("#!{}\n", at("bin/flat").display()),
        "755",
    );
    file(&at("plain"), "echo no first line\n", "755");
    for &(command, path, expected) in REFUSED {
        let error = run(root.path(), command, path).await.expect_err(command);
        let text = error
            .to_string()
            .replace(root.path().to_str().unwrap(), "ROOT");
        assert_eq!(text, expected);
    }
}

#[tokio::test]
async fn a_working_directory_that_cannot_be_used_is_told_from_a_missing_command() {
    let root = sandbox();
    let start = |cwd: &Path| ProcessGroup::spawn(&ProcessSpec::new("/bin/true", cwd)).map(drop);

    let missing = root.path().join("none");
    assert!(matches!(
        start(&missing),
        Err(SpawnError::MissingDirectory { directory }) if directory == missing
    ));
    for not_one in ["tool", "tool/inner"] {
        let not_one = root.path().join(not_one);
        assert!(matches!(
            start(&not_one),
            Err(SpawnError::NotADirectory { directory }) if directory == not_one
        ));
    }
    assert!(matches!(
        start(Path::new("")),
        Err(SpawnError::InvalidInput { .. })
    ));
}

#[tokio::test]
async fn what_no_process_can_be_given_is_refused_without_its_value() {
    let spec = || shell("true");
    for (spec, expected) in [
        (
            ProcessSpec::new("to\0ol", "/"),
            "the command contains a NUL byte, which no process can be given",
        ),
        (
            ProcessSpec::new("tool", "/a\0b"),
            "the working directory contains a NUL byte, which no process can be given",
        ),
        (
            spec().args(["fine", "s3c\0ret"]),
            "argument 4 contains a NUL byte, which no process can be given",
        ),
        (
            spec().env([("TOKEN", "s3c\0ret")]),
            "the environment variable \"TOKEN\" has a NUL byte in its value",
        ),
        (
            spec().env([("TO\0KEN", "s3cret")]),
            "the environment variable \"TO\\0KEN\" has a NUL byte in its name",
        ),
        (
            spec().env([("A=B", "s3cret")]),
            "the environment variable \"A=B\" has a `=` in its name",
        ),
        (
            spec().env([("", "s3cret")]),
            "an environment variable has an empty name",
        ),
    ] {
        let error = ProcessGroup::spawn(&spec).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    }
}

#[tokio::test]
async fn an_environment_too_large_for_the_system_names_the_program() {
    let spec = shell("true").env([("BIG", "x".repeat(8 << 20))]);
    let error = ProcessGroup::spawn(&spec).unwrap_err();
    assert_eq!(error.to_string(), "/bin/sh could not be started");
    let cause = error.source().unwrap().to_string();
    assert!(cause.contains("too long"), "{cause}");
}

#[tokio::test]
async fn the_environment_is_exactly_the_one_given() {
    let odd = OsString::from_vec(b"\xff\xfe".to_vec());
    let spec = ProcessSpec::new("/usr/bin/env", "/")
        .env([("A", "1"), ("B", "two\nlines"), ("A", "3")])
        .env([("ODD", odd)]);
    let (_group, mut pipes) = ProcessGroup::spawn(&spec).unwrap();
    let mut seen = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut pipes.stdout, &mut seen)
        .await
        .unwrap();
    assert_eq!(seen, b"A=3\nB=two\nlines\nODD=\xff\xfe\n");
}

#[tokio::test]
async fn the_process_leads_a_group_of_its_own_in_its_directory() {
    let (group, mut pipes) = process_support::spawn("pwd; cut -d' ' -f5 /proc/$$/stat");
    let text = rest(&mut pipes.stdout).await;
    assert_eq!(text, format!("/\n{}\n", group.id()));
}

#[test]
fn outside_a_runtime_nothing_is_started() {
    let error = ProcessGroup::spawn(&shell("true")).unwrap_err();
    assert!(matches!(error, SpawnError::NoRuntime), "{error}");
}

#[test]
fn a_spec_shows_neither_arguments_nor_values() {
    let spec = shell("echo s3cret").env([("TOKEN", "s3cret")]);
    let text = format!("{spec:?}");
    assert!(text.contains("TOKEN") && !text.contains("s3cret"), "{text}");
}

#[test]
fn a_missing_command_says_where_it_was_looked_for() {
    let spec = ProcessSpec::new("nope", "/").env([("PATH", "/x")]);
    match spec.resolve() {
        Err(SpawnError::MissingCommand { command, searched }) => {
            assert_eq!(command, "nope");
            assert_eq!(searched, Searched::Path("/x".into()));
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_script_whose_interpreter_is_looked_up_names_it_and_the_path_after_its_exit() {
    let root = sandbox();
    let script = file(
        &root.path().join("serve"),
        "#!/usr/bin/env demo-node\n",
        "755",
    );
    let spec = ProcessSpec::new(&script, "/").env([("PATH", "/usr/bin:/bin")]);
    let (group, mut pipes) = ProcessGroup::spawn(&spec).unwrap();
    assert!(rest(&mut pipes.stderr).await.contains("demo-node"));
    let status = group.terminate(Ladder::default()).await.status.unwrap();
    assert_eq!(status.code(), Some(127));
    assert_eq!(
        spec.explain_exit(status).unwrap(),
        format!(
            "the first line of {} asks for \"demo-node\", which was not found with \
             PATH=/usr/bin:/bin; add its directory to the PATH of the server's environment",
            script.display()
        )
    );

    // The same script with the interpreter's directory in its own PATH.
    file(
        &root.path().join("node/demo-node"),
        "#!/bin/sh\necho started\n",
        "755",
    );
    let path = format!("{}/node:/usr/bin:/bin", root.path().display());
    let spec = ProcessSpec::new(&script, "/").env([("PATH", path)]);
    let (_group, mut pipes) = ProcessGroup::spawn(&spec).unwrap();
    assert_eq!(rest(&mut pipes.stdout).await, "started\n");
}

#[test]
fn the_interpreter_that_env_is_asked_for_is_found_among_its_options() {
    let root = tempfile::tempdir().unwrap();
    for (line, name) in [
        ("#!/usr/bin/env demo-node", "demo-node"),
        ("#! /usr/bin/env  demo-node  --flag", "demo-node"),
        ("#!/usr/bin/env -S demo-node --flag", "demo-node"),
        ("#!/usr/bin/env -S -u HOME A=1 demo-node", "demo-node"),
    ] {
        let script = file(&root.path().join("serve"), &format!("{line}\n"), "755");
        let spec = ProcessSpec::new(&script, "/").env([("PATH", "/usr/bin:/bin")]);
        let text = spec.explain_exit(ExitStatus::from_raw(127 << 8)).unwrap();
        assert!(
            text.contains(&format!("asks for {name:?}, which")),
            "{line}: {text}"
        );
    }
    for line in ["#!/usr/bin/env sh\r", "#!/usr/bin/env -S sh -e\r"] {
        let script = file(&root.path().join("serve"), &format!("{line}\n"), "755");
        let spec = ProcessSpec::new(&script, "/").env([("PATH", "/usr/bin:/bin")]);
        let text = spec.explain_exit(ExitStatus::from_raw(127 << 8)).unwrap();
        let in_the_name = line.ends_with("sh\r");
        assert_eq!(
            text.contains("carriage return"),
            in_the_name,
            "{line}: {text}"
        );
    }
    // Found, so that something else must be missing.
    let script = file(&root.path().join("serve"), "#!/usr/bin/env sh\n", "755");
    let spec = ProcessSpec::new(&script, "/").env([("PATH", "/usr/bin:/bin")]);
    let text = spec.explain_exit(ExitStatus::from_raw(127 << 8)).unwrap();
    assert!(text.starts_with("exit status 127 means"), "{text}");
    assert_eq!(spec.explain_exit(ExitStatus::from_raw(1 << 8)), None);
    assert_eq!(spec.explain_exit(ExitStatus::from_raw(9)), None);
}

#[tokio::test]
async fn a_launcher_that_finds_no_program_is_explained_by_its_path() {
    let spec = shell("exec demo-node");
    let (group, _pipes) = ProcessGroup::spawn(&spec).unwrap();
    let status = group.terminate(Ladder::default()).await.status.unwrap();
    assert_eq!(
        spec.explain_exit(status).unwrap(),
        "exit status 127 means that a command was not found; it ran with PATH=/usr/bin:/bin"
    );
}
