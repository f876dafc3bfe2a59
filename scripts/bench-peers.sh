#!/usr/bin/env bash
# Installs the clients in other languages that `mcp-bench --compare` measures, at fixed versions, into target/bench-peers.
# It needs npm (with Node.js 20 or newer) and python3 with venv. Where they are installed already, it only says so.
set -euo pipefail
cd "$(dirname "$0")/.."

client=2.4.0
mcp=2.3.0
fastmcp=4.2.3

folder="${CARGO_TARGET_DIR:-$PWD/target}/bench-peers"
versions="typescript: @modelcontextprotocol/client $client
python: mcp $mcp
fastmcp: fastmcp $fastmcp"
if [ -f "$folder/versions.txt" ] && [ "$(head -n 3 "$folder/versions.txt")" = "$versions" ]; then
    echo "bench-peers: installed in $folder"
    exit 0
fi
for tool in node npm python3; do
    command -v "$tool" >/dev/null || {
        echo "bench-peers: failed: $tool is not installed" >&2
        exit 1
    }
done

rm -rf "$folder"
mkdir -p "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" "@modelcontextprotocol/client@$client"
for package in "mcp==$mcp" "fastmcp==$fastmcp"; do
    venv="$folder/fastmcp"
    [ "$package" = "mcp==$mcp" ] && venv="$folder/python"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "$package"
done
# The last line is written last, so that a broken installation is none.
{
    echo "$versions"
    echo "Node.js $(node --version | tr -d v)"
    python3 --version
} >"$folder/versions.txt"
echo "bench-peers: installed in $folder"
