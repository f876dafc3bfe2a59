"""The work behind scripts/interop.sh: install each server, list it, call it, and see that nothing is left running."""

import argparse
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def install(name: str, server: dict, work: pathlib.Path) -> pathlib.Path:
    """Installs one server into a folder of its own and returns the folder of its commands."""
    folder = work / "servers" / name
    if "npm" in server:
        run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *server["npm"])
        return folder / "node_modules" / ".bin"
    if "pip" in server:
        run(sys.executable, "-m", "venv", folder)
        run(folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *server["pip"])
        return folder / "bin"
    run("cargo", "install", "--quiet", "--locked", "--root", folder, *server["cargo"])
    return folder / "bin"


def run(*command) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{upstream};
            proxy_http_version 1.1;
            proxy_buffering on;
        }}
    }}
}}
"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def serve(server: dict, commands: pathlib.Path, folder: pathlib.Path, running: list) -> str:
    """Starts an HTTP server, behind nginx where it says so, and returns its URL once it listens."""
    names = {"PORT": str(free_port()), "PROXY_PORT": str(free_port())}
    started = expand(server, names)
    environment = {**os.environ, **started.get("env", {})}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    running.append(subprocess.Popen([commands / started["command"], *started["args"]], env=environment, **quiet))
    ports = [names["PORT"]]
    if started.get("nginx"):
        config = folder / "nginx.conf"
        config.write_text(NGINX.format(folder=folder, port=names["PROXY_PORT"], upstream=names["PORT"]))
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        running.append(subprocess.Popen([program, "-p", folder, "-c", config], **quiet))
        ports.append(names["PROXY_PORT"])
    for port in ports:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", int(port)), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
    return started["url"]


def expand(value, names: dict):
    """Replaces `$NAME` in every string of a value; the longest names first, since one may begin another."""
    if isinstance(value, str):
        for name, text in sorted(names.items(), reverse=True):
            value = value.replace(f"${name}", text)
        return value
    if isinstance(value, list):
        return [expand(item, names) for item in value]
    if isinstance(value, dict):
        return {key: expand(item, names) for key, item in value.items()}
    return value


def harness(options, *arguments) -> subprocess.CompletedProcess:
    command = [options.harness, *arguments, "--config", str(options.work / "mcp.json"), "--json"]
    return subprocess.run(command, capture_output=True, text=True, timeout=180)


def listed_as_sent(entry: dict, environment: dict) -> list[str]:
    """The `inputSchema` texts of a server's first page, cut out of the very bytes that it wrote."""
    messages = [
        {"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "interop", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    child = subprocess.Popen([entry["command"], *entry["args"]], env=environment, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for message in messages:
        child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    child.stdin.flush()
    texts = []
    for line in child.stdout:
        if json.loads(line).get("id") == 2:
            at = 0
            while (at := line.find('"inputSchema":', at)) >= 0:
                at += len('"inputSchema":')
                _, end = json.JSONDecoder().raw_decode(line, at)
                texts.append(line[at:end])
            break
    child.stdin.close()
    child.wait(timeout=30)
    return texts


def left_running(work: pathlib.Path) -> list[str]:
    """Processes that were started from the temporary folder and live on, after a moment to end."""
    for _ in range(50):
        found = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True).stdout.splitlines()
        own = {str(os.getpid()), str(os.getppid())}
        found = [line for line in found if str(work / "servers") in line and line.split()[0] not in own]
        if not found:
            return []
        time.sleep(0.1)
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--harness", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", help="one server's name")
    options = parser.parse_args()

    repository = options.work / "repository"
    run("git", "init", "--quiet", repository)
    names = {"WORK": str(options.work), "REPO": str(repository)}
    servers = json.loads((HERE / "interop.json").read_text())
    servers = {name: expand(server, names) for name, server in servers.items()
               if (name == options.only if options.only else options.all or server.get("quick"))}

    if not (shutil.which("nginx") or os.path.exists("/usr/sbin/nginx")):
        for name in [name for name, server in servers.items() if server.get("nginx")]:
            print(f"interop: {name}: skipped: nginx is not installed")
            del servers[name]
    running: list = []
    try:
        entries = prepare(options.work, servers, running)
        (options.work / "mcp.json").write_text(json.dumps({"mcpServers": entries}, indent=2))
        failures = check(options, servers, entries)
    finally:
        for process in running:
            process.terminate()
            process.wait(timeout=30)
    for process in left_running(options.work):
        failures.append(f"left running: {process}")
    for failure in failures:
        print(f"interop: FAILED: {failure}", file=sys.stderr)
    print(f"interop: {len(servers)} servers, {len(failures)} failures")
    return 1 if failures else 0


