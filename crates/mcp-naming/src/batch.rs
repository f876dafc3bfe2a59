//! One batch: which of the new pairs gets which name, whatever the order in which they come.

use std::collections::hash_map::{Entry, OccupiedEntry};
use std::collections::{HashMap, HashSet};

use indexmap::set::Slice;

use crate::exposed::ExposedName;
use crate::pair::RawPair;
use crate::problem::NameProblem;
use crate::scheme::{Plain, Suffixed};
use crate::table::NameTable;

/// Names the pairs of a batch in the table and answers in their order.
pub(crate) fn assign(
    table: &mut NameTable,
    batch: &[(&str, &str)],
) -> Vec<Result<ExposedName, NameProblem>> {
    let start = table.len();
    let mut known = HashSet::new();
    let positions: Vec<_> = batch
        .iter()
        .map(|(server, tool)| enter(table, &mut known, server, tool))
        .collect();

    let new = &table.pairs[start..];
    table.positions.reserve(new.len());
    let names = Newcomers {
        start,
        new,
        positions: &mut table.positions,
    }
    .choose();
    table.exposed.extend(names);

    let name_at = |position: Result<usize, _>| position.map(|at| table.exposed[at].clone());
    positions.into_iter().map(name_at).collect()
}

/// The pair's position in the table, which it enters if it is new; `known` are the old pairs that
/// the batch has held.
fn enter(
    table: &mut NameTable,
    known: &mut HashSet<usize>,
    server: &str,
    tool: &str,
) -> Result<usize, NameProblem> {
    if tool.is_empty() {
        return Err(NameProblem::EmptyToolName {
            server: server.to_owned(),
        });
    }
    let named = table.exposed.len();
    match table.pairs.get_index_of(&(server, tool)) {
        None => Ok(table.pairs.insert_full(RawPair::new(server, tool)).0),
        Some(position) if position < named && known.insert(position) => Ok(position),
        Some(_) => Err(NameProblem::RepeatedPair {
            server: server.to_owned(),
            tool: tool.to_owned(),
        }),
    }
}

/// The pairs of a batch that have no name yet, each known by its index among them.
struct Newcomers<'t> {
    /// The position of the first of them in the table.
    start: usize,
    new: &'t Slice<RawPair>,
    /// Who has which name, in the whole table.
    positions: &'t mut HashMap<ExposedName, usize>,
}

/// What the clean pairs have taken.
struct Claims {
    /// The name of each newcomer, where it has one so far.
    names: Vec<Option<ExposedName>>,
    /// The newcomers that have none.
    rest: Vec<usize>,
    /// What several clean pairs spell, and none of them gets.
    contested: Vec<ExposedName>,
}

impl Newcomers<'_> {
    /// The name of each newcomer, in their order.
    fn choose(mut self) -> impl Iterator<Item = ExposedName> {
        let Claims {
            mut names,
            mut rest,
            contested,
        } = self.claim();
        rest.sort_unstable_by_key(|index| self.new[*index].parts());
        for index in rest {
            let name = self.first_free(index);
            self.positions.insert(name.clone(), self.start + index);
            names[index] = Some(name);
        }
        // Contested names stay taken until here: whoever else collides with one must not have it
        // either.
        for name in &contested {
            self.positions.remove(name);
        }
        names.into_iter().flatten()
    }

    /// Gives the clean pairs their own text. They come first, so that no other newcomer can take it
    /// from them.
    fn claim(&mut self) -> Claims {
        let mut claims = Claims {
            names: vec![None; self.new.len()],
            rest: Vec::new(),
            contested: Vec::new(),
        };
        for (index, pair) in self.new.iter().enumerate() {
            let (server, tool) = pair.parts();
            let plain = Plain::of(server, tool);
            let Some(name) = plain.clean_name().map(ExposedName::from_scheme) else {
                claims.rest.push(index);
                continue;
            };
            match self.positions.entry(name) {
                Entry::Vacant(free) => {
                    claims.names[index] = Some(free.key().clone());
                    free.insert(self.start + index);
                }
                Entry::Occupied(taken) => {
                    claims.rest.push(index);
                    claims.contest(&taken, self.start);
                }
            }
        }
        claims
    }

    /// The first name that the newcomer may have and nobody has.
    fn first_free(&self, index: usize) -> ExposedName {
        let (server, tool) = self.new[index].parts();
        let plain = Plain::of(server, tool);
        if let Some(name) = plain
            .name()
            .filter(|name| !self.positions.contains_key(*name))
        {
            return ExposedName::from_scheme(name);
        }
        let mut suffixed = Suffixed::new(server, tool, &plain);
        loop {
            let name = suffixed.next_name();
            if !self.positions.contains_key(name.as_str()) {
                return ExposedName::from_scheme(&name);
            }
        }
    }
}

impl Claims {
    /// Takes a name back from the newcomer that claimed it first, or the order of the batch would
    /// show.
    fn contest(&mut self, taken: &OccupiedEntry<'_, ExposedName, usize>, start: usize) {
        let Some(index) = taken.get().checked_sub(start) else {
            return;
        };
        if self.names[index].take().is_some() {
            self.rest.push(index);
            self.contested.push(taken.key().clone());
        }
    }
}
