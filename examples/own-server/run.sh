#!/usr/bin/env bash
# Installs the server under test and plays the scenarios against it; arguments go to `mcp-harness run`, such as --accept.
set -euo pipefail
cd "$(dirname "$0")"

npm install --silent --no-audit --no-fund --no-package-lock
export PATH="$PWD/node_modules/.bin:$PATH"
# MCP_HARNESS may be a command with arguments, such as the one that builds it first.
# shellcheck disable=SC2086
exec ${MCP_HARNESS:-mcp-harness} run --scenarios scenarios --artifacts artifacts "$@"
