//! Real files of many programs, where they are at hand; none of them is kept here. The table of what each kind yields
//! is in `shapes.rs`, with made-up files.

use std::path::Path;

use mcp_config::{Layer, Outcome, RenderOptions, Server, Trust, explain, load, render};

const CORPUS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../shared/corpus/configs"
);

#[test]
fn every_real_file_gives_servers_or_a_problem_that_says_what_to_do() {
    let Ok(directory) = std::fs::read_dir(Path::new(CORPUS)) else {
        println!("skipped: {CORPUS} is not there");
        return;
    };
    let (mut files, mut ours) = (0, 0);
    for file in directory {
        let path = file.unwrap().path();
        let config = load(&[Layer::project(&path).with_trust(Trust::Trusted)]);
        let problems = config.problems();
        let report = render(problems, RenderOptions::default());
        let loaded = config.sources()[0].outcome() == Outcome::Loaded;
        assert!(
            loaded || config.has_errors(),
            "{}: neither servers nor a problem",
            path.display()
        );
        for problem in problems {
            assert!(
                problem.help().is_some(),
                "{}: {problem} has no advice",
                path.display()
            );
        }
        for (name, server) in config.servers() {
            if let Server::Failed(failed) = server {
                assert!(!failed.message().is_empty(), "{}: {name}", path.display());
            }
        }
        let shown = format!("{report}{}{config:?}", explain(&config));
        for secret in secrets(&std::fs::read_to_string(&path).unwrap()) {
            assert!(
                !shown.contains(&secret),
                "{}: shows {secret}",
                path.display()
            );
        }
        files += 1;
        ours += usize::from(loaded);
    }
    println!("{files} files, {ours} of them ours");
    assert!(files >= 60 && ours >= 25, "{files} {ours}");
}

/// Values of `env` and `headers`, by a crude look at the lines.
fn secrets(text: &str) -> Vec<String> {
    let values = text.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        let name = name.trim().trim_matches('"');
        let telling = name.contains("KEY") || name.contains("TOKEN") || name == "Authorization";
        let value = value.trim().trim_end_matches(',').trim_matches('"');
        let value = value.strip_prefix("Bearer ").unwrap_or(value);
        (telling && value.len() >= 6 && !value.contains('$')).then(|| value.to_owned())
    });
    values.collect()
}
