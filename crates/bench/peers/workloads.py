"""What the Python clients share: the workloads, under the names that mcp-bench uses.

LINK WORKLOAD COUNT TEXT SERVER…; the figures are printed as one line of JSON.
"""

import asyncio
import json
import re
import subprocess
import sys
import time
from contextlib import AsyncExitStack

TEXT = "0123456789" * 10


class Meter:
    def __init__(self):
        self.cpu = time.process_time()
        self.wall = time.perf_counter()

    def stop(self):
        return time.perf_counter() - self.wall, time.process_time() - self.cpu


def status(field):
    with open("/proc/self/status") as file:
        return int(re.search(rf"{field}:\s*(\d+)", file.read())[1]) * 1024 / 1e6


class Workloads:
    """`connect(stack, link, server)` gives an object with `call(text)`, the length of the text that
    came, and `list()`, the tools; both are coroutines. `server` is a URL or a command."""

    def __init__(self, connect):
        self.connect_one = connect
        self.link, workload, count, size, *self.server = sys.argv[1:]
        self.kind, _, self.width = workload.partition(":")
        self.count, self.size = int(count), int(size)

    def main(self):
        try:
            figures = asyncio.run(self.measure())
        except BaseException as error:
            # What went wrong, not the groups around it.
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            sys.exit(f"{type(error).__name__}: {error}")
        print(json.dumps(figures), flush=True)

    async def measure(self):
        async with AsyncExitStack() as stack:
            self.stack = stack
            return await getattr(self, self.kind.replace("-", "_"))()

    async def connect_client(self):
        server = self.server
        if self.link == "http":
            process = subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.stack.callback(process.kill)
            port = process.stdout.readline().decode().strip()
            server = f"http://127.0.0.1:{port}/mcp"
        return await self.connect_one(self.stack, self.link, server)

    async def call(self, client):
        length = await client.call(TEXT)
        if length != self.size:
            raise ValueError(f"a result of {length} bytes came in place of {self.size}")

    async def sequential(self):
        client = await self.connect_client()
        for _ in range(self.count // 20):
            await self.call(client)
        latencies = []
        meter = Meter()
        for _ in range(self.count):
            begin = time.perf_counter()
            await self.call(client)
            latencies.append((time.perf_counter() - begin) * 1e6)
        wall, cpu = meter.stop()
        latencies.sort()
        return {
            "per_second": self.count / wall,
            "cpu_us": cpu * 1e6 / self.count,
            "p50_us": latencies[(self.count - 1) // 2],
            "p99_us": latencies[(self.count - 1) * 99 // 100],
        }

    async def in_flight(self):
        client = await self.connect_client()
        for _ in range(self.count // 20):
            await self.call(client)
        left = iter(range(self.count))

        async def caller():
            for _ in left:
                await self.call(client)

        meter = Meter()
        await asyncio.gather(*(caller() for _ in range(int(self.width))))
        wall, cpu = meter.stop()
        return {"per_second": self.count / wall, "cpu_us": cpu * 1e6 / self.count}

    async def text(self):
        client = await self.connect_client()
        for _ in range(3):
            await self.call(client)
        meter = Meter()
        for _ in range(self.count):
            await self.call(client)
        wall, cpu = meter.stop()
        return {
            "mb_per_second": self.size * self.count / wall / 1e6,
            "cpu_ms": cpu * 1e3 / self.count,
            "peak_mb": status("VmHWM"),
        }

    async def list(self):
        client = await self.connect_client()
        before = status("VmRSS")
        meter = Meter()
        tools = await client.list()
        wall, cpu = meter.stop()
        if len(tools) != int(self.width):
            raise ValueError(f"{len(tools)} tools came")
        return {
            "cpu_ms": cpu * 1e3,
            "wall_ms": wall * 1e3,
            "rss_mb": status("VmRSS"),
            "peak_mb": status("VmHWM"),
            "grown_mb": status("VmHWM") - before,
        }

    async def connect(self):
        # Each connection is entered and left in a task of its own, as their scopes demand.
        leave = asyncio.Event()

        async def hold(listed):
            try:
                async with AsyncExitStack() as stack:
                    client = await self.connect_one(stack, self.link, self.server)
                    listed.set_result(await client.list())
                    await leave.wait()
            except Exception as error:
                if not listed.done():
                    listed.set_exception(error)

        meter = Meter()
        loop = asyncio.get_running_loop()
        listings = [loop.create_future() for _ in range(self.count)]
        tasks = [asyncio.create_task(hold(listed)) for listed in listings]
        kept = await asyncio.gather(*listings)
        wall, cpu = meter.stop()
        await asyncio.sleep(1)
        figures = {"wall_ms": wall * 1e3, "cpu_ms": cpu * 1e3, "rss_mb": status("VmRSS")}
        leave.set()
        await asyncio.gather(*tasks)
        if {len(tools) for tools in kept} != {10}:
            raise ValueError("tools are missing")
        return figures