def prepare(work: pathlib.Path, servers: dict, running: list) -> dict:
    """Installs every server, starts those that are not started by the host, and gives the entries of `mcp.json`."""
    entries, installed = {}, {}
    for name, server in servers.items():
        began = time.monotonic()
        packages = json.dumps([server.get(kind) for kind in ("npm", "pip", "cargo")])
        if packages not in installed:
            installed[packages] = install(name, server, work)
        commands = installed[packages]
        if "url" in server:
            folder = work / "served" / name
            folder.mkdir(parents=True)
            entries[name] = {"url": serve(server, commands, folder, running)}
        else:
            entries[name] = {"command": str(commands / server["command"]), "args": server.get("args", []),
                             "env": server.get("env", {})}
        print(f"interop: {name}: ready to connect ({time.monotonic() - began:.1f} s)", flush=True)
    return entries


def check(options, servers: dict, entries: dict) -> list[str]:
    failures = []
    began = time.monotonic()
    output = harness(options, "tools")
    try:
        listing = json.loads(output.stdout)
    except json.JSONDecodeError:
        return [f"`tools --json` printed no JSON (exit {output.returncode}): {output.stdout[:300]}{output.stderr[:600]}"]
    print(f"interop: listed all in {time.monotonic() - began:.1f} s")
    for name, server in servers.items():
        state = listing["servers"].get(name, {})
        tools = {tool["rawName"]: tool["name"] for tool in listing["tools"] if tool["server"] == name}
        wanted, arguments = server["call"]
        print(f"interop: {name}: {state.get('state')}, version {state.get('version')}, {len(tools)} tools")
        if not tools:
            failures.append(f"{name}: no tools: {state}")
        elif wanted not in tools:
            failures.append(f"{name}: no tool {wanted} among {sorted(tools)[:10]}")
        else:
            failures += call(options, name, server, tools[wanted], arguments)
    if "everything" in entries:
        failures += compare_bytes(entries["everything"], output.stdout)
    return failures


def call(options, name: str, server: dict, tool: str, arguments: dict) -> list[str]:
    output = harness(options, "call", tool, json.dumps(arguments))
    try:
        result = json.loads(output.stdout)
    except json.JSONDecodeError:
        return [f"{name}: the call printed no JSON (exit {output.returncode}): {output.stderr[:600]}"]
    text = json.dumps(result["content"])
    print(f"interop: {name}: {tool}: isError={result['isError']} {text[:100]}")
    if "needs" in server:
        return [] if result["content"] else [f"{name}: an empty result"]
    if result["isError"] or server.get("expect", "") not in text:
        return [f"{name}: unexpected result of {tool}: {text[:600]}"]
    return []


def compare_bytes(entry: dict, printed: str) -> list[str]:
    environment = {**os.environ, **entry["env"]}
    sent = listed_as_sent(entry, environment)
    missing = [text for text in sent if text not in printed]
    print(f"interop: everything: {len(sent) - len(missing)} of {len(sent)} input schemas byte for byte as sent")
    if not sent:
        return ["everything: no schemas to compare"]
    return [f"everything: this inputSchema is not in the listing as sent: {text[:200]}" for text in missing]


if __name__ == "__main__":
    sys.exit(main())
