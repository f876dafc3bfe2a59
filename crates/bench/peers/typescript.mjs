// The official TypeScript client under a workload: LINK WORKLOAD COUNT TEXT SERVER…
// Prints its figures as one line of JSON, under the names that mcp-bench uses.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const TEXT = "0123456789".repeat(10);
const [link, workload, countText, sizeText, ...server] = process.argv.slice(2);
const count = Number(countText);
const size = Number(sizeText);
const servers = [];

async function connect() {
    const client = new Client({ name: "bench", version: "1" });
    await client.connect(await transport());
    return client;
}

async function transport() {
    const [command, ...args] = server;
    if (link === "stdio") return new StdioClientTransport({ command, args });
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    servers.push(child);
    for await (const line of createInterface({ input: child.stdout })) {
        return new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${line}/mcp`));
    }
    throw new Error("the server said no port");
}

async function call(client) {
    const result = await client.callTool({ name: "echo", arguments: { text: TEXT } });
    const length = result.content[0].text.length;
    if (length !== size) throw new Error(`a result of ${length} bytes came in place of ${size}`);
}

class Meter {
    wall = process.hrtime.bigint();
    cpu = process.cpuUsage();

    stop() {
        const { user, system } = process.cpuUsage(this.cpu);
        return { wallUs: Number(process.hrtime.bigint() - this.wall) / 1e3, cpuUs: user + system };
    }
}

function status(field) {
    const text = readFileSync("/proc/self/status", "utf8");
    return (Number(text.match(new RegExp(`${field}:\\s*(\\d+)`))[1]) * 1024) / 1e6;
}

async function sequential() {
    const client = await connect();
    for (let i = 0; i < count / 20; i++) await call(client);
    const latencies = [];
    const meter = new Meter();
    for (let i = 0; i < count; i++) {
        const begin = process.hrtime.bigint();
        await call(client);
        latencies.push(Number(process.hrtime.bigint() - begin) / 1e3);
    }
    const { wallUs, cpuUs } = meter.stop();
    latencies.sort((a, b) => a - b);
    return {
        per_second: (count / wallUs) * 1e6,
        cpu_us: cpuUs / count,
        p50_us: latencies[Math.floor((count - 1) * 0.5)],
        p99_us: latencies[Math.floor((count - 1) * 0.99)],
    };
}

async function inFlight(width) {
    const client = await connect();
    for (let i = 0; i < count / 20; i++) await call(client);
    let begun = 0;
    const meter = new Meter();
    const caller = async () => {
        while (begun++ < count) await call(client);
    };
    await Promise.all(Array.from({ length: width }, caller));
    const { wallUs, cpuUs } = meter.stop();
    return { per_second: (count / wallUs) * 1e6, cpu_us: cpuUs / count };
}

async function text() {
    const client = await connect();
    for (let i = 0; i < 3; i++) await call(client);
    const meter = new Meter();
    for (let i = 0; i < count; i++) await call(client);
    const { wallUs, cpuUs } = meter.stop();
    return {
        mb_per_second: (size * count) / wallUs,
        cpu_ms: cpuUs / 1e3 / count,
        peak_mb: status("VmHWM"),
    };
}

async function list(tools) {
    const client = await connect();
    const before = status("VmRSS");
    const meter = new Meter();
    const listed = (await client.listTools()).tools;
    const { wallUs, cpuUs } = meter.stop();
    if (listed.length !== tools) throw new Error(`${listed.length} tools came`);
    return {
        cpu_ms: cpuUs / 1e3,
        wall_ms: wallUs / 1e3,
        rss_mb: status("VmRSS"),
        peak_mb: status("VmHWM"),
        grown_mb: status("VmHWM") - before,
    };
}

async function connectMany() {
    const meter = new Meter();
    const one = async () => {
        const client = await connect();
        return [client, (await client.listTools()).tools];
    };
    const kept = await Promise.all(Array.from({ length: count }, one));
    const { wallUs, cpuUs } = meter.stop();
    await sleep(1000);
    const figures = { wall_ms: wallUs / 1e3, cpu_ms: cpuUs / 1e3, rss_mb: status("VmRSS") };
    if (kept.some(([, tools]) => tools.length !== 10)) throw new Error("tools are missing");
    return figures;
}

const [kind, width] = workload.split(":");
const workloads = { sequential, "in-flight": inFlight, text, list, connect: connectMany };
try {
    const figures = await workloads[kind](Number(width));
    process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
} catch (error) {
    process.stderr.write(`${error.message}\n`, () => process.exit(1));
}
