//! Instructions and heap allocations of a process, counted by valgrind's callgrind: figures that do
//! not depend on what else the machine does.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::process::{Command, Stdio};

use crate::outcome::Outcome;
use crate::sample::Sample;

/// What takes memory from the heap, as the C library calls it.
const ALLOCATORS: [&str; 6] = [
    "malloc",
    "calloc",
    "realloc",
    "posix_memalign",
    "aligned_alloc",
    "memalign",
];

/// Runs this command under callgrind; its children run as they are.
pub(crate) fn count(arguments: &[String]) -> Outcome<Sample> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("callgrind.out");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--trace-children=no"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(env::current_exe()?)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            format!("valgrind, which counts instructions, cannot be started: {error}")
        })?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "the process under valgrind failed ({}):\n{told}",
            output.status
        )
        .into());
    }
    read(&fs::read_to_string(&file)?)
}

/// Reads callgrind's profile: the total, and the calls of the allocators.
fn read(profile: &str) -> Outcome<Sample> {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut instructions = None;
    let mut allocations = 0.0;
    let mut called = "";
    for line in profile.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            resolve(&mut names, name);
        } else if let Some(name) = line.strip_prefix("cfn=") {
            called = resolve(&mut names, name);
        } else if let Some(calls) = line.strip_prefix("calls=") {
            if ALLOCATORS.contains(&called) {
                let count = calls.split(' ').next().unwrap_or_default();
                allocations += count.parse::<f64>()?;
            }
        } else if let Some(total) = line.strip_prefix("totals:") {
            instructions = Some(total.trim().parse::<f64>()?);
        }
    }
    let instructions = instructions.ok_or("callgrind's profile has no total")?;
    Ok(Sample::from([
        ("instructions".to_owned(), instructions),
        ("allocations".to_owned(), allocations),
    ]))
}

/// A name is written out once, behind a number that stands for it afterwards: `(7) malloc`, `(7)`.
fn resolve<'p>(names: &mut HashMap<&'p str, &'p str>, text: &'p str) -> &'p str {
    match text.split_once(' ') {
        Some((number, name)) => {
            // A function that calls itself has a count of levels behind its name.
            let name = name.split('\'').next().unwrap_or(name);
            names.insert(number, name);
            name
        }
        None => names.get(text).copied().unwrap_or(text),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn totals_and_the_calls_of_allocators_are_read() {
        let profile = "\
events: Ir
fn=(1) main
16 400
cfn=(2) malloc
calls=3 0
16 30
cfn=(3) work
calls=9 0
16 90
fn=(3)
cfn=(2)
calls=2 0
1 20
cfn=(4) realloc'2
calls=1 0
1 5
fn=(5) calloc
1 1
totals: 540
";
        let counted = read(profile).expect("the profile is whole");
        let expected = [
            ("allocations".to_owned(), 6.0),
            ("instructions".to_owned(), 540.0),
        ];
        assert_eq!(counted, expected.into());
        assert!(read("events: Ir\n").is_err());
    }
}
