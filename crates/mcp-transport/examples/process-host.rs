//! A host that starts each argument as a server (a shell script), says so, and then ends in the
//! way that the first argument names: the tests of host death run it and kill it.
//!
//! `process-host wait 'echo; while :; do sleep 1; done'`, then kill it, and look what is left.
#![cfg_attr(
    all(feature = "stdio", unix),
    expect(
        clippy::print_stdout,
        clippy::panic,
        reason = "an example speaks to its user, and this one panics on request"
    )
)]

#[cfg(all(feature = "stdio", unix))]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    use mcp_transport::process::{ProcessGroup, ProcessSpec};
    use tokio::io::AsyncReadExt;

    let mut arguments = std::env::args().skip(1);
    let end = arguments.next().unwrap_or_default();
    let mut servers = Vec::new();
    for script in arguments {
        let spec = ProcessSpec::new("/bin/sh", "/")
            .args(["-c", &script])
            .env([("PATH", "/usr/bin:/bin")]);
        let (group, mut pipes) = ProcessGroup::spawn(&spec)?;
        // Each script prints a byte once it is set up.
        pipes.stdout.read_u8().await?;
        servers.push((group, pipes));
    }
    println!("up");
    match end.as_str() {
        // Kept from being dropped, as by a host that leaks its sessions.
        "return" => servers.into_iter().for_each(std::mem::forget),
        "panic" => panic!("as asked"),
        "exit" => std::process::exit(3),
        "abort" => std::process::abort(),
        "exec" => return Err(exec().into()),
        _ => std::future::pending().await,
    }
    Ok(())
}

/// Becomes another program, which knows nothing of the servers.
#[cfg(all(feature = "stdio", unix))]
fn exec() -> std::io::Error {
    use std::os::unix::process::CommandExt;

    std::process::Command::new("/bin/sleep").arg("1000").exec()
}

#[cfg(not(all(feature = "stdio", unix)))]
fn main() {}
