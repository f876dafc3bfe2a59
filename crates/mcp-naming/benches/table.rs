//! What a name costs, with few and with a million of them in the table: the time a name must not
//! grow with their number.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mcp_naming::NameTable;

/// Pairs as they occur: many servers, most names clean, some to be changed, some too long.
fn pairs(count: usize) -> Vec<(String, String)> {
    let pair = |index: usize| {
        let server = format!("server-{}", index % 1_000);
        let tool = match index % 20 {
            0 => format!("read.file {index}"),
            1 => format!("{}_{index}", "a_very_long_tool_name".repeat(4)),
            _ => format!("tool_{index}"),
        };
        let server = if index.is_multiple_of(3) {
            server
        } else {
            server.replace('-', "_")
        };
        (server, tool)
    };
    (0..count).map(pair).collect()
}

fn batch(pairs: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    pairs
        .iter()
        .map(|(server, tool)| (server.as_str(), tool.as_str()))
}

fn one_batch(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("assign one batch");
    group.sample_size(10);
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        let pairs = pairs(count);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter_batched(
                NameTable::new,
                |mut table| {
                    black_box(table.assign(batch(&pairs)));
                    table
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn known_again(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("assign what is known, in a table of");
    group.sample_size(10);
    for count in [1_000, 1_000_000] {
        let pairs = pairs(count);
        let mut table = NameTable::new();
        table.assign(batch(&pairs));
        let relisted = &pairs[..1_000];
        group.throughput(Throughput::Elements(relisted.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter(|| table.assign(batch(relisted)));
        });
    }
    group.finish();
}

criterion_group!(benches, one_batch, known_again);
criterion_main!(benches);
