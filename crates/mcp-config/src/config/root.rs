//! The outermost object of a file: where its servers are, and whose format it is if they are elsewhere.

use super::shape;
use crate::document::{Document, JsonPath, Member, Object, Span};
use crate::entry::is_entry;
use crate::problem::{Problem, Severity, short};

/// How many unknown members of the outermost object are reported one by one.
const MAX_UNKNOWN: usize = 8;

/// What a whole document is.
pub(super) enum Root<'a> {
    /// It has no servers and says nothing else.
    Empty,
    /// It has servers.
    Servers(&'a Object),
    /// It is something else; the problems say what.
    Wrong,
}

/// Finds the servers of a document. It goes on with a document that has other members beside them.
pub(super) fn read<'a>(document: &'a Document, problems: &mut Vec<Problem>) -> Root<'a> {
    let mut report = Report { document, problems };
    let root = document.root();
    let Some(object) = root.as_object() else {
        let message = format!("expected an object, found {}", root.kind());
        report.error(
            root.span(),
            &JsonPath::root(),
            message,
            &shape::not_an_object(root),
        );
        return Root::Wrong;
    };
    match object.get("mcpServers") {
        Some(servers) => {
            report.others(object, true);
            if let Some(servers) = servers.value().as_object() {
                return Root::Servers(servers);
            }
            report.wrong_servers(servers);
            Root::Wrong
        }
        None if object
            .members()
            .iter()
            .all(|member| member.key() == "$schema") =>
        {
            Root::Empty
        }
        None => {
            report.no_servers(object);
            Root::Wrong
        }
    }
}

struct Report<'a, 'p> {
    document: &'a Document,
    problems: &'p mut Vec<Problem>,
}

impl Report<'_, '_> {
    fn error(&mut self, span: Span, path: &JsonPath, message: String, help: &str) {
        let problem = self
            .document
            .source()
            .problem(Severity::Error, span, path, message);
        self.problems.push(problem.with_help(help));
    }

    fn warn(&mut self, member: &Member, message: String, help: &str) {
        let path = JsonPath::root().member(member.key());
        let source = self.document.source();
        let problem = source.problem(Severity::Warning, member.key_span(), &path, message);
        self.problems.push(problem.with_help(help));
    }

    fn wrong_servers(&mut self, servers: &Member) {
        let message = format!("expected an object, found {}", servers.value().kind());
        let path = JsonPath::root().member("mcpServers");
        self.error(
            servers.value().span(),
            &path,
            message,
            &shape::not_an_object(servers.value()),
        );
    }

    fn no_servers(&mut self, object: &Object) {
        let foreign = object
            .members()
            .iter()
            .find_map(|member| Some((member, shape::foreign(member)?)));
        if let Some((member, foreign)) = foreign {
            let path = JsonPath::root().member(member.key());
            let message = format!(
                "`{}` is {}; this file needs `mcpServers`",
                member.key(),
                foreign.whose
            );
            return self.error(member.key_span(), &path, message, &foreign.instead);
        }
        let root = self.document.root();
        let bare = object
            .members()
            .iter()
            .find(|member| is_entry(member.value()));
        if is_entry(root) {
            let help = "give the server a name: { \"mcpServers\": { \"name\": { … } } }";
            let message = "this is a single entry, not a file of servers".to_owned();
            self.error(root.span(), &JsonPath::root(), message, help);
        } else if let Some(member) = bare {
            let help = "put all of them into one object: { \"mcpServers\": { … } }";
            let message = format!(
                "the server `{}` stands at the top of the file",
                short(member.key())
            );
            let path = JsonPath::root().member(member.key());
            self.error(member.key_span(), &path, message, help);
        } else {
            let help = "write { \"mcpServers\": { \"name\": { \"command\": \"…\" } } }; is it another program's file?";
            let message = "the file has no `mcpServers`".to_owned();
            self.error(root.span(), &JsonPath::root(), message, help);
        }
    }

    /// Everything beside `mcpServers`.
    fn others(&mut self, object: &Object, has_servers: bool) {
        let beside = |member: &&Member| !matches!(member.key(), "mcpServers" | "$schema");
        let others: Vec<&Member> = object.members().iter().filter(beside).collect();
        for member in others.iter().take(MAX_UNKNOWN) {
            match shape::foreign(member).filter(|_| has_servers) {
                Some(foreign) => {
                    let message = format!(
                        "`{}`, which is {}, is ignored, because `mcpServers` is there too",
                        member.key(),
                        foreign.whose
                    );
                    self.warn(
                        member,
                        message,
                        "move its servers into `mcpServers`, or remove it",
                    );
                }
                None if member.key() == "inputs" => {
                    let message = "unknown member `inputs`, which has no effect".to_owned();
                    self.warn(
                        member,
                        message,
                        "nobody is asked for inputs: set a variable, and write ${NAME}",
                    );
                }
                None => {
                    let message = format!(
                        "unknown member `{}`, which has no effect",
                        short(member.key())
                    );
                    self.warn(member, message, "only `mcpServers` is read");
                }
            }
        }
        if let Some(more) = others.get(MAX_UNKNOWN) {
            let count = others.len() - MAX_UNKNOWN;
            let message = match count {
                1 => "and 1 more unknown member, which has no effect".to_owned(),
                _ => format!("and {count} more unknown members, which have no effect"),
            };
            self.warn(
                more,
                message,
                "only `mcpServers` is read; is it another program's file?",
            );
        }
    }
}
