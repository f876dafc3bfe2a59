#!/usr/bin/env bash
# Checks the licences, bans and sources of every dependency against deny.toml; the public workflow checks the advisories
# too, which need the network.
#
# It needs cargo-deny: cargo install --locked cargo-deny
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-deny >/dev/null || {
    echo "cargo-deny is missing; install it with: cargo install --locked cargo-deny" >&2
    exit 1
}
cargo deny --all-features check licenses bans sources
