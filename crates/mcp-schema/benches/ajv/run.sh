#!/bin/sh
# Compares with ajv on the same schema and the same arguments. Needs node and npm; installs ajv into
# a temporary folder. Run `cargo bench -p mcp-schema` for the other side.
set -eu
version="${AJV_VERSION:-8.20.0}"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if ! command -v npm >/dev/null; then
    echo "skipped: npm is not installed" >&2
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" "ajv@$version" >/dev/null
cp "$here/bench.mjs" "$folder/"
node "$folder/bench.mjs" "$here/../tool"
