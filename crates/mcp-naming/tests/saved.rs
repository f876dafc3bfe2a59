//! A table outlives its process, and a damaged one is refused.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use mcp_naming::NameTable;

fn saved(table: &NameTable) -> String {
    serde_json::to_string(table).expect("a table can always be saved")
}

#[test]
fn a_table_is_saved_sorted_and_loads_as_it_was() {
    let mut table = NameTable::new();
    table.assign([("s", "read_file"), ("s", "read.file")]);
    table.assign([("a", "日")]);
    let text = saved(&table);
    assert_eq!(
        text,
        concat!(
            r#"{"names":[["a","日","mcp__a____880d9f8b"],"#,
            r#"["s","read.file","mcp__s__read_file_59399518"],["s","read_file","mcp__s__read_file"]]}"#,
        )
    );
    let resumed: NameTable = serde_json::from_str(&text).expect("it was saved by us");
    assert_eq!(saved(&resumed), text);
    for (server, tool, name) in table.iter() {
        assert_eq!(resumed.get(server, tool), Some(name));
        assert_eq!(resumed.resolve(name.as_str()), Some((server, tool)));
    }
}

#[test]
fn names_are_kept_across_a_resume() {
    let mut table = NameTable::new();
    let before = table.assign([("s", "read.file")]);
    let mut resumed: NameTable = serde_json::from_str(&saved(&table)).expect("it was saved by us");
    let after = resumed.assign([("s", "read_file"), ("s", "read.file")]);
    assert_eq!(after[1], before[0]);
    assert_ne!(after[0], before[0]);
}

#[test]
fn a_name_of_an_earlier_scheme_is_kept() {
    let text = r#"{"names":[["s","t","mcp__s__t_v0"]]}"#;
    let mut table: NameTable = serde_json::from_str(text).expect("it has a name's form");
    let names: Vec<_> = table.assign([("s", "t")]).into_iter().flatten().collect();
    assert_eq!(names[0].as_str(), "mcp__s__t_v0");
}

#[test]
fn a_damaged_table_is_refused_with_the_reason() {
    let long = format!(r#"{{"names":[["s","t","mcp__{}"]]}}"#, "x".repeat(60));
    let cases = [
        (
            r#"{"names":[["s","t","mcp__s__t.u"]]}"#,
            r#""mcp__s__t.u" cannot be an exposed name"#,
        ),
        (
            r#"{"names":[["s","t",""]]}"#,
            r#""" cannot be an exposed name"#,
        ),
        (
            r#"{"names":[["s","t","mcp__"]]}"#,
            r#""mcp__" cannot be an exposed name"#,
        ),
        (
            r#"{"names":[["s","t","bash"]]}"#,
            r#""bash" cannot be an exposed name"#,
        ),
        (&long, "cannot be an exposed name"),
        (
            r#"{"names":[["s","","mcp__s__t"]]}"#,
            r#"server "s" has a tool without a name"#,
        ),
        (
            r#"{"names":[["s","t","mcp__s__t"],["s","t","mcp__s__u"]]}"#,
            r#"tool "t" of server "s" has two names"#,
        ),
        (
            r#"{"names":[["s","t","mcp__s__t"],["s","u","mcp__s__t"]]}"#,
            r#"the name "mcp__s__t" is given to two tools"#,
        ),
        (r#"{"names":[["s","t"]]}"#, "invalid length 2"),
        ("{}", "missing field `names`"),
    ];
    for (text, expected) in cases {
        let error = serde_json::from_str::<NameTable>(text)
            .expect_err(text)
            .to_string();
        assert!(
            error.contains(expected),
            "{error:?} does not contain {expected:?}"
        );
    }
}
