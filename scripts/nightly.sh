#!/usr/bin/env bash
# The long runs of `mcp-abuse`, which a nightly job makes. Each prints what it needs to be made again.
#   scripts/nightly.sh [CHAOS_CALLS [SOAK_CALLS]]
set -euo pipefail
cd "$(dirname "$0")/.."
chaos_calls=${1:-100000}
soak_calls=${2:-1000000}
for calls in "$chaos_calls" "$soak_calls"; do
    [[ $calls =~ ^[1-9][0-9]*$ ]] || {
        echo "calls are counted with a whole number, not \`$calls\`" >&2
        exit 2
    }
done

step() { printf '\n== %s\n' "$*"; }

step "build"
cargo build --quiet --release -p mcp-abuse
abuse=${CARGO_TARGET_DIR:-target}/release/mcp-abuse

step "hostile"
"$abuse" hostile

step "chaos"
"$abuse" chaos --calls "$chaos_calls"

step "soak"
"$abuse" soak --calls "$soak_calls"
