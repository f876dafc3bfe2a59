//! The beginning of an exchange when every server is ready and nothing has changed.

use super::connect::PEER;
use super::session::exchange;
use super::{Figures, figure};
use crate::client::session::{configure, session};
use crate::meter::Meter;
use crate::outcome::Outcome;

const BEGINNINGS: usize = 200;

/// Begins exchanges with that many servers.
pub(super) async fn begin(servers: usize) -> Outcome<Figures> {
    let folder = tempfile::tempdir()?;
    configure(folder.path(), PEER, servers)?;
    let session = session(folder.path());
    exchange(&session, servers).await?.finish();
    let meter = Meter::start();
    for _ in 0..BEGINNINGS {
        session.begin_exchange().await?.finish();
    }
    let spent = meter.stop();
    session.close().await;
    let each = spent.cpu.as_secs_f64() * 1e6 / figure(BEGINNINGS);
    Ok(Figures::from([("cpu_us", each)]))
}
