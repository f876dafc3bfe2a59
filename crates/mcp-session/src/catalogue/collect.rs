//! Which tools of the servers reach the model, and under which names.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_config::{Exposure, Problem, ServerEntry, ToolExposure};
use mcp_naming::NameTable;

use crate::plugin::{Candidate, Runner};
use crate::server::{ListedTool, Shared, ToolList};

/// A server with the listing that this exchange is frozen on.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) server: Arc<Shared>,
    pub(crate) entry: Arc<ServerEntry>,
    pub(crate) tools: Arc<ToolList>,
}

impl Offer {
    /// Whether it is the very same offer, so that what was made of it can be used again.
    pub(crate) fn is(&self, other: &Offer) -> bool {
        Arc::ptr_eq(&self.server, &other.server)
            && Arc::ptr_eq(&self.entry, &other.entry)
            && Arc::ptr_eq(&self.tools, &other.tools)
    }
}

/// The direct tools of all servers under their exposed names; new names are given in one batch, so
/// that no order of servers or tools matters.
pub(crate) fn collect(
    offers: &[Offer],
    names: &mut NameTable,
    problems: &mut Vec<Problem>,
) -> BTreeMap<Arc<str>, Candidate> {
    let mut shown: Vec<(&Offer, &Arc<ListedTool>)> = Vec::new();
    for offer in offers {
        let unmatched = unmatched(&offer.entry, &offer.tools);
        let notes = offer.tools.problems().iter().chain(&unmatched);
        problems.extend(notes.map(|note| warning(offer, note)));
        let direct = offer
            .tools
            .iter()
            .filter(|tool| offer.entry.exposure_of(&tool.raw_name) == Exposure::Direct);
        shown.extend(
            direct
                .filter(|tool| usable(offer, tool, problems))
                .map(|tool| (offer, tool)),
        );
    }
    let pairs = shown
        .iter()
        .map(|(offer, tool)| (&*offer.server.name, &*tool.raw_name));
    let given = names.assign(pairs);
    let shown = shown
        .into_iter()
        .zip(given)
        .filter_map(|((offer, tool), name)| match name {
            Ok(name) => Some((Arc::from(name.as_str()), candidate(offer, tool))),
            Err(problem) => {
                problems.push(warning(offer, &problem.to_string()));
                None
            }
        });
    shown.collect()
}

fn usable(offer: &Offer, tool: &ListedTool, problems: &mut Vec<Problem>) -> bool {
    let Some(reason) = tool.input.withheld() else {
        return true;
    };
    problems.push(warning(
        offer,
        &format!("tool \"{}\" is withheld: {reason}", tool.raw_name),
    ));
    false
}

fn candidate(offer: &Offer, tool: &Arc<ListedTool>) -> Candidate {
    let runner = Runner::Server {
        server: Arc::clone(&offer.server),
        entry: Arc::clone(&offer.entry),
        listed: Arc::clone(tool),
    };
    Candidate {
        shown: Arc::clone(tool),
        runner,
        hooks: Vec::new(),
    }
}

fn warning(offer: &Offer, message: &str) -> Problem {
    Problem::warning(format!("server \"{}\": {message}", offer.server.name))
        .with_server(&offer.server.name)
}

/// A note for each rule of `toolExposure` that means no tool of the server.
pub(crate) fn unmatched(entry: &ServerEntry, tools: &ToolList) -> Vec<String> {
    let rules = entry
        .tool_exposure()
        .into_iter()
        .flat_map(ToolExposure::rules);
    let idle = rules.filter(|(rule, exposure)| {
        let alone = ToolExposure::from_iter([(*rule, *exposure)]);
        !tools.iter().any(|tool| alone.get(&tool.raw_name).is_some())
    });
    idle.map(|(rule, _)| format!("toolExposure: \"{rule}\" means none of the server's tools"))
        .collect()
}
