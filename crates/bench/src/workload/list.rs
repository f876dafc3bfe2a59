//! A long listing of tools: time, and the memory of a client that keeps it.

use super::{Figures, figure};
use crate::client::Client;
use crate::meter::{Memory, Meter};
use crate::outcome::Outcome;
use crate::peer::{Form, PeerSpec};

/// Bytes of schema a tool: a page of 1,000 tools is one line of 3.7 MB.
pub(super) const SCHEMA: usize = 3_600;

/// So few that 10,000 tools are no longer than a connection takes, which is 16 MiB.
pub(super) const SHORT_SCHEMA: usize = 1_200;

/// Lists that many tools a number of times; the last listing is kept while memory is read.
pub(super) async fn list<C: Client>(schema: usize, tools: usize, count: usize) -> Outcome<Figures> {
    let peer = PeerSpec {
        text: 0,
        tools,
        schema,
        form: Form::Json,
    };
    let client = C::connect(peer).await?;
    let before = Memory::read()?;
    let meter = Meter::start();
    for _ in 1..count {
        listing(&client, tools).await?;
    }
    let kept = listing(&client, tools).await?;
    let spent = meter.stop();
    let memory = Memory::read()?;
    drop(kept);
    let mut figures = Figures::from([
        ("cpu_ms", spent.cpu.as_secs_f64() * 1e3 / figure(count)),
        ("wall_ms", spent.wall.as_secs_f64() * 1e3 / figure(count)),
        ("rss_mb", memory.now / 1e6),
        ("peak_mb", memory.peak / 1e6),
        ("grown_mb", (memory.peak - before.now) / 1e6),
        (
            "cpu_us_each",
            spent.cpu.as_secs_f64() * 1e6 / figure(count * tools),
        ),
        (
            "kept_kb_each",
            (memory.now - before.now) / 1e3 / figure(tools),
        ),
    ]);
    let allocations = spent.allocations.map(figure);
    let listed = figure(count * tools);
    figures.extend(allocations.map(|taken| ("allocations", taken / listed)));
    Ok(figures)
}

async fn listing<C: Client>(client: &C, wanted: usize) -> Outcome<C::Tools> {
    let (tools, listed) = client.list().await?;
    if listed == wanted {
        Ok(tools)
    } else {
        Err(format!("{listed} tools were listed in place of {wanted}").into())
    }
}
