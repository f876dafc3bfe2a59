//! Tool calls: one after another, many at once, and with large results.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tokio::task::JoinSet;

use super::{Figures, figure};
use crate::client::Client;
use crate::meter::{Memory, Meter, Spent};
use crate::outcome::Outcome;
use crate::peer::{ECHO_TOOL, Form, PeerSpec};
use crate::statistics::quantile;

/// The size of a small result's text.
const SMALL: usize = 100;

fn peer(text: usize, form: Form) -> PeerSpec {
    PeerSpec {
        text,
        tools: 1,
        schema: 100,
        form,
    }
}

/// One call after another.
pub(super) async fn sequential<C: Client>(form: Form, count: usize) -> Outcome<Figures> {
    let client = C::connect(peer(SMALL, form)).await?;
    warm_up(&client, SMALL, count / 20).await?;
    let mut latencies = Vec::with_capacity(count);
    let meter = Meter::start();
    for _ in 0..count {
        let begin = Instant::now();
        call(&client, SMALL).await?;
        latencies.push(begin.elapsed().as_secs_f64() * 1e6);
    }
    let mut figures = per_call(&meter.stop(), count);
    latencies.sort_by(f64::total_cmp);
    for (name, share) in [("p50_us", 0.5), ("p99_us", 0.99)] {
        figures.extend(quantile(&latencies, share).map(|latency| (name, latency)));
    }
    Ok(figures)
}

/// One call after another, and nothing else: for an outside count of what they cost.
pub(super) async fn counted<C: Client>(form: Form, count: usize) -> Outcome<Figures> {
    let client = C::connect(peer(SMALL, form)).await?;
    let meter = Meter::start();
    for _ in 0..count {
        call(&client, SMALL).await?;
    }
    Ok(per_call(&meter.stop(), count))
}

/// Many calls at once, each a task of its own.
pub(super) async fn in_flight<C: Client>(width: usize, count: usize) -> Outcome<Figures> {
    let client = Arc::new(C::connect(peer(SMALL, Form::Json)).await?);
    warm_up(&*client, SMALL, count / 20).await?;
    let begun = Arc::new(AtomicUsize::new(0));
    let mut callers = JoinSet::new();
    let meter = Meter::start();
    for _ in 0..width {
        let (client, begun) = (Arc::clone(&client), Arc::clone(&begun));
        callers.spawn(async move {
            while begun.fetch_add(1, Ordering::Relaxed) < count {
                call(&*client, SMALL).await?;
            }
            Outcome::Ok(())
        });
    }
    while let Some(caller) = callers.join_next().await {
        caller??;
    }
    Ok(per_call(&meter.stop(), count))
}

/// One call after another, with a large result.
pub(super) async fn large<C: Client>(form: Form, size: usize, count: usize) -> Outcome<Figures> {
    let client = C::connect(peer(size, form)).await?;
    warm_up(&client, size, 3).await?;
    let meter = Meter::start();
    for _ in 0..count {
        call(&client, size).await?;
    }
    let spent = meter.stop();
    let mut figures = Figures::from([
        (
            "mb_per_second",
            figure(size * count) / 1e6 / spent.wall.as_secs_f64(),
        ),
        ("cpu_ms", spent.cpu.as_secs_f64() * 1e3 / figure(count)),
        (
            "cpu_us_per_kib",
            spent.cpu.as_secs_f64() * 1e6 * 1024.0 / figure(size * count),
        ),
        ("peak_mb", Memory::read()?.peak / 1e6),
    ]);
    figures.extend(
        spent
            .both()
            .map(|both| ("both_ms", both.as_secs_f64() * 1e3 / figure(count))),
    );
    Ok(figures)
}

async fn warm_up<C: Client>(client: &C, size: usize, count: usize) -> Outcome<()> {
    for _ in 0..count {
        call(client, size).await?;
    }
    Ok(())
}

async fn call<C: Client>(client: &C, size: usize) -> Outcome<()> {
    let length = client.call(ECHO_TOOL).await?;
    if length == size {
        Ok(())
    } else {
        Err(format!("a result of {length} bytes came in place of {size}").into())
    }
}

fn per_call(spent: &Spent, count: usize) -> Figures {
    let mut figures = Figures::from([
        ("per_second", figure(count) / spent.wall.as_secs_f64()),
        ("cpu_us", spent.cpu.as_secs_f64() * 1e6 / figure(count)),
    ]);
    figures.extend(
        spent
            .both()
            .map(|both| ("both_us", both.as_secs_f64() * 1e6 / figure(count))),
    );
    let allocations = spent.allocations.map(figure);
    figures.extend(allocations.map(|taken| ("allocations", taken / figure(count))));
    figures
}
