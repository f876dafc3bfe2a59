#!/usr/bin/env bash
# Connects mcp-harness to published MCP servers, lists their tools and calls one of each.
#
#   scripts/interop.sh          the servers marked `quick` in scripts/interop.json
#   scripts/interop.sh --all    all of them (one is behind nginx, where that is installed)
#
# It needs npm (with Node.js) and python3, and installs the servers into a temporary folder. Without them it skips on a
# person's machine; where CI is set it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=""
for tool in node npm python3; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
if [ -z "$missing" ] && ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    missing=" python3-venv"
fi
if [ -n "$missing" ]; then
    if [ -n "${CI:-}" ]; then
        echo "interop: failed: not installed:$missing" >&2
        exit 1
    fi
    echo "interop: skipped: not installed:$missing (install Node.js with npm and Python 3 to run it)"
    exit 0
fi

cargo build --quiet -p mcp-harness
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 scripts/interop.py --harness "${CARGO_TARGET_DIR:-target}/debug/mcp-harness" --work "$work" "$@"
