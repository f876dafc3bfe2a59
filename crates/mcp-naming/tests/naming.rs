//! What goes wrong with tool names elsewhere, and must not here.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use mcp_naming::{Derivation, NameProblem, NameTable};

/// Names one batch in a new table; a pair without a name is `None`.
fn names<'a>(batch: &[(&'a str, &'a str)]) -> Vec<Option<String>> {
    assign(&mut NameTable::new(), batch)
}

fn assign<'a>(table: &mut NameTable, batch: &[(&'a str, &'a str)]) -> Vec<Option<String>> {
    let outcomes = table.assign(batch.iter().copied());
    outcomes
        .into_iter()
        .map(|outcome| outcome.ok().map(|name| name.to_string()))
        .collect()
}

/// Checks the names of one batch, in both directions of the list.
fn check(batch: &[(&str, &str)], expected: &[&str]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|name| Some((*name).to_owned()))
        .collect();
    assert_eq!(names(batch), expected, "{batch:?}");

    let reversed: Vec<_> = batch.iter().copied().rev().collect();
    let mut outcome = names(&reversed);
    outcome.reverse();
    assert_eq!(outcome, expected, "reversed {batch:?}");
}

/// Checks that each pair of a batch has a name of its own that leads back to it.
fn check_each_reachable(batch: &[(&str, &str)]) {
    let mut table = NameTable::new();
    for (pair, name) in batch.iter().zip(assign(&mut table, batch)) {
        let name = name.expect("each pair has a name");
        assert!(name.len() <= 64, "{name}");
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
            "{name}"
        );
        assert_eq!(table.resolve(&name), Some(*pair));
        assert_eq!(
            table
                .get(pair.0, pair.1)
                .map(mcp_naming::ExposedName::as_str),
            Some(&*name)
        );
    }
}

// nam-01
#[test]
fn dots_become_underscores_and_lead_back_to_the_raw_name() {
    let batch = [("srv", "a.ping"), ("srv", "a.albums.assets.add")];
    check(
        &batch,
        &["mcp__srv__a_ping", "mcp__srv__a_albums_assets_add"],
    );
    check_each_reachable(&batch);
}

// nam-03
#[test]
fn a_space_in_the_server_name_becomes_an_underscore() {
    check(&[("Demo Space", "getItem")], &["mcp__Demo_Space__getItem"]);
}

// nam-04
#[test]
fn servers_without_ascii_letters_have_a_suffix_and_accents_do_not_collide() {
    check(
        &[("数据库", "run"), ("café", "run"), ("cafè", "run")],
        &[
            "mcp_______run_a27d0e9b",
            "mcp__caf___run_8f27d34c",
            "mcp__caf___run",
        ],
    );
}

// nam-05
#[test]
fn tools_that_differ_in_foreign_characters_stay_apart() {
    check(
        &[("s", "生成"), ("s", "生成V2"), ("s", "V2")],
        &["mcp__s_____382c52f7", "mcp__s____V2", "mcp__s__V2"],
    );
    let outcome = NameTable::new().assign([("s", "")]);
    assert_eq!(
        outcome,
        [Err(NameProblem::EmptyToolName { server: "s".into() })]
    );
}

// nam-06, nam-12
#[test]
fn punctuation_twins_are_all_callable_whatever_their_order() {
    let batch = [("s", "read-file"), ("s", "read_file"), ("s", "read.file")];
    check(
        &batch,
        &[
            "mcp__s__read_file_3d3cfd06",
            "mcp__s__read_file",
            "mcp__s__read_file_59399518",
        ],
    );
    check_each_reachable(&batch);

    let mut table = NameTable::new();
    let first = assign(&mut table, &[("s", "pat.batch"), ("s", "pat_batch")]);
    let mut reconnected = assign(&mut table, &[("s", "pat_batch"), ("s", "pat.batch")]);
    reconnected.reverse();
    assert_eq!(first, reconnected);
    assert_eq!(first[1].as_deref(), Some("mcp__s__pat_batch"));
}

// nam-08
#[test]
fn long_tool_names_are_cut_and_short_ones_left_alone() {
    let [long, longer, longest] = [60, 64, 128].map(|length| "t".repeat(length));
    let batch = [
        ("demo-catalog", &*long),
        ("demo-catalog", &*longer),
        ("demo-catalog", &*longest),
        ("demo_catalog", "find"),
    ];
    check_each_reachable(&batch);
    assert_eq!(names(&batch)[3].as_deref(), Some("mcp__demo_catalog__find"));
}

// nam-10
#[test]
fn what_differs_behind_the_cut_still_counts() {
    let shared = "x".repeat(50);
    let (one, two) = (format!("{shared}_one"), format!("{shared}_two"));
    let server = "a_server_of_20_chars";
    check_each_reachable(&[(server, &one), (server, &two), (server, &shared)]);
}

// nam-16
#[test]
fn pairs_that_spell_the_same_text_are_told_apart() {
    for (one, two) in [
        (("demo_", "_x"), ("demo", "__x")),
        (("a__b", "c"), ("a", "b__c")),
    ] {
        check_each_reachable(&[one, two]);
        let met = format!("mcp__{}__{}", one.0, one.1);
        for name in names(&[one, two]).into_iter().flatten() {
            assert!(name.starts_with(&met) && name != met, "{name} has a suffix");
        }
    }
}

// nam-17
#[test]
fn the_same_tool_twice_is_named_once_and_reported() {
    let mut table = NameTable::new();
    let outcome = table.assign([("s", "run"), ("s", "run")]);
    assert_eq!(
        outcome[0].as_ref().map(mcp_naming::ExposedName::as_str),
        Ok("mcp__s__run")
    );
    assert_eq!(
        outcome[1],
        Err(NameProblem::RepeatedPair {
            server: "s".into(),
            tool: "run".into()
        })
    );
    assert_eq!(table.len(), 1);

    let again = table.assign([("s", "run"), ("s", "run")]);
    assert_eq!(again, outcome);
}

