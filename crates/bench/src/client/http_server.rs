//! The process of an HTTP server that a client is measured against.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::server_command;
use crate::outcome::Outcome;
use crate::peer::{HTTP_COMMAND, PeerSpec};

/// A running server; it ends with this value, or with the process that holds it.
pub(super) struct HttpServer {
    pub(super) url: String,
    _child: Child,
}

impl HttpServer {
    /// Starts a server and waits until it listens.
    pub(super) async fn start(peer: PeerSpec) -> Outcome<Self> {
        let mut child = Command::new(server_command()?)
            .args(peer.arguments(HTTP_COMMAND))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = child
            .stdout
            .take()
            .ok_or("the server's output is missing")?;
        let mut port = String::new();
        BufReader::new(output).read_line(&mut port).await?;
        let port: u16 = port
            .trim_end()
            .parse()
            .map_err(|_| format!("the server said {port:?} in place of its port"))?;
        Ok(Self {
            url: format!("http://127.0.0.1:{port}/mcp"),
            _child: child,
        })
    }
}
