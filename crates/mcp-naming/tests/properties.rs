//! What holds for any servers and tools, in any order, over any number of batches.

use std::collections::BTreeMap;

use mcp_naming::{ExposedName, NameTable};
use proptest::collection::vec;
use proptest::prelude::*;

type Pair = (String, String);

/// Few and similar texts, so that they collide in every way that there is.
fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[ab_.é]{0,4}",
        2 => "[a_]{20,30}",
        1 => "[ab]{60,70}",
        1 => "a__b|a_b|a_|_a|__|_",
        1 => any::<String>(),
    ]
}

fn batch() -> impl Strategy<Value = Vec<Pair>> {
    vec((segment(), segment()), 0..30)
}

/// A batch, and the same in another order.
fn shuffled() -> impl Strategy<Value = (Vec<Pair>, Vec<Pair>)> {
    batch().prop_flat_map(|batch| (Just(batch.clone()), Just(batch).prop_shuffle()))
}

/// Names a batch; the outcome is by raw pair, so that it can be compared whatever the order.
fn assign(table: &mut NameTable, batch: &[Pair]) -> BTreeMap<Pair, String> {
    let outcomes = table.assign(batch.iter().map(|(server, tool)| (&**server, &**tool)));
    assert_eq!(outcomes.len(), batch.len());
    let named = batch.iter().zip(outcomes);
    named
        .filter_map(|(pair, outcome)| Some((pair.clone(), outcome.ok()?.to_string())))
        .collect()
}

/// The pairs that spell a name as their own text, one for each place where server and tool may
/// meet.
fn look_alikes(name: &str) -> Vec<Pair> {
    let body = name.trim_start_matches("mcp__");
    let places = (0..body.len().saturating_sub(1)).filter(|at| body[*at..].starts_with("__"));
    places
        .map(|at| (body[..at].to_owned(), body[at + 2..].to_owned()))
        .collect()
}

/// The text that a clean pair spells; `None` for the others.
fn clean_text((server, tool): &Pair) -> Option<String> {
    let allowed = |segment: &String| {
        segment
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && segment.bytes().any(|byte| byte != b'_')
    };
    let text = format!("mcp__{server}__{tool}");
    (allowed(server) && allowed(tool) && text.len() <= 64).then_some(text)
}

proptest! {
    #[test]
    fn every_tool_with_a_name_has_an_exposed_one_of_its_own(batch in batch()) {
        let mut table = NameTable::new();
        let names = assign(&mut table, &batch);
        for pair in &batch {
            prop_assert_eq!(names.contains_key(pair), !pair.1.is_empty());
        }
        for ((server, tool), name) in &names {
            prop_assert!(name.len() <= 64);
            prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
            // It leads back to this pair, so no other pair can have it.
            prop_assert_eq!(table.resolve(name), Some((&**server, &**tool)));
        }
        prop_assert_eq!(table.len(), names.len());
    }

    #[test]
    fn the_order_of_a_batch_does_not_show(
        (batch, other) in shuffled(),
        earlier in batch(),
    ) {
        let mut table = NameTable::new();
        assign(&mut table, &earlier);
        let mut second = table.clone();
        prop_assert_eq!(assign(&mut table, &batch), assign(&mut second, &other));
        prop_assert_eq!(serde_json::to_string(&table)?, serde_json::to_string(&second)?);
    }

    #[test]
    fn a_name_stays_with_its_tool_for_the_session(batches in vec(batch(), 1..6), resume in any::<bool>()) {
        let mut table = NameTable::new();
        let mut owners: BTreeMap<String, Pair> = BTreeMap::new();
        let mut given: BTreeMap<Pair, String> = BTreeMap::new();
        for batch in &batches {
            for (pair, name) in assign(&mut table, batch) {
                prop_assert_eq!(given.entry(pair.clone()).or_insert(name.clone()), &name);
                prop_assert_eq!(owners.entry(name).or_insert(pair.clone()), &pair);
            }
            if resume {
                table = serde_json::from_str(&serde_json::to_string(&table)?)?;
            }
        }
        for ((server, tool), name) in &given {
            prop_assert_eq!(table.get(server, tool).map(ExposedName::as_str), Some(&**name));
        }
    }

    #[test]
    fn an_uncontested_clean_name_is_left_as_it_is(batch in batch()) {
        let mut spelled: BTreeMap<String, Vec<&Pair>> = BTreeMap::new();
        for pair in &batch {
            let Some(text) = clean_text(pair) else { continue };
            let pairs = spelled.entry(text).or_default();
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        let names = assign(&mut NameTable::new(), &batch);
        for (text, pairs) in spelled {
            for pair in &pairs {
                prop_assert_eq!(names[*pair] == text, pairs.len() == 1);
            }
        }
    }

    #[test]
    fn look_alikes_of_given_names_change_nothing(batch in batch()) {
        let mut table = NameTable::new();
        let given = assign(&mut table, &batch);
        let look_alikes: Vec<_> = given.values().flat_map(|name| look_alikes(name)).collect();

        let late = assign(&mut table, &look_alikes);
        prop_assert_eq!(&assign(&mut table, &batch), &given);
        for (pair, name) in &late {
            prop_assert!(given.get(pair) == Some(name) || !given.values().any(|taken| taken == name));
        }

        // All in one batch: each still has its own.
        let together: Vec<_> = batch.iter().chain(&look_alikes).cloned().collect();
        let mut names: Vec<_> = assign(&mut NameTable::new(), &together).into_values().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        prop_assert_eq!(names.len(), count);
    }
}
