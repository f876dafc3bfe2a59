"""The official Python client under a workload; see workloads.py."""

from mcp import StdioServerParameters
from mcp.client import Client
from workloads import Workloads


class Connected:
    def __init__(self, client):
        self.client = client

    async def call(self, text):
        result = await self.client.call_tool("echo", {"text": text})
        return len(result.content[0].text)

    async def list(self):
        return (await self.client.list_tools()).tools


async def connect(stack, link, server):
    if link == "stdio":
        server = StdioServerParameters(command=server[0], args=server[1:])
    # The era of the other clients.
    return Connected(await stack.enter_async_context(Client(server, mode="legacy")))


Workloads(connect).main()
