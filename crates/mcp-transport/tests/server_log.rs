//! The log file: one line an entry, private, rotated, shared by programs, never in the way.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mcp_transport::{LogRecord, ServerLog};
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(30);
const LIMIT_OF_FILE: u64 = 5_000_000;

/// A log whose clock stands at 2026-11-30T16:20:01.123Z.
fn log(home: &Path) -> ServerLog {
    ServerLog::with_clock(home, || at(1_796_055_601_123))
}

fn at(millis: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(millis)
}

fn entry(data: &str) -> LogRecord<'_> {
    LogRecord {
        server: "files",
        level: "info",
        logger: None,
        data,
    }
}

async fn flush(log: &ServerLog) {
    assert!(log.flush(LIMIT).await, "the log was not written");
}

fn read(home: &TempDir, name: &str) -> String {
    fs::read_to_string(home.path().join(name)).unwrap()
}

#[tokio::test]
async fn an_entry_is_one_line_whatever_it_holds() {
    for (record, expected) in [
        (entry("ready"), "files\tinfo\t-\tready"),
        (
            LogRecord {
                logger: Some("db.pool"),
                level: "warning",
                ..entry(r#"{"free": 0}"#)
            },
            "files\twarning\tdb.pool\t{\"free\": 0}",
        ),
        (
            entry("a\nb\r\nc\td\u{1b}[31mred\u{7}\u{0}"),
            r"files	info	-	a\nb\r\nc\td\u{1b}[31mred\u{7}\u{0}",
        ),
        // Other ends of lines, C1 controls, and characters that turn the text around.
        (
            entry("a\u{85}b\u{9b}c\u{2028}d\u{202e}e"),
            r"files	info	-	a\u{85}b\u{9b}c\u{2028}d\u{202e}e",
        ),
        (entry("grüße 🙂 \\n"), "files\tinfo\t-\tgrüße 🙂 \\n"),
        (
            LogRecord {
                server: "a\tb\n",
                level: "",
                logger: Some(""),
                data: "",
            },
            r"a\tb\n	-	-	-",
        ),
    ] {
        let home = tempfile::tempdir().unwrap();
        let log = log(home.path());
        log.write(record);
        flush(&log).await;
        let expected = format!("2026-11-30T16:20:01.123Z\t{expected}\n");
        assert_eq!(read(&home, "mcp.log"), expected);
    }
}

#[tokio::test]
async fn times_are_written_in_utc() {
    for (millis, expected) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_709_210_096_007, "2024-02-29T12:34:56.007Z"),
        (1_767_225_599_000, "2025-12-31T23:59:59.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let log = ServerLog::with_clock(home.path(), move || at(millis));
        log.write(entry("x"));
        flush(&log).await;
        let text = read(&home, "mcp.log");
        assert_eq!(text.split('\t').next(), Some(expected));
    }
}

#[tokio::test]
async fn the_clock_of_the_world_is_the_default() {
    let home = tempfile::tempdir().unwrap();
    let log = ServerLog::new(home.path());
    log.write(entry("x"));
    flush(&log).await;
    assert!(read(&home, "mcp.log").as_str() > "2026");
}

#[tokio::test]
async fn a_long_entry_is_cut_between_characters() {
    let home = tempfile::tempdir().unwrap();
    let log = log(home.path());
    log.write(entry(&"ü".repeat(40_000)));
    log.write(entry(&format!("x{}", "ü".repeat(40_000))));
    flush(&log).await;
    let text = read(&home, "mcp.log");
    let mut lines = text.lines();
    assert!(lines.next().unwrap().ends_with("ü… (14464 bytes more)"));
    assert!(lines.next().unwrap().ends_with("ü… (14466 bytes more)"));
}

#[tokio::test]
async fn file_and_directory_are_private_and_come_with_the_first_entry() {
    let root = tempfile::tempdir().unwrap();
    let home = root.path().join("deep/home");
    let log = log(&home);
    flush(&log).await;
    assert!(!home.exists());
    log.write(entry("x"));
    flush(&log).await;
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&home), 0o700);
    assert_eq!(mode(&home.join("mcp.log")), 0o600);
}

#[tokio::test]
async fn a_file_that_was_open_to_all_is_closed_to_others() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("mcp.log");
    fs::write(&path, "before\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let log = log(home.path());
    log.write(entry("x"));
    flush(&log).await;
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    assert!(read(&home, "mcp.log").starts_with("before\n2026"));
}

