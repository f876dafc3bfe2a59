//! Finding the place of a value by the way to it, as deep as the document goes.

use mcp_config::document::{JsonPath, Node, Span};

/// One step from a value into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Member(String),
    Index(usize),
}

impl From<&str> for Step {
    fn from(name: &str) -> Self {
        Step::Member(name.to_owned())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Step::Index(index)
    }
}

/// The place of the value at the end of the way, or of the last one on it that there is.
pub(super) fn place(root: &Node, way: &[Step]) -> (Span, JsonPath) {
    let mut node = root;
    let mut path = JsonPath::root();
    for step in way {
        let next = match step {
            Step::Member(name) => node.get(name),
            Step::Index(index) => node.as_array().and_then(|items| items.get(*index)),
        };
        let Some(next) = next else { break };
        path = match step {
            Step::Member(name) => path.member(name),
            Step::Index(index) => path.index(*index),
        };
        node = next;
    }
    (node.span(), path)
}

/// The steps of a path such as `rules[0].do[1].send`, as the fixture server writes them.
pub(super) fn steps(path: &str) -> Vec<Step> {
    path.split(['.', '[', ']'])
        .filter(|part| !part.is_empty())
        .map(|part| {
            part.parse()
                .map_or_else(|_| Step::from(part.trim_matches('"')), Step::Index)
        })
        .collect()
}
