//! Many servers in one session: what a host pays for them.

use mcp_session::{Exchange, Session};
use tokio::time::sleep;

use super::connect::{PEER, REST, figures};
use super::{Figures, figure};
use crate::client::session::{configure, session};
use crate::meter::{Memory, Meter};
use crate::outcome::Outcome;

/// Servers before the first reading, so that what is paid once is not counted.
const BEFORE: usize = 10;

/// Begins an exchange that starts that many servers and waits for them.
pub(super) async fn connect(count: usize) -> Outcome<Figures> {
    let folder = tempfile::tempdir()?;
    configure(folder.path(), PEER, count)?;
    let session = session(folder.path());
    let meter = Meter::start();
    let exchange = exchange(&session, count).await?;
    let figures = figures(&meter.stop()).await?;
    drop(exchange);
    session.close().await;
    Ok(figures)
}

/// Configures that many servers beyond the first ones.
pub(super) async fn idle(count: usize) -> Outcome<Figures> {
    let folder = tempfile::tempdir()?;
    let session = session(folder.path());
    let mut resident = [0.0; 2];
    for (reading, servers) in resident.iter_mut().zip([BEFORE, BEFORE + count]) {
        configure(folder.path(), PEER, servers)?;
        exchange(&session, servers).await?.finish();
        sleep(REST).await;
        *reading = Memory::read()?.now;
    }
    session.close().await;
    let [before, after] = resident;
    Ok(Figures::from([
        ("kb_each", (after - before) / 1e3 / figure(count)),
        ("rss_mb", after / 1e6),
    ]))
}

/// An exchange that has the tools of that many servers.
pub(super) async fn exchange(session: &Session, servers: usize) -> Outcome<Exchange> {
    let exchange = session.begin_exchange().await?;
    let (declared, wanted) = (exchange.tools().len(), servers * PEER.tools);
    if declared == wanted {
        Ok(exchange)
    } else {
        Err(format!("{declared} tools were declared in place of {wanted}").into())
    }
}
