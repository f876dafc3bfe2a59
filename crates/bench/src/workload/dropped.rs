//! How long a call waits for its failure when the server ends instead of answering.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::Figures;
use crate::client::Client;
use crate::outcome::Outcome;
use crate::peer::{EXIT_TOOL, Form, PeerSpec};
use crate::statistics::Spread;

const PEER: PeerSpec = PeerSpec {
    text: 100,
    tools: 1,
    schema: 100,
    form: Form::Json,
};
/// A client that has said nothing by then is taken to say nothing at all.
const PATIENCE: Duration = Duration::from_secs(20);

/// Opens that many connections and ends the server of each in the middle of a call.
pub(super) async fn dropped<C: Client>(count: usize) -> Outcome<Figures> {
    let mut waits = Vec::with_capacity(count);
    for _ in 0..count {
        let client = C::connect(PEER).await?;
        let begin = Instant::now();
        match timeout(PATIENCE, client.call(EXIT_TOOL)).await {
            Ok(Ok(_)) => return Err("a server that has ended answered".into()),
            Ok(Err(_)) | Err(_) => waits.push(begin.elapsed().as_secs_f64() * 1e3),
        }
    }
    let spread = Spread::of(waits).ok_or("no connection was opened")?;
    Ok(Figures::from([
        ("failure_ms", spread.median),
        ("slowest_ms", spread.high),
    ]))
}
