//! What one file says, before layers are merged.

use std::path::Path;
use std::sync::Arc;

use super::fingerprint::Fingerprint;
use super::reveal;
use super::root::{self, Root};
use crate::document::{self, Excerpt, JsonPath, Member, Object, Source};
use crate::entry::{Context, More, Origin, Written, read_entry};
use crate::problem::{Problem, Severity};

/// How many problems of one file are kept.
const MAX_PROBLEMS: usize = 1000;

/// The content of one file.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) content: Content,
    pub(super) problems: Vec<Problem>,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Empty,
    Broken,
    Entries(Vec<EntryReading>),
}

/// One entry of a file.
#[derive(Clone, Debug)]
pub(super) struct EntryReading {
    pub(super) name: Arc<str>,
    pub(super) origin: Origin,
    /// The line of its name, for problems that show only when layers are merged.
    pub(super) excerpt: Excerpt,
    pub(super) fingerprint: Fingerprint,
    pub(super) written: Written,
    /// What is wrong with an entry that failed.
    pub(super) problems: Vec<Problem>,
}

/// Reads the text of a file. `place` is what fingerprints know the file by.
pub(super) fn read(layer: &Arc<str>, file: &Path, place: &Path, bytes: &[u8]) -> Reading {
    if document::is_blank(bytes) {
        return Reading {
            content: Content::Empty,
            problems: Vec::new(),
        };
    }
    let parsed = document::parse(file, bytes);
    let mut problems = parsed.problems;
    let Some(document) = parsed.document else {
        return Reading {
            content: Content::Broken,
            problems,
        };
    };
    let content = match root::read(&document, &mut problems) {
        Root::Empty => Content::Empty,
        Root::Wrong => {
            sort(&mut problems);
            Content::Broken
        }
        Root::Servers(servers) => {
            let source = document.source().showing(reveal::harmless(servers));
            Content::Entries(entries(layer, place, &source, servers, &mut problems))
        }
    };
    Reading { content, problems }
}

fn entries(
    layer: &Arc<str>,
    place: &Path,
    source: &Source,
    servers: &Object,
    problems: &mut Vec<Problem>,
) -> Vec<EntryReading> {
    let mut entries = Vec::with_capacity(servers.len());
    let mut more = More::default();
    for member in servers.members() {
        if member.key().trim().is_empty() {
            problems.push(nameless(source, member));
            continue;
        }
        let room = MAX_PROBLEMS.saturating_sub(problems.len());
        let mut context = Context::new(source, layer, member.key(), room);
        let written = read_entry(&mut context, member.key_span(), member.value());
        let failed = matches!(written, Written::Failed);
        let (found, uncounted) = context.finish();
        more.errors += uncounted.errors;
        more.warnings += uncounted.warnings;
        for problem in &found {
            match problem.severity() {
                _ if problems.len() < MAX_PROBLEMS => problems.push(problem.clone()),
                Severity::Error => more.errors += 1,
                Severity::Warning => more.warnings += 1,
            }
        }
        let position = member.key_position();
        entries.push(EntryReading {
            name: member.key().into(),
            origin: Origin::in_file(Arc::clone(layer), source.shared_file(), position),
            excerpt: source.excerpt(member.key_span()),
            fingerprint: Fingerprint::of(place, member.key(), member.value()),
            written,
            problems: if failed { found } else { Vec::new() },
        });
    }
    sort(problems);
    problems.extend(summary(more).map(|problem| problem.in_file(source.file())));
    entries
}

/// People read a file from top to bottom.
fn sort(problems: &mut [Problem]) {
    problems.sort_by_key(|problem| (problem.line(), problem.column()));
}

/// Tells of problems that are not told one by one.
fn summary(more: More) -> Option<Problem> {
    let More { errors, warnings } = more;
    let count = errors + warnings;
    let message = match count {
        1 => "and 1 more problem in this file".to_owned(),
        _ => format!("and {count} more problems in this file, {errors} of them errors"),
    };
    let help = "mend those above first";
    match (errors, warnings) {
        (0, 0) => None,
        (0, _) => Some(Problem::warning(message).with_help(help)),
        (_, _) => Some(Problem::error(message).with_help(help)),
    }
}

fn nameless(source: &Source, member: &Member) -> Problem {
    let path = JsonPath::root().member("mcpServers").member(member.key());
    source
        .problem(
            Severity::Error,
            member.key_span(),
            &path,
            "a server needs a name that is not empty",
        )
        .with_help("give it a name; its tools are called mcp__NAME__…")
}
