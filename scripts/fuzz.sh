#!/usr/bin/env bash
# Fuzzes the parsers of untrusted bytes, beginning from the kept inputs; stops at the first input that fails.
#
#   scripts/fuzz.sh [TARGET] [SECONDS]     one target, or `all` one after another; each for 600 seconds unless said
#
# It needs a Rust toolchain (a stable one is enough), a C++ compiler for libFuzzer, and cargo-fuzz:
#
#   cargo install --locked cargo-fuzz
#
# What is new goes to TARGET_DIR/fuzz/corpus. An input that fails goes to crates/CRATE/fuzz/artifacts: mend what it shows
# and keep it in crates/CRATE/fuzz/regressions/TARGET, where `cargo test` plays it from then on.
set -euo pipefail
cd "$(dirname "$0")/.."
wanted=${1:-all}
seconds=${2:-600}
names=$(basename -s .rs crates/*/fuzz/fuzz_targets/*.rs)
[ "$wanted" = all ] || grep -qxF -- "$wanted" <<<"$names" || {
    echo "there is no target \`$wanted\`; the targets are: all" $names >&2
    exit 2
}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || {
    echo "the time is a whole number of seconds, not \`$seconds\`" >&2
    exit 2
}
command -v cargo-fuzz >/dev/null || {
    echo "cargo-fuzz is missing; install it with: cargo install --locked cargo-fuzz" >&2
    exit 1
}
# The instrumentation is an unstable option of the compiler.
export RUSTC_BOOTSTRAP=1
root=$PWD
build=${CARGO_TARGET_DIR:-$root/target}/fuzz
for file in crates/*/fuzz/fuzz_targets/*.rs; do
    target=$(basename "$file" .rs)
    [ "$wanted" = all ] || [ "$wanted" = "$target" ] || continue
    fuzz=$root/${file%/fuzz_targets/*}
    work=$build/corpus/$target
    mkdir -p "$work"
    seeds=("$fuzz/corpus/$target")
    [ ! -d "$fuzz/regressions/$target" ] || seeds+=("$fuzz/regressions/$target")
    [ "$target" != scenario ] || seeds+=("$root"/fixtures/scenarios/*/)
    # The versions that the project is tested with.
    cp Cargo.lock "$fuzz/Cargo.lock"
    printf '\n== %s\n' "$target"
    # None of this code is unsafe, so no sanitizer is needed, and the same time covers more.
    (cd "$fuzz/.." && cargo fuzz run -s none --target-dir "$build" "$target" "$work" "${seeds[@]}" -- \
        -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 -len_control=0)
done
