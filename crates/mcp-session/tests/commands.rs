//! Commands in values: real processes, short limits.
#![cfg(all(feature = "stdio", unix))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;
use std::time::Duration;

use mcp_config::{Command, CommandFailure, CommandRunner as _, Environment};
use mcp_session::Commands;

fn commands() -> Commands {
    let variables = [("PATH", "/usr/bin:/bin"), ("GREETING", "hello")];
    Commands::new(variables.into_iter().collect::<Environment>())
}

async fn run(commands: &Commands, text: &str, base: &Path) -> Result<String, CommandFailure> {
    let output = commands.run(&Command::new(text), base).await?;
    Ok(String::from_utf8(output).unwrap())
}

/// How often the command of a test has run: it leaves a line in a file each time.
fn runs(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("runs")).map_or(0, |text| text.lines().count())
}

#[tokio::test]
async fn a_command_runs_in_the_base_directory_with_the_hosts_environment_and_no_input() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let output = run(
        &commands(),
        "echo \"$GREETING\"; pwd -P; cat; printf end",
        &folder,
    )
    .await
    .unwrap();
    assert_eq!(output, format!("hello\n{}\nend", folder.display()));
}

#[tokio::test]
async fn success_is_remembered_for_all_who_share_the_runner() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    let other = commands.clone();
    for asker in [&commands, &other, &commands] {
        assert_eq!(
            run(asker, "echo x >> runs; echo secret", folder.path())
                .await
                .unwrap(),
            "secret\n"
        );
    }
    assert_eq!(runs(folder.path()), 1);
    let elsewhere = tempfile::tempdir().unwrap();
    run(&commands, "echo x >> runs; echo secret", elsewhere.path())
        .await
        .unwrap();
    assert_eq!(runs(elsewhere.path()), 1, "another base is another run");
}

#[tokio::test]
async fn failure_is_forgotten_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    let text = "echo x >> runs; test -e ready && echo secret";
    let failure = run(&commands, text, folder.path()).await.unwrap_err();
    assert_eq!(failure.to_string(), "the command ended with exit status: 1");
    std::fs::write(folder.path().join("ready"), "").unwrap();
    assert_eq!(
        run(&commands, text, folder.path()).await.unwrap(),
        "secret\n"
    );
    assert_eq!(runs(folder.path()), 2);
}

#[tokio::test]
async fn askers_at_the_same_time_share_one_run_also_where_it_fails() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    let text = "echo x >> runs; while ! test -e gate; do sleep 0.01; done; exit 3";
    let ask = || run(&commands, text, folder.path());
    let open = async {
        while runs(folder.path()) == 0 {
            tokio::task::yield_now().await;
        }
        std::fs::write(folder.path().join("gate"), "").unwrap();
    };
    let (a, b, c, ()) = tokio::join!(ask(), ask(), ask(), open);
    assert!(a.is_err() && a == b && b == c, "{a:?}");
    assert_eq!(runs(folder.path()), 1);
}

#[tokio::test]
async fn a_run_goes_on_while_one_asker_waits_and_ends_with_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    let text =
        "echo x >> runs; echo $$ > pid; while ! test -e gate; do sleep 0.01; done; echo done";
    let mut first = Box::pin(run(&commands, text, folder.path()));
    let mut second = Box::pin(run(&commands, text, folder.path()));
    while runs(folder.path()) == 0 {
        assert!(
            tokio::time::timeout(Duration::from_millis(5), &mut first)
                .await
                .is_err()
        );
    }
    assert!(
        tokio::time::timeout(Duration::from_millis(5), &mut second)
            .await
            .is_err()
    );
    drop(first);
    std::fs::write(folder.path().join("gate"), "").unwrap();
    assert_eq!(second.await.unwrap(), "done\n");
    assert_eq!(runs(folder.path()), 1);
}

#[tokio::test]
async fn a_command_that_ignores_sigterm_is_killed_with_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands().time_limits(Duration::from_millis(300), Duration::from_millis(200));
    let text =
        "trap '' TERM; echo $$ > pid; sleep 600 & echo $! > child; while :; do sleep 0.05; done";
    assert_eq!(
        run(&commands, text, folder.path()).await.unwrap_err(),
        CommandFailure::TimedOut {
            limit: Duration::from_millis(300)
        }
    );
    for name in ["pid", "child"] {
        let pid = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let gone = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
            stat.map_or(true, |stat| stat.contains(") Z "))
        };
        while !gone() {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn too_much_output_fails_and_a_child_that_holds_the_output_does_not_delay() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    let text = "yes | head -c 70000";
    assert_eq!(
        run(&commands, text, folder.path()).await.unwrap_err(),
        CommandFailure::TooLarge
    );
    let exactly = run(&commands, "yes | head -c 65536", folder.path())
        .await
        .unwrap();
    assert_eq!(exactly.len(), 65536);
    assert_eq!(
        run(&commands, "sleep 600 & echo quick", folder.path())
            .await
            .unwrap(),
        "quick\n"
    );
    let failure = run(&commands, "kill -9 $$", folder.path())
        .await
        .unwrap_err();
    assert!(failure.to_string().contains("signal: 9"), "{failure}");
    let missing = run(&commands, "echo x", Path::new("/no/such/folder"))
        .await
        .unwrap_err();
    assert!(
        matches!(&missing, CommandFailure::Spawn { message } if message.contains("/no/such/folder")),
        "{missing}"
    );
}
