//! A long listing of tools: time, and the memory of a client that keeps it.

use super::{Figures, figure};
use crate::client::Client;
use crate::meter::{Memory, Meter};
use crate::outcome::Outcome;
use crate::peer::{Form, PeerSpec};

/// 1,000 tools whose listing is one line of 3.7 MB.
const PEER: PeerSpec = PeerSpec {
    text: 0,
    tools: 1_000,
    schema: 3_600,
    form: Form::Json,
};

/// Lists the tools a number of times; the last listing is kept while memory is read.
pub(super) async fn list<C: Client>(count: usize) -> Outcome<Figures> {
    let client = C::connect(PEER).await?;
    let before = Memory::read()?;
    let meter = Meter::start();
    for _ in 1..count {
        listing(&client).await?;
    }
    let kept = listing(&client).await?;
    let spent = meter.stop();
    let memory = Memory::read()?;
    drop(kept);
    let mut figures = Figures::from([
        ("cpu_ms", spent.cpu.as_secs_f64() * 1e3 / figure(count)),
        ("wall_ms", spent.wall.as_secs_f64() * 1e3 / figure(count)),
        ("rss_mb", memory.now / 1e6),
        ("peak_mb", memory.peak / 1e6),
        ("grown_mb", (memory.peak - before.now) / 1e6),
    ]);
    let allocations = spent.allocations.map(figure);
    let listed = figure(count * PEER.tools);
    figures.extend(allocations.map(|taken| ("allocations", taken / listed)));
    Ok(figures)
}

async fn listing<C: Client>(client: &C) -> Outcome<C::Tools> {
    let (tools, listed) = client.list().await?;
    if listed == PEER.tools {
        Ok(tools)
    } else {
        Err(format!("{listed} tools were listed in place of {}", PEER.tools).into())
    }
}
