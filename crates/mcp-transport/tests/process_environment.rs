//! Which variables of the host every server gets.
#![cfg(all(feature = "stdio", unix))]

use mcp_transport::process::base_environment;

#[test]
fn a_server_gets_the_base_variables_and_nothing_else() {
    for (name, passes) in [
        ("HOME", true),
        ("LANG", true),
        ("LC_ALL", true),
        ("LC_TIME", true),
        ("LOGNAME", true),
        ("PATH", true),
        ("SHELL", true),
        ("TERM", true),
        ("TMPDIR", true),
        ("TZ", true),
        ("USER", true),
        ("XDG_CONFIG_HOME", true),
        ("XDG_RUNTIME_DIR", true),
        ("HTTP_PROXY", true),
        ("https_proxy", true),
        ("no_proxy", true),
        ("ALL_PROXY", true),
        ("SSL_CERT_FILE", true),
        ("SSL_CERT_DIR", true),
        ("NODE_EXTRA_CA_CERTS", true),
        ("REQUESTS_CA_BUNDLE", true),
        ("GITHUB_TOKEN", false),
        ("AWS_SECRET_ACCESS_KEY", false),
        ("LD_PRELOAD", false),
        ("NODE_OPTIONS", false),
        ("LCALL", false),
        ("MY_HOME", false),
        ("home", false),
    ] {
        let kept = base_environment([(name, "value")]);
        assert_eq!(kept.len() == 1, passes, "{name}");
    }
}

#[test]
fn values_are_passed_on_as_they_are() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    let odd = OsString::from_vec(b"/home/\xff".to_vec());
    let kept = base_environment([(OsString::from("HOME"), odd.clone())]);
    assert_eq!(kept, [(OsString::from("HOME"), odd)]);
}
