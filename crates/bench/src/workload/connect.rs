//! Many servers started and connected at once, each with ten small tools that are listed and kept.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Figures;
use crate::client::Client;
use crate::meter::{Memory, Meter, Spent};
use crate::outcome::Outcome;
use crate::peer::{Form, PeerSpec};

pub(super) const PEER: PeerSpec = PeerSpec {
    text: 0,
    tools: 10,
    schema: 100,
    form: Form::Json,
};
/// How long buffers have to go back to rest before memory is read.
pub(super) const REST: Duration = Duration::from_secs(1);

/// Connects that many servers.
pub(super) async fn connect<C: Client>(count: usize) -> Outcome<Figures>
where
    C::Tools: 'static,
{
    let mut attempts = JoinSet::new();
    let meter = Meter::start();
    for _ in 0..count {
        attempts.spawn(async {
            let client = C::connect(PEER).await?;
            let (tools, _) = client.list().await?;
            Outcome::Ok((client, tools))
        });
    }
    let mut kept = Vec::with_capacity(count);
    while let Some(connected) = attempts.join_next().await {
        kept.push(connected??);
    }
    figures(&meter.stop()).await
}

/// What connecting took, and what is resident once all is at rest.
pub(super) async fn figures(spent: &Spent) -> Outcome<Figures> {
    sleep(REST).await;
    Ok(Figures::from([
        ("wall_ms", spent.wall.as_secs_f64() * 1e3),
        ("cpu_ms", spent.cpu.as_secs_f64() * 1e3),
        ("rss_mb", Memory::read()?.now / 1e6),
    ]))
}
