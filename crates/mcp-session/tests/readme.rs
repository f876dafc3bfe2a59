//! The core of an agent on the front page is the one that compiles in this crate's documentation, and
//! the example is as short as it says.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

const FRONT_PAGE: &str = include_str!("../../../README.md");
const CRATE_PAGE: &str = include_str!("../README.md");
const AGENT: &str = include_str!("../examples/agent/main.rs");

/// The lines that a reader sees of the first Rust block.
fn core(page: &str) -> Vec<&str> {
    let (_, block) = page.split_once("```rust").unwrap();
    let (block, _) = block.split_once("\n```").unwrap();
    let lines = block.lines().skip(1);
    lines.filter(|line| !line.starts_with("# ")).collect()
}

#[test]
fn the_front_page_shows_the_core_that_compiles() {
    assert_eq!(core(FRONT_PAGE), core(CRATE_PAGE));
    let above = FRONT_PAGE.split_once("```rust").unwrap().0.lines().count();
    assert!(
        above + core(FRONT_PAGE).len() < 30,
        "it is on the first screen"
    );
}

#[test]
fn the_example_agent_is_short() {
    let lines = AGENT.lines().count();
    assert!(lines <= 80, "{lines} lines");
}
