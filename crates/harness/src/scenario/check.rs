//! What the types of the language cannot say: names that must belong together, moves that can be reached,
//! servers that are used.

use std::collections::BTreeSet;

use fixture_server::Script;
use mcp_config::Problem;
use mcp_config::document::{Node, Source};

use super::place::{Step, place, steps};
use super::read::problem_at;
use super::{Await, ClientMove, Event, Laid, Move, PluginScript, Scenario};
use crate::sandbox::Place;

/// Everything that is wrong with a scenario that could be read.
pub(super) fn check(scenario: &Scenario, root: &Node, source: &Source) -> Vec<Problem> {
    let mut check = Check {
        scenario,
        root,
        source,
        problems: Vec::new(),
    };
    check.kind();
    check.scripts();
    for name in scenario.files.keys() {
        check.place(name, &["files".into(), name.as_str().into()]);
    }
    check.redactions();
    let mut used = BTreeSet::new();
    check.exchanges(&mut used);
    check.client(&mut used);
    check.unused_servers(&used);
    check.problems
}

struct Check<'a> {
    scenario: &'a Scenario,
    root: &'a Node,
    source: &'a Source,
    problems: Vec<Problem>,
}

/// What `await: { state: { is: … } }` may wait for.
const STATES: [&str; 9] = [
    "connecting",
    "ready",
    "dropped",
    "failed",
    "disabled",
    "awaiting-approval",
    "stopping",
    "stopped",
    "gone",
];

/// The calls that are going on at a place of the story.
type Running = BTreeSet<String>;

