//! The grammar of one value of `env`, by what it resolves to.

use std::path::Path;

use mcp_config::{Environment, Outputs, ResolvedTransport, Template};
use proptest::prelude::*;

use crate::support::entry;

fn environment() -> Environment {
    [
        ("A", "1"),
        ("B_2", "two"),
        ("EMPTY", ""),
        ("BANG", "!echo x"),
        ("REF", "${A}"),
        ("é", "no name"),
    ]
    .into_iter()
    .collect()
}

/// What a value of `env` resolves to, or the errors.
fn expand(value: &str) -> Result<String, String> {
    let json = serde_json::json!({ "command": "srv", "env": { "V": value } }).to_string();
    let resolved = entry(&json).resolve(&environment(), &Outputs::new(), Path::new("/base"));
    match resolved {
        Ok(resolved) => match resolved.transport {
            ResolvedTransport::Stdio { env, .. } => Ok(env[0].1.expose().to_owned()),
            ResolvedTransport::Http { .. } => panic!("a command means stdio"),
        },
        Err(errors) => Err(errors
            .iter()
            .map(|(_, error)| error.to_string())
            .collect::<Vec<_>>()
            .join("; ")),
    }
}

#[test]
fn references_and_literals() {
    for (value, expected) in [
        ("", ""),
        ("plain", "plain"),
        ("${A}", "1"),
        ("$A", "1"),
        ("$<A>", "1"),
        ("x${A}y$A-z$<A>", "x1y1-z1"),
        ("$B_2!", "two!"),
        ("${EMPTY}", ""),
        ("${A}${B_2}", "1two"),
        ("$$", "$"),
        ("$${A}", "${A}"),
        ("$$A $$$A", "$A $1"),
        ("cost: $5", "cost: $5"),
        ("100$", "100$"),
        ("$ A", "$ A"),
        ("${}", "${}"),
        ("${1A}", "${1A}"),
        ("$<A", "$<A"),
        ("$<>", "$<>"),
        ("$é", "$é"),
        ("${A b}", "${A b}"),
        ("{A}", "{A}"),
        // What a variable holds is taken as it is.
        ("${REF}", "${A}"),
        ("${BANG}", "!echo x"),
        ("x!y", "x!y"),
        (" !echo", " !echo"),
        ("!!echo $A", "!echo 1"),
        ("!!", "!"),
    ] {
        assert_eq!(expand(value).as_deref(), Ok(expected), "{value}");
    }
}

#[test]
fn defaults_stand_in_for_unset_and_empty_variables() {
    for (value, expected) in [
        ("${NO:-d}", "d"),
        ("${EMPTY:-d}", "d"),
        ("${A:-d}", "1"),
        ("${NO:-}", ""),
        ("${NO:-a b:c}", "a b:c"),
        ("${NO:-$A}", "1"),
        ("${NO:-${NO2:-${A}}}", "1"),
        ("${NO:-$$5}", "$5"),
        ("${NO:-x}}", "x}"),
        ("${A:-${NO}}", "1"),
        ("${NO:-https://h.invalid/?a=b}", "https://h.invalid/?a=b"),
    ] {
        assert_eq!(expand(value).as_deref(), Ok(expected), "{value}");
    }
}

#[test]
fn what_is_missing_is_named() {
    for (value, expected) in [
        ("${NO}", "environment variable NO is not set"),
        ("$NO", "environment variable NO is not set"),
        ("$<NO>", "environment variable NO is not set"),
        (
            "${NO}${NO2}",
            "environment variable NO is not set; environment variable NO2 is not set",
        ),
        (
            "${NO:?get one at x.invalid}",
            "environment variable NO is not set: get one at x.invalid",
        ),
        (
            "${EMPTY:?say}",
            "environment variable EMPTY is not set: say",
        ),
        ("${NO:?}", "environment variable NO is not set"),
        ("${EMPTY:? }", "environment variable EMPTY is not set"),
        ("${NO:-${NO2}}", "environment variable NO2 is not set"),
    ] {
        assert_eq!(expand(value).unwrap_err(), expected, "{value}");
    }
    assert_eq!(expand("${A:?say}").as_deref(), Ok("1"));
}

#[test]
fn what_is_not_closed_stands_for_itself() {
    for value in ["${A", "${A:-x", "${A:?x", "${A:-${B_2:-y"] {
        assert_eq!(expand(value).as_deref(), Ok(value), "{value}");
    }
    assert_eq!(expand("${A:-$A").as_deref(), Ok("${A:-1"));
    assert_eq!(expand("${A:+x}").as_deref(), Ok("${A:+x}"));
}

#[test]
fn deep_and_long_values_take_linear_time() {
    let deep = "${A:-".repeat(200_000);
    assert_eq!(expand(&deep).as_deref(), Ok(deep.as_str()));
    let closed = format!("{}x{}", "${NO:-".repeat(9), "}".repeat(9));
    assert_eq!(
        expand(&closed).as_deref(),
        Ok("${NO:-x}"),
        "the ninth level stands for itself"
    );
    let messages = "${A:?".repeat(200_000);
    assert_eq!(expand(&messages).as_deref(), Ok(messages.as_str()));
}

#[test]
fn a_template_shows_its_references_and_hides_its_literals() {
    for (value, shown) in [
        ("tok-planted", "[SECRET]"),
        ("Bearer ${T}", "Bearer ${T}"),
        ("planted ${T}", "[SECRET]${T}"),
        ("$T:$<U>", "${T}:${U}"),
        ("${T:-planted}", "${T:-[SECRET]}"),
        ("${T:?set it}", "${T:?set it}"),
        ("!echo planted", "![SECRET]"),
        ("", ""),
    ] {
        let template = Template::new(value);
        assert_eq!(template.to_string(), shown, "{value}");
        assert!(!format!("{template:?}").contains("planted"), "{value}");
        assert_eq!(template.expose(), value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Doubling each dollar sign makes any text stand for itself.
    #[test]
    fn an_escaped_text_stands_for_itself(text in "[a-zA-Z${}<>:?!_ -]{0,40}") {
        let escaped = text.replace('$', "$$");
        let escaped = if escaped.starts_with('!') { format!("!{escaped}") } else { escaped };
        let json = serde_json::json!({ "command": "srv", "env": { "V": escaped } }).to_string();
        let (entry, _) = mcp_config::ServerEntry::parse("a", &json, &mcp_config::Origin::plugin("test"));
        prop_assume!(entry.is_some());
        prop_assert_eq!(expand(&escaped), Ok(text));
    }

    /// No value brings anything down, and its variables are those that resolving asks for.
    #[test]
    fn any_text_is_a_template(text in "[A$${}<>:?!x-]{0,60}") {
        let template = Template::new(&text);
        let variables = template.variables();
        prop_assert!(variables.iter().all(|name| text.contains(name)));
        let _ = format!("{template} {template:?}");
    }
}
