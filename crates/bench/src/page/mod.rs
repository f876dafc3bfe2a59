//! The page of results: tables and a plot, made from the file of figures. What a person wrote on
//! the page stays; only what stands between markers is written anew.

mod blocks;
mod plot;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use crate::outcome::Outcome;
use crate::report::Report;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// Where the page and its figures are.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The figures, as `--json` wrote them; beside them lie the page and the plot, under the same
    /// name.
    #[arg(long, value_name = "FILE", default_value_os_t = Path::new(DOCS).join("performance.json"))]
    figures: PathBuf,
}

/// Writes the tables into the page, and the plot beside it.
pub(crate) fn run(arguments: &Arguments) -> Outcome<()> {
    let report = Report::read(&arguments.figures)?;
    let page = arguments.figures.with_extension("md");
    let text = read(&page)?;
    let filled = blocks::fill(&text, |name| match name {
        "machine" => Some(table::machine(&report)),
        suite => Some(table::suite(report.suite(suite)?)),
    })
    .map_err(|error| format!("{}: {error}", page.display()))?;
    write(&page, &filled)?;
    write(
        &arguments.figures.with_extension("svg"),
        &plot::draw(&report),
    )
}

fn read(file: &Path) -> Outcome<String> {
    fs::read_to_string(file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()).into())
}

fn write(file: &Path, text: &str) -> Outcome<()> {
    fs::write(file, text)
        .map_err(|error| format!("cannot write {}: {error}", file.display()).into())
}