// nam-18, nam-21: servers are told apart by the key that the caller gives, and by nothing else.
#[test]
fn the_same_tool_on_two_servers_has_two_names() {
    let batch = [("a", "execute_sql"), ("b", "execute_sql")];
    check(&batch, &["mcp__a__execute_sql", "mcp__b__execute_sql"]);
    check_each_reachable(&batch);
}

// nam-13, nam-14, as far as names go: a look-alike resolves to its own raw pair, by which policy is
// keyed.
#[test]
fn look_alike_servers_resolve_to_their_own_raw_pair() {
    check_each_reachable(&[
        ("foo.bar", "delete"),
        ("foo_bar", "delete"),
        ("foo bar", "delete"),
    ]);
}

// nam-19
#[test]
fn an_unknown_name_resolves_to_nothing() {
    let mut table = NameTable::new();
    assert!(table.is_empty());
    table.assign([("s", "read.file")]);
    for unknown in [
        "",
        "read.file",
        "mcp__s__read.file",
        "mcp__s__read_file_",
        "mcp__s__READ_FILE",
    ] {
        assert_eq!(table.resolve(unknown), None, "{unknown}");
    }
    assert_eq!(table.get("s", "read_file"), None);
}

#[test]
fn each_pair_is_kept_apart_however_odd_its_parts() {
    let huge = "x".repeat(10_000);
    let huge_foreign = "長い".repeat(5_000);
    let underscores = "_".repeat(200);
    check_each_reachable(&[
        ("", "t"),
        (" ", "t"),
        ("\t", "t"),
        ("s", " "),
        ("s", "\0"),
        ("s", "\u{a0}"),
        ("1", "2"),
        ("12", "_"),
        ("1", "2_"),
        ("_", "_"),
        ("__", "__"),
        ("_", "___"),
        (&underscores, &underscores),
        ("s", &underscores),
        (&huge, "t"),
        ("s", &huge),
        (&huge, &huge),
        (&huge_foreign, &huge_foreign),
        ("s", &huge_foreign),
        ("mcp__s", "t"),
        ("mcp", "_s__t"),
    ]);
}

#[test]
fn a_name_that_was_withdrawn_is_not_given_away() {
    let mut table = NameTable::new();
    assign(&mut table, &[("s", "read.file")]);
    // The server now offers only the clean twin, whose own text is the withdrawn tool's name.
    let twin = assign(&mut table, &[("s", "read_file")]);
    assert_eq!(twin[0].as_deref(), Some("mcp__s__read_file_1a8d94ce"));
    let both = assign(&mut table, &[("s", "read_file"), ("s", "read.file")]);
    assert_eq!(
        both,
        [twin[0].clone(), Some("mcp__s__read_file".to_owned())]
    );
}

#[test]
fn a_tool_called_like_anothers_suffixed_name_does_not_replace_it() {
    let twins = [("s", "x.y"), ("s", "x_y")];
    let suffixed = names(&twins)[0].clone().expect("it has a name");
    let look_alike = ("s", suffixed.trim_start_matches("mcp__s__"));

    // In the same batch, the look-alike is clean and has its own text; the other goes around it.
    let batch = [twins[0], twins[1], look_alike];
    check_each_reachable(&batch);
    assert_eq!(names(&batch)[2].as_ref(), Some(&suffixed));

    // Later, the name is taken.
    let mut table = NameTable::new();
    let given = assign(&mut table, &twins);
    let late = assign(&mut table, &[look_alike]);
    assert_ne!(late[0], given[0]);
    assert_eq!(table.resolve(&suffixed), Some(twins[0]));
}

#[test]
fn a_suffix_grows_until_it_is_free_and_never_runs_out() {
    let long = "x".repeat(100);
    for pair in [("s", "..."), ("s", &*long), ("a", "b.c")] {
        // Whoever could fill a saved table takes each name as soon as it is known.
        let mut taken = vec![r#"["a","b_c","mcp__a__b_c"]"#.to_owned()];
        for thief in 0..200 {
            let saved = format!(r#"{{"names":[{}]}}"#, taken.join(","));
            let mut table: NameTable = serde_json::from_str(&saved).expect("the table is valid");
            let name = assign(&mut table, &[pair])[0]
                .clone()
                .expect("it has a name");
            assert!(name.len() <= 64 && name.starts_with("mcp__"), "{name}");
            assert_eq!(table.resolve(&name), Some(pair));
            taken.push(format!(r#"["thief","{thief}","{name}"]"#));
        }
    }
}

#[test]
fn the_way_to_a_name_can_be_told() {
    let long = "x".repeat(64);
    let pairs = [
        ("git", "log"),
        ("my files", "read.all"),
        ("s", "a.b"),
        ("s", "a_b"),
        ("日历", "list"),
        ("s", long.as_str()),
        ("a", "b__c"),
        ("a__b", "c"),
    ];
    let mut table = NameTable::new();
    table.assign(pairs);
    let ways = pairs.map(|(server, tool)| table.derivation(server, tool));
    let expected = [
        Derivation::Verbatim,
        Derivation::Sanitised,
        Derivation::Clash,
        Derivation::Verbatim,
        Derivation::Unreadable,
        Derivation::Cut,
        Derivation::Clash,
        Derivation::Clash,
    ];
    assert_eq!(ways, expected.map(Some));
    assert_eq!(table.derivation("git", "push"), None);
}
