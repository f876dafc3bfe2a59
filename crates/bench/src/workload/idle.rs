//! What one more idle connection costs in memory, its listing of ten small tools kept.

use tokio::time::sleep;

use super::connect::{PEER, REST};
use super::{Figures, figure};
use crate::client::Client;
use crate::meter::Memory;
use crate::outcome::Outcome;

/// Connections before the first reading, so that what is paid once is not counted.
const BEFORE: usize = 10;

/// Opens that many connections beyond the first ones.
pub(super) async fn idle<C: Client>(count: usize) -> Outcome<Figures> {
    let mut kept = Vec::with_capacity(BEFORE + count);
    open::<C>(&mut kept, BEFORE).await?;
    let before = Memory::read()?.now;
    open::<C>(&mut kept, count).await?;
    let after = Memory::read()?.now;
    Ok(Figures::from([
        ("kb_each", (after - before) / 1e3 / figure(count)),
        ("rss_mb", after / 1e6),
    ]))
}

async fn open<C: Client>(kept: &mut Vec<(C, C::Tools)>, count: usize) -> Outcome<()> {
    for _ in 0..count {
        let client = C::connect(PEER).await?;
        let (tools, _) = client.list().await?;
        kept.push((client, tools));
    }
    sleep(REST).await;
    Ok(())
}
