//! What is measured, each in a process of its own, which prints its figures as one line of JSON: so
//! that no client's memory, threads or allocator is another's.

mod calls;
mod dropped;
mod idle;
mod list;
mod spawn;

use std::collections::BTreeMap;
use std::io::{self, Write};

use tokio::runtime::Builder;

use crate::client::{
    Bare, Client, Hyper, InSession, Ours, OursHttp, OursHttpStateless, OursStateless, RawHttp,
    Rmcp, RmcpHttp, RmcpHttpPooled,
};
use crate::machine;
use crate::outcome::Outcome;
use crate::peer::Form;

/// The word by which the command is started for one measurement.
pub(crate) const COMMAND: &str = "measure";

/// The figures of one measurement by the name of what was measured.
pub(crate) type Figures = BTreeMap<&'static str, f64>;

/// The core in place of a number: wherever the system likes.
pub(crate) const ANY_CORE: &str = "any";

/// Carries out one measurement: `CORE SUBJECT WORKLOAD COUNT`.
pub(crate) fn run(arguments: &[String]) -> Outcome<()> {
    let [core, subject, workload, count] = arguments else {
        return Err(format!("usage: mcp-bench {COMMAND} CORE SUBJECT WORKLOAD COUNT").into());
    };
    if core != ANY_CORE {
        machine::pin(core.parse()?)?;
    }
    let count = count.parse()?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let figures = runtime.block_on(async {
        match &**subject {
            "bare" => measure::<Bare>(workload, count).await,
            "ours" => measure::<Ours>(workload, count).await,
            "ours-stateless" => measure::<OursStateless>(workload, count).await,
            "session" => measure::<InSession>(workload, count).await,
            "rmcp" => measure::<Rmcp>(workload, count).await,
            "http-hyper" => measure::<RawHttp<Hyper>>(workload, count).await,
            "http-reqwest" => measure::<RawHttp<reqwest::Client>>(workload, count).await,
            "http-ours" => measure::<OursHttp>(workload, count).await,
            "http-ours-stateless" => measure::<OursHttpStateless>(workload, count).await,
            "http-rmcp" => measure::<RmcpHttp>(workload, count).await,
            "http-rmcp-pooled" => measure::<RmcpHttpPooled>(workload, count).await,
            "group" => spawn::group(count).await,
            "std-fork" => spawn::fork(count),
            _ => Err(format!("there is no subject {subject:?}").into()),
        }
    })?;
    writeln!(io::stdout(), "{}", serde_json::to_string(&figures)?)?;
    Ok(())
}

async fn measure<C: Client>(workload: &str, count: usize) -> Outcome<Figures> {
    match workload {
        "sequential" => calls::sequential::<C>(Form::Json, count).await,
        "sequential-sse" => calls::sequential::<C>(Form::Event, count).await,
        "counted" => calls::counted::<C>(count).await,
        "in-flight" => calls::in_flight::<C>(count).await,
        "1-mib" => calls::large::<C>(Form::Json, 1 << 20, count).await,
        "1-mib-sse" => calls::large::<C>(Form::Event, 1 << 20, count).await,
        "10-mib" => calls::large::<C>(Form::Json, 10 << 20, count).await,
        "list" => list::list::<C>(count).await,
        "idle" => idle::idle::<C>(count).await,
        "dropped" => dropped::dropped::<C>(count).await,
        _ => Err(format!("there is no workload {workload:?}").into()),
    }
}

/// A number of operations or bytes, as a figure.
#[expect(clippy::cast_precision_loss, reason = "no count here comes near 2^52")]
fn figure(count: usize) -> f64 {
    count as f64
}
