"""fastmcp's client under a workload; see workloads.py."""

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from workloads import Workloads


class Connected:
    def __init__(self, client):
        self.client = client

    async def call(self, text):
        result = await self.client.call_tool("echo", {"text": text})
        return len(result.content[0].text)

    async def list(self):
        return await self.client.list_tools()


async def connect(stack, link, server):
    if link == "stdio":
        server = StdioTransport(command=server[0], args=server[1:], keep_alive=False)
    return Connected(await stack.enter_async_context(Client(server)))


Workloads(connect).main()