impl Check<'_> {
    fn error(&mut self, way: &[Step], message: String, help: &str) {
        let (span, path) = place(self.root, way);
        self.problems
            .push(problem_at(self.source, span, &path, message, help));
    }

    fn kind(&mut self) {
        match (self.scenario.exchanges.is_empty(), self.scenario.client.is_empty()) {
            (true, true) => self.error(
                &[],
                "nothing happens".to_owned(),
                "write `exchanges: [ … ]` for a session, or `client: [ … ]` for moves on one connection",
            ),
            (false, false) => self.error(
                &["client".into()],
                "a scenario has `exchanges` or `client` moves, not both".to_owned(),
                "make two scenarios of it",
            ),
            _ => {}
        }
    }

    fn scripts(&mut self) {
        for (name, script) in &self.scenario.servers {
            let playable =
                Script::parse(script.as_str()).and_then(|script| script.check_transport());
            if let Err(error) = playable {
                let mut way = vec!["servers".into(), name.as_str().into()];
                way.extend(steps(&error.path));
                self.error(
                    &way,
                    format!("not a behaviour script: {error}"),
                    "fixtures/server/README.md lists what a script may say",
                );
            }
        }
    }

    fn redactions(&mut self) {
        for (index, pointer) in self.scenario.redact.iter().enumerate() {
            if !pointer.starts_with('/') {
                self.error(
                    &["redact".into(), index.into()],
                    format!("`{pointer}` is not a JSON Pointer"),
                    "write it from the root, for example \"/exchanges/*/moves/0/result\"",
                );
            }
        }
    }

    fn exchanges(&mut self, used: &mut BTreeSet<String>) {
        let scenario = self.scenario;
        self.mentions(scenario.files.values(), used);
        for (number, exchange) in scenario.exchanges.iter().enumerate() {
            let here: Vec<Step> = vec!["exchanges".into(), number.into()];
            if exchange.resume && number == 0 {
                self.error(
                    &with(&here, ["resume".into()]),
                    "there is no session to resume before the first exchange".to_owned(),
                    "put `resume: true` on a later exchange",
                );
            }
            for (list, events) in [("before", &exchange.before), ("during", &exchange.during)] {
                for (index, event) in events.iter().enumerate() {
                    self.event(event, &with(&here, [list.into(), index.into()]), used);
                }
            }
            let mut running = Running::new();
            for (index, step) in exchange.moves.iter().enumerate() {
                self.model_move(
                    step,
                    &with(&here, ["moves".into(), index.into()]),
                    &mut running,
                    used,
                );
            }
            self.left_running(&running, &with(&here, ["moves".into()]));
        }
    }

    fn model_move(
        &mut self,
        step: &Move,
        way: &[Step],
        running: &mut Running,
        used: &mut BTreeSet<String>,
    ) {
        match step {
            Move::Say(_) => {}
            Move::Call(call) => self.arguments(call, &with(way, ["call".into()])),
            Move::Parallel(calls) => {
                for (index, call) in calls.iter().enumerate() {
                    self.arguments(call, &with(way, ["parallel".into(), index.into()]));
                }
            }
            Move::Start(start) => {
                self.arguments(&start.call, &with(way, ["start".into(), "call".into()]));
                self.begins(&start.name, way, running);
            }
            Move::Finish(name) | Move::Cancel(name) => self.ends(name, way, running),
            Move::Event(event) => self.event(event, &with(way, ["event".into()]), used),
        }
    }

    fn arguments(&mut self, call: &super::ModelCall, way: &[Step]) {
        if call.arguments.is_some() && call.text.is_some() {
            self.error(
                &with(way, ["text".into()]),
                "`arguments` and `text` both say what the model wrote".to_owned(),
                "keep `text` only where it is not JSON",
            );
        }
    }

    fn client(&mut self, used: &mut BTreeSet<String>) {
        let mut running = Running::new();
        let mut connected = false;
        for (index, step) in self.scenario.client.iter().enumerate() {
            let way = ["client".into(), index.into()];
            match step {
                ClientMove::Connect(connect) => {
                    connected = true;
                    self.connect(connect, &with(&way, ["connect".into()]), used);
                }
                ClientMove::Event(event) => {
                    let way = with(&way, ["event".into()]);
                    self.without_session(event, &way);
                    self.event(event, &way, used);
                }
                ClientMove::ServerLog => {}
                _ if !connected => self.error(
                    &way,
                    "there is no connection yet".to_owned(),
                    "begin with { connect: { server: … } }",
                ),
                ClientMove::Start(start) => self.begins(&start.name, &way, &mut running),
                ClientMove::Finish(name) | ClientMove::Cancel(name) | ClientMove::Forget(name) => {
                    self.ends(name, &way, &mut running);
                }
                _ => {}
            }
        }
        self.left_running(&running, &["client".into()]);
    }

    fn connect(&mut self, connect: &super::Connect, way: &[Step], used: &mut BTreeSet<String>) {
        match (&connect.server, &connect.command, &connect.web, &connect.url) {
            (Some(server), None, None, None) => {
                self.server(server, &with(way, ["server".into()]), used);
            }
            (None, None, Some(web), None) => {
                let way = with(way, ["web".into()]);
                self.web(web, &way);
                used.insert(web.clone());
            }
            (None, Some(_), None, None) | (None, None, None, Some(_)) => {}
            _ => self.error(
                way,
                "a connection needs one of `server`, `web`, `command` and `url`".to_owned(),
                "`server` and `web` name scripts of this file, `command` any program, `url` any endpoint",
            ),
        }
    }

    fn begins(&mut self, name: &str, way: &[Step], running: &mut Running) {
        if !running.insert(name.to_owned()) {
            self.error(
                &with(way, ["start".into(), "name".into()]),
                format!("a call named `{name}` is already going on"),
                "end it first, or choose another name",
            );
        }
    }

    fn ends(&mut self, name: &str, way: &[Step], running: &mut Running) {
        if !running.remove(name) {
            self.error(
                way,
                format!("no call named `{name}` is going on here, so this can never be reached"),
                "begin one with { start: { name: …, call: … } }",
            );
        }
    }

    fn left_running(&mut self, running: &Running, way: &[Step]) {
        for name in running {
            self.error(
                way,
                format!("the call `{name}` never ends"),
                "add { finish: … } or { cancel: … }",
            );
        }
    }

    fn event(&mut self, event: &Event, way: &[Step], used: &mut BTreeSet<String>) {
        match event {
            Event::Open(gate) => self.gate(gate, &with(way, ["open".into()])),
            Event::Write(files) => {
                for name in files.keys() {
                    self.place(name, &with(way, ["write".into(), name.as_str().into()]));
                }
                self.mentions(files.values(), used);
            }
            Event::Remove(name) => self.place(name, &with(way, ["remove".into()])),
            Event::Start(web) => self.web(web, &with(way, ["start".into()])),
            Event::Stop(web) => self.web(web, &with(way, ["stop".into()])),
            Event::Kill(kill) => {
                self.known(&kill.server, &with(way, ["kill".into(), "server".into()]));
            }
            Event::Await(Await::Gate(gate)) => {
                self.gate(gate, &with(way, ["await".into(), "gate".into()]));
            }
            Event::Await(Await::Journal(journal)) => self.known(
                &journal.server,
                &with(way, ["await".into(), "journal".into(), "server".into()]),
            ),
            Event::Await(Await::State(state)) if !STATES.contains(&state.is.as_str()) => self
                .error(
                    &with(way, ["await".into(), "state".into(), "is".into()]),
                    format!(
                        "no server is ever `{}`, so this would wait for ever",
                        state.is
                    ),
                    &format!("the states are {}", STATES.join(", ")),
                ),
            Event::Await(Await::State(_)) | Event::Set(_) | Event::Refresh(_) => {}
        }
    }

    /// Events that happen to a session, among moves on one connection.
    fn without_session(&mut self, event: &Event, way: &[Step]) {
        let word = match event {
            Event::Set(_) => "set",
            Event::Refresh(_) => "refresh",
            Event::Await(Await::State(_)) => "await",
            _ => return,
        };
        self.error(
            &with(way, [word.into()]),
            "this needs a session, and `client` moves have none".to_owned(),
            "write it in a scenario with `exchanges`; a connection has its variables from { connect: { env: … } }",
        );
    }

    fn place(&mut self, name: &str, way: &[Step]) {
        if Place::named(name).is_none() {
            self.error(
                way,
                format!("`{name}` is not a place in the sandbox"),
                "write `user`, `project`, or a relative path without `..`, such as project/data.txt",
            );
        }
    }

    /// A gate that no script knows is a typing error: nothing would ever wait there.
    fn gate(&mut self, gate: &str, way: &[Step]) {
        let literal = format!("{gate:?}");
        if !self
            .scenario
            .servers
            .values()
            .any(|script| script.as_str().contains(&literal))
        {
            self.error(
                way,
                format!("no server has a gate `{gate}`"),
                "a script waits at one with { gate: … } and opens one with { open: … }",
            );
        }
    }

    fn server(&mut self, name: &str, way: &[Step], used: &mut BTreeSet<String>) {
        self.known(name, way);
        used.insert(name.to_owned());
    }

    /// A script that is played over HTTP.
    fn web(&mut self, name: &str, way: &[Step]) {
        self.known(name, way);
        let known = self.scenario.servers.contains_key(name);
        if known && !self.scenario.webs().any(|web| web == name) {
            self.error(
                way,
                format!("the script of `{name}` is not played over HTTP"),
                "give the script the member `http`, an empty object if nothing is special",
            );
        }
    }

    fn known(&mut self, name: &str, way: &[Step]) {
        if !self.scenario.servers.contains_key(name) {
            self.error(
                way,
                format!("there is no script for a server `{name}`"),
                "add it to `servers`",
            );
        }
    }

    /// Servers whose names stand as a whole string in a file, or in the entry of a plugin.
    fn mentions<'f>(&'f self, files: impl Iterator<Item = &'f Laid>, used: &mut BTreeSet<String>) {
        let entries = self.scenario.plugins.iter().flat_map(PluginScript::entries);
        let texts: Vec<&str> = files.map(Laid::as_str).chain(entries).collect();
        for file in texts {
            for name in self.scenario.servers.keys() {
                let quoted = [
                    format!("\"{name}\""),
                    format!("'{name}'"),
                    format!("$URL({name})"),
                ];
                if quoted.iter().any(|literal| file.contains(literal)) {
                    used.insert(name.clone());
                }
            }
        }
    }

    fn unused_servers(&mut self, used: &BTreeSet<String>) {
        for name in self
            .scenario
            .servers
            .keys()
            .filter(|name| !used.contains(*name))
        {
            self.error(
                &["servers".into(), name.as_str().into()],
                format!("the server `{name}` is never started"),
                "name it in a file: { command: \"$FIXTURE\", args: [\"<name>\"] }, or in { connect: … }; a web server as url: \"$URL(<name>)\"",
            );
        }
    }
}

fn with<const N: usize>(way: &[Step], more: [Step; N]) -> Vec<Step> {
    way.iter().cloned().chain(more).collect()
}
