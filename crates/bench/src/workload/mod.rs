//! What is measured, each in a process of its own, which prints its figures as one line of JSON: so
//! that no client's memory, threads or allocator is another's.

mod begin;
mod calls;
mod connect;
mod dropped;
mod idle;
mod list;
mod naming;
mod scenarios;
mod schema;
mod session;
mod spawn;

use std::collections::BTreeMap;
use std::io::{self, Write};

use tokio::runtime::Builder;

use crate::client::{
    Bare, Client, Hyper, InSession, Ours, OursHttp, OursHttpStateless, OursStateless, RawHttp,
    Rmcp, RmcpHttp, RmcpHttpPooled,
};
use crate::outcome::Outcome;
use crate::peer::Form;
use crate::{foreign, machine};

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
    if foreign::is_subject(subject) {
        return Err(foreign::become_client(subject, workload, count));
    }
    let count = count.parse()?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let figures = runtime.block_on(async {
        match &**subject {
            "bare" => measure::<Bare>(workload, count).await,
            "ours" => measure::<Ours>(workload, count).await,
            "ours-stateless" => measure::<OursStateless>(workload, count).await,
            "rmcp" => measure::<Rmcp>(workload, count).await,
            "session" => match &**workload {
                "connect" => session::connect(count).await,
                "idle" => session::idle(count).await,
                "begin" => begin::begin(count).await,
                _ => measure::<InSession>(workload, count).await,
            },
            "http-hyper" => measure::<RawHttp<Hyper>>(workload, count).await,
            "http-reqwest" => measure::<RawHttp<reqwest::Client>>(workload, count).await,
            "http-ours" => measure::<OursHttp>(workload, count).await,
            "http-ours-stateless" => measure::<OursHttpStateless>(workload, count).await,
            "http-rmcp" => measure::<RmcpHttp>(workload, count).await,
            "http-rmcp-pooled" => measure::<RmcpHttpPooled>(workload, count).await,
            "jsonschema" => schema::measure::<schema::Direct>(count),
            "mcp-schema" => schema::measure::<schema::Ours>(count),
            "naming" => Ok(naming::names(count)),
            "harness" => scenarios::run(),
            "group" => spawn::group(count).await,
            "std-fork" => spawn::fork(count),
            _ => Err(format!("there is no subject {subject:?}").into()),
        }
    })?;
    writeln!(io::stdout(), "{}", serde_json::to_string(&figures)?)?;
    Ok(())
}

/// A workload may carry a size: `in-flight:64`.
async fn measure<C: Client>(workload: &str, count: usize) -> Outcome<Figures> {
    let (kind, size) = workload.split_once(':').unwrap_or((workload, "0"));
    let size = size.parse()?;
    match kind {
        "sequential" => calls::sequential::<C>(Form::Json, count).await,
        "sequential-sse" => calls::sequential::<C>(Form::Event, count).await,
        "counted" => calls::counted::<C>(Form::Json, count).await,
        "counted-sse" => calls::counted::<C>(Form::Event, count).await,
        "in-flight" => calls::in_flight::<C>(size, count).await,
        "text" => calls::large::<C>(Form::Json, size, count).await,
        "text-sse" => calls::large::<C>(Form::Event, size, count).await,
        "list" => list::list::<C>(list::SCHEMA, size, count).await,
        "short-list" => list::list::<C>(list::SHORT_SCHEMA, size, count).await,
        "connect" => connect::connect::<C>(count).await,
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
