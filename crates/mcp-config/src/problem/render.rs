//! Problems as a compiler prints them: message, place, the line, and what to do.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::escape::escape_terminal;
use super::kind::{Problem, Severity};

/// How problems are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whether to use ANSI colours.
    pub colour: bool,
    /// The width of the terminal in columns.
    pub width: usize,
}

impl Default for RenderOptions {
    fn default() -> Self {
        RenderOptions {
            colour: false,
            width: 120,
        }
    }
}

/// Prints problems with the lines that they are about, one after the other, with a blank line between.
///
/// ```
/// use mcp_config::{RenderOptions, document, render};
///
/// let parsed = document::parse("mcp.json", b"{\n  \"a\": 1,\n  \"a\": 2\n}");
/// let text = render(&parsed.problems, RenderOptions::default());
/// assert!(text.starts_with("error: duplicate member `a`; the first one holds"));
/// assert!(text.contains("mcp.json:3:3"));
/// ```
pub fn render(problems: &[Problem], options: RenderOptions) -> String {
    let set = |renderer: Renderer| {
        renderer
            .term_width(options.width)
            .decor_style(DecorStyle::Ascii)
    };
    let plain = set(Renderer::plain());
    let styled = options.colour.then(|| set(Renderer::styled()));
    let mut text = String::new();
    for problem in problems {
        let group = group(problem);
        let report = plain.render(std::slice::from_ref(&group));
        // An excerpt without a path is announced as one of another file, by a line `:::`. It has none, because the
        // renderer would count columns in the excerpt, which is cut and masked; the place is given beside it.
        let announcement = report.lines().position(|line| line.trim() == ":::");
        let report = styled
            .as_ref()
            .map_or(report, |styled| styled.render(&[group]));
        for (number, line) in report.lines().enumerate() {
            if Some(number) != announcement {
                text.push_str(line);
                text.push('\n');
            }
        }
        text.push('\n');
    }
    text
}

fn group(problem: &Problem) -> Group<'_> {
    let level = match problem.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = escape_terminal(problem.message());
    let mut group = Group::with_title(level.primary_title(message));
    if let Some(file) = problem.file() {
        let file = file.display().to_string();
        let mut origin = Origin::path(escape_terminal(&file).into_owned());
        if let (Some(line), Some(column)) = (problem.line(), problem.column()) {
            origin = origin.line(line as usize).char_column(column as usize);
        }
        group = group.element(origin);
    }
    let path = problem
        .path()
        .map(|path| escape_terminal(path).into_owned());
    if let (Some(excerpt), Some(line)) = (problem.excerpt(), problem.line()) {
        let annotation = AnnotationKind::Primary.span(excerpt.marked()).label(path);
        let snippet = Snippet::source(excerpt.text())
            .line_start(line as usize)
            .fold(false)
            .annotation(annotation);
        group = group.element(snippet);
    } else if let Some(path) = path {
        group = group.element(Level::NOTE.message(format!("at {path}")));
    }
    if let Some(help) = problem.help() {
        group = group.element(Level::HELP.message(escape_terminal(help)));
    }
    group
}
