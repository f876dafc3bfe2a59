//! The commands in this repository's documents are real: their options exist, and so do the packages, examples,
//! tests and scripts that they name. Those of `mcp-harness` are given to the command itself.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand};

const BINARY: &str = env!("CARGO_BIN_EXE_mcp-harness");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What a document asks its reader to type.
#[derive(Debug)]
struct Asked {
    file: PathBuf,
    words: Vec<String>,
}

#[test]
fn every_option_of_mcp_harness_in_the_documents_exists() {
    let asked = asked();
    let ours: Vec<_> = asked
        .iter()
        .filter_map(|asked| Some((asked, arguments(&asked.words)?)))
        .collect();
    assert!(ours.len() > 10, "only {} were found", ours.len());
    for (asked, arguments) in ours {
        // Options are looked at in their order, so one that does not exist is found before the help is printed.
        let output = Command::new(BINARY)
            .args(arguments.iter().map(|word| example_of(word)))
            .arg("--help")
            .output()
            .expect("the command can be started");
        assert!(
            output.status.success(),
            "{}: {:?}: {}",
            asked.file.display(),
            asked.words,
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn every_package_example_test_and_script_in_the_documents_exists() {
    let metadata = MetadataCommand::new()
        .manifest_path(Path::new(ROOT).join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo describes the workspace");
    let mut seen = BTreeSet::new();
    for Asked { file, words } in asked() {
        let program = words[0].as_str();
        let wrong = if program == "cargo" {
            missing_target(&words, &metadata)
        } else {
            let script = match program {
                "bash" => words.get(1).cloned(),
                script if script.contains('/') => Some(script.to_owned()),
                _ => None,
            };
            script.filter(|script| !Path::new(ROOT).join(script).is_file())
        };
        assert_eq!(wrong, None, "{}: {words:?}", file.display());
        seen.insert(program.to_owned());
    }
    assert!(seen.contains("cargo") && seen.len() > 3, "{seen:?}");
}

/// The arguments, if it is the command of this package; the fixture server behind it has its own.
fn arguments(words: &[String]) -> Option<&[String]> {
    let behind = match words[0].as_str() {
        "mcp-harness" => 0,
        "cargo" if words.iter().any(|word| word == "mcp-harness") => {
            words.iter().position(|word| word == "--")?
        }
        _ => return None,
    };
    let arguments = &words[behind + 1..];
    (arguments.first()? != "fixture-server").then_some(arguments)
}

/// A word that stands for a value, as such a value.
fn example_of(word: &str) -> &str {
    match word {
        "N" | "SECONDS" => "1",
        "K/N" => "1/2",
        "html=FILE" => "html=report.html",
        "junit=FILE" => "junit=report.xml",
        word => word,
    }
}

/// The package, example, test or bench that a cargo command names and that does not exist.
fn missing_target(words: &[String], metadata: &Metadata) -> Option<String> {
    let own = words.iter().position(|word| word == "--");
    let words = &words[..own.unwrap_or(words.len())];
    let after = |option: &str| {
        let at = words.iter().position(|word| word == option)?;
        words.get(at + 1)
    };
    let name = after("-p")?;
    let Some(package) = metadata
        .packages
        .iter()
        .find(|package| package.name == name)
    else {
        return Some(format!("package {name}"));
    };
    ["--example", "--test", "--bench"]
        .into_iter()
        .find_map(|option| {
            let target = after(option)?;
            let known = package.targets.iter().any(|known| known.name == *target);
            (!known).then(|| format!("{option} {target}"))
        })
}

/// Every command of every document.
fn asked() -> Vec<Asked> {
    let mut files = Vec::new();
    documents(Path::new(ROOT), &mut files);
    assert!(files.len() > 10, "{files:?}");
    let mut asked = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a document can be read");
        for line in code(&text) {
            let words = words(&line);
            let first = words.first().map_or("", String::as_str);
            let command = matches!(first, "mcp-harness" | "cargo" | "bash")
                || first.starts_with("scripts/")
                || first.starts_with("examples/");
            // A word alone is a name, not something to type.
            if command && (words.len() > 1 || is_script(first)) {
                let file = file.clone();
                asked.push(Asked { file, words });
            }
        }
    }
    asked
}

fn is_script(word: &str) -> bool {
    Path::new(word)
        .extension()
        .is_some_and(|extension| extension == "sh")
}

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("a folder can be listed");
    for entry in entries {
        let path = entry.expect("an entry can be read").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                documents(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// The lines of blocks that are for a shell, and what stands between backticks elsewhere.
fn code(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, part) in text.split("```").enumerate() {
        if index % 2 == 1 {
            let mut block = part.lines();
            let language = block.next().unwrap_or_default().trim();
            if matches!(language, "console" | "sh" | "bash") {
                lines.extend(block.map(str::to_owned));
            }
        } else {
            let spans = part.split('`').skip(1).step_by(2);
            lines.extend(spans.map(|span| span.replace('\n', " ")));
        }
    }
    lines
}

/// The words of a shell's line, without prompt, leading variables, pipes and comment.
fn words(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            (_, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ('#' | '|' | '>' | ';', None) if word.is_none() => break,
            (_, None) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    let variables = words
        .iter()
        .take_while(|word| {
            word.split_once('=')
                .is_some_and(|(name, _)| is_variable(name))
        })
        .count();
    words.split_off(variables)
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

#[test]
fn commands_are_found_as_people_write_them() {
    let text = "Run `mcp-harness run\n--list` or:\n\n```console\n$ A=b cargo run -p x -- 'a b' --c  # why\nscripts/y.sh | less\n```\n";
    let found: Vec<_> = code(text).iter().map(|line| words(line)).collect();
    let expected: [&[&str]; 3] = [
        &["mcp-harness", "run", "--list"],
        &["cargo", "run", "-p", "x", "--", "a b", "--c"],
        &["scripts/y.sh"],
    ];
    assert_eq!(found, expected);
}