#[tokio::test]
async fn a_file_past_its_size_takes_the_place_of_the_old_one() {
    let home = tempfile::tempdir().unwrap();
    let log = log(home.path());
    let line = "x".repeat(50_000);
    for round in 0..250 {
        log.write(entry(&format!("{round} {line}")));
        if round % 50 == 0 {
            flush(&log).await;
        }
    }
    flush(&log).await;
    let (current, old) = (read(&home, "mcp.log"), read(&home, "mcp.log.1"));
    let size_of_entry = u64::try_from(current.lines().next().unwrap().len()).unwrap() + 10;
    for text in [&current, &old] {
        let size = u64::try_from(text.len()).unwrap();
        assert!(size <= LIMIT_OF_FILE, "{size}");
    }
    assert!(u64::try_from(old.len()).unwrap() + 2 * size_of_entry > LIMIT_OF_FILE);
    // Nothing is missing between the two, and no third file is kept.
    let number = |line: &str| -> u64 {
        let data = line.split('\t').nth(4).unwrap();
        data.split(' ').next().unwrap().parse().unwrap()
    };
    let numbers: Vec<u64> = old.lines().chain(current.lines()).map(number).collect();
    let expected: Vec<u64> = (numbers[0]..250).collect();
    assert_eq!(numbers, expected);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
    let mode = fs::metadata(home.path().join("mcp.log")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn several_writers_lose_nothing_and_mix_no_lines() {
    let home = tempfile::tempdir().unwrap();
    // Handles of one program stand for programs: each has a file and a lock of its own.
    let logs: Vec<ServerLog> = (0..4).map(|_| log(home.path())).collect();
    let filler = "y".repeat(2_000);
    for round in 0..800 {
        for (writer, log) in logs.iter().enumerate() {
            log.write(entry(&format!("{writer} {round} {filler}")));
        }
        if round % 100 == 0 {
            for log in &logs {
                flush(log).await;
            }
        }
    }
    for log in &logs {
        flush(log).await;
        assert_eq!(log.lost(), 0);
    }
    // 6.6 MB were written: one file was set aside and all lines are in the two.
    let both = read(&home, "mcp.log.1") + &read(&home, "mcp.log");
    assert_eq!(both.lines().count(), 3_200);
    for writer in 0..4 {
        let mine: Vec<&str> = both
            .lines()
            .map(|line| line.split('\t').nth(4).unwrap())
            .filter(|data| data.starts_with(&format!("{writer} ")))
            .collect();
        for (round, data) in mine.iter().enumerate() {
            assert_eq!(*data, format!("{writer} {round} {filler}"));
        }
    }
}

#[tokio::test]
async fn a_file_that_another_program_sets_aside_is_left() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("mcp.log");
    let log = log(home.path());
    log.write(entry("one"));
    flush(&log).await;
    fs::rename(&path, home.path().join("mcp.log.1")).unwrap();
    log.write(entry("two"));
    flush(&log).await;
    assert!(read(&home, "mcp.log.1").ends_with("one\n"));
    assert!(read(&home, "mcp.log").ends_with("two\n"));
    fs::remove_file(&path).unwrap();
    log.write(entry("three"));
    flush(&log).await;
    assert!(read(&home, "mcp.log").ends_with("three\n"));
}

#[tokio::test]
async fn a_log_that_cannot_be_written_counts_what_it_loses_and_says_so_later() {
    let root = tempfile::tempdir().unwrap();
    let home = root.path().join("home");
    fs::write(&home, "a file where the directory should be").unwrap();
    let log = log(&home);
    log.write(entry("one"));
    flush(&log).await;
    log.write(entry("two"));
    flush(&log).await;
    assert_eq!(log.lost(), 2);

    fs::remove_file(&home).unwrap();
    log.write(entry("three"));
    flush(&log).await;
    assert_eq!(log.lost(), 2);
    assert_eq!(
        fs::read_to_string(home.join("mcp.log")).unwrap(),
        "2026-11-30T16:20:01.123Z\t-\twarning\tmcp.log\t2 entries before this one were lost\n\
         2026-11-30T16:20:01.123Z\tfiles\tinfo\t-\tthree\n"
    );
}

#[tokio::test]
async fn a_writer_that_is_held_up_costs_entries_and_no_time() {
    let home = tempfile::tempdir().unwrap();
    let log = log(home.path());
    log.write(entry("first"));
    flush(&log).await;
    // Another program holds the lock and does not let go.
    let other = fs::File::open(home.path().join("mcp.log")).unwrap();
    other.lock().unwrap();
    let large = "z".repeat(60_000);
    for _ in 0..200 {
        log.write(entry(&large));
    }
    assert!(!log.flush(Duration::from_millis(20)).await);
    let lost = log.lost();
    // 4 MiB wait in the queue and one batch is with the writer.
    assert!((120..140).contains(&lost), "{lost}");
    other.unlock().unwrap();
    flush(&log).await;
    log.write(entry("last"));
    flush(&log).await;
    let text = read(&home, "mcp.log");
    assert!(text.contains(&format!("{lost} entries before this one were lost\n")));
    assert!(text.ends_with("\tlast\n"));
}

#[test]
fn entries_are_written_after_the_last_handle_is_gone_and_without_a_runtime() {
    let home = tempfile::tempdir().unwrap();
    let log = log(home.path());
    log.clone().write(entry("x"));
    drop(log);
    // The thread that writes tells nobody; the shell waits for the file to hold something.
    let path = home.path().join("mcp.log");
    let found = Command::new("/bin/sh")
        .args([
            "-c",
            "i=0; until [ -s \"$1\" ]; do i=$((i+1)); [ $i -lt 300 ] || exit 1; sleep 0.1; done",
        ])
        .arg("sh")
        .arg(&path)
        .status()
        .unwrap();
    assert!(found.success());
    assert!(read(&home, "mcp.log").ends_with("\tx\n"));
}
