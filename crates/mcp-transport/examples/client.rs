//! Connects to a server, shows what it offers, and calls one tool.
//!
//! `cargo run -p mcp-transport --example client -- stdio COMMAND ARGS… [--call NAME JSON]`
//! `cargo run -p mcp-transport --example client -- http URL [--header 'K: V']… [--call NAME JSON]`

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command"
)]

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use mcp_transport::process::{ProcessSpec, base_environment};
use mcp_transport::{CallOptions, ClientInfo, Connection, Event, Events, HttpSpec, Options};
use serde_json::value::RawValue;

const USAGE: &str = "usage: client stdio COMMAND ARGS… [--call NAME JSON]
       client http URL [--header 'K: V']… [--call NAME JSON]";

/// What the command line asks for.
struct Command {
    server: Server,
    call: Option<(String, Box<RawValue>)>,
}

enum Server {
    Stdio(ProcessSpec),
    Http(HttpSpec),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let command = match read_arguments(std::env::args_os().skip(1).collect()) {
        Ok(command) => command,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(command).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            let mut source = error.source();
            while let Some(cause) = source {
                eprintln!("  because: {cause}");
                source = cause.source();
            }
            ExitCode::FAILURE
        }
    }
}

fn read_arguments(mut arguments: Vec<OsString>) -> Result<Command, String> {
    let call = match arguments.iter().rposition(|argument| argument == "--call") {
        None => None,
        Some(at) => {
            let mut call = arguments.split_off(at).into_iter().skip(1);
            let (Some(name), Some(json), None) = (call.next(), call.next(), call.next()) else {
                return Err("--call takes a name and JSON, at the end".to_owned());
            };
            let name = name
                .into_string()
                .map_err(|_| "the tool's name is not UTF-8".to_owned())?;
            let json = RawValue::from_string(json.to_string_lossy().into_owned());
            Some((
                name,
                json.map_err(|error| format!("the arguments are not JSON: {error}"))?,
            ))
        }
    };
    let mut arguments = arguments.into_iter();
    let server = match arguments.next().as_deref().and_then(OsStr::to_str) {
        Some("stdio") => Server::Stdio(process(arguments)?),
        Some("http") => Server::Http(endpoint(arguments)?),
        _ => return Err("the first argument is the kind of the server".to_owned()),
    };
    Ok(Command { server, call })
}

fn process(mut arguments: impl Iterator<Item = OsString>) -> Result<ProcessSpec, String> {
    let program = arguments.next().ok_or("the command is missing")?;
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let environment = base_environment(std::env::vars_os());
    Ok(ProcessSpec::new(program, here)
        .args(arguments)
        .env(environment))
}

fn endpoint(arguments: impl Iterator<Item = OsString>) -> Result<HttpSpec, String> {
    let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    let url = arguments.next().ok_or("the URL is missing")?;
    let mut spec = HttpSpec::new(&url)
        .map_err(|error| error.to_string())?
        .environment(std::env::vars());
    while let Some(option) = arguments.next() {
        let header = arguments.next().filter(|_| option == "--header");
        let header = header.ok_or_else(|| format!("what is {option:?}?"))?;
        let (name, value) = header.split_once(':').ok_or("a header is 'K: V'")?;
        spec = spec
            .header(name.trim(), value.trim())
            .map_err(|error| error.to_string())?;
    }
    Ok(spec)
}

async fn run(command: Command) -> Result<(), Box<dyn Error>> {
    let options = Options::new(ClientInfo::new("example-client", "1.0.0"));
    let (connection, events) = match command.server {
        Server::Stdio(spec) => Connection::stdio(spec, options).await?,
        Server::Http(spec) => Connection::http(spec, options).await?,
    };
    let shown = show(&connection, command.call).await;
    let report = connection.close().await;
    show_events(events).await;
    if let Some(ended) = report.ended {
        println!("ended: {:?}", ended.step);
    }
    shown
}

async fn show(
    connection: &Connection,
    call: Option<(String, Box<RawValue>)>,
) -> Result<(), Box<dyn Error>> {
    let server = connection.server();
    println!(
        "server: {} {}",
        server.name.as_deref().unwrap_or("(unnamed)"),
        server.version.as_deref().unwrap_or("")
    );
    println!("protocol: {} ({})", server.protocol_version, server.era);
    println!(
        "capabilities: {}",
        server.capabilities.raw().map_or("{}", RawValue::get)
    );
    let tools = connection.tools().await?;
    for tool in &tools.items {
        let description = tool.description.as_deref().unwrap_or_default();
        println!(
            "tool: {} – {}",
            tool.name,
            description.lines().next().unwrap_or_default()
        );
    }
    for problem in &tools.problems {
        println!("problem: {problem}");
    }
    if let Some((name, arguments)) = call {
        let result = connection
            .call_tool(&name, &arguments, CallOptions::new())
            .await?;
        println!(
            "{}: {}",
            if result.is_error() {
                "failed"
            } else {
                "result"
            },
            result.raw()
        );
    }
    Ok(())
}

async fn show_events(mut events: Events) {
    while let Some(event) = events.recv().await {
        if let Event::Log(entry) = event {
            println!(
                "{:?} {}: {}",
                entry.source,
                entry.level,
                entry.data.escape_debug()
            );
        }
    }
}
