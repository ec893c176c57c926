// The server of large results, over stdio: `node --import tsx cut-stdio.fixture.ts <door>`.

import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { StdioServerTransport as Stdio118 } from "mcp-sdk-1-18/server/stdio.js";
import { StdioServerTransport as Stdio125 } from "mcp-sdk-1-25/server/stdio.js";
import { StdioServerTransport as Stdio132 } from "mcp-sdk-1-32/server/stdio.js";
import { cutContract, cutServer, doors, sdkOf } from "./cut-server.fixture.ts";

const door = doors.find((name) => name === process.argv[2]) ?? "contract";
const contract = cutContract();
const kind = sdkOf(door);

if (kind === "2.4.0") {
  serveStdio(() => cutServer(door, contract) as unknown as McpServer);
} else {
  const Stdio = { "1.32.2": Stdio132, "1.25.3": Stdio125, "1.18.2": Stdio118 }[kind];
  await cutServer(door, contract).connect(new Stdio() as never);
}
