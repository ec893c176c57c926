// The example server under a contract, over stdio: `node --import tsx attach-stdio.fixture.ts <SDK version>`.

import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { StdioServerTransport as Stdio118 } from "mcp-sdk-1-18/server/stdio.js";
import { StdioServerTransport as Stdio125 } from "mcp-sdk-1-25/server/stdio.js";
import { StdioServerTransport as Stdio132 } from "mcp-sdk-1-32/server/stdio.js";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { exampleServer, serverKinds } from "./attach-example.fixture.ts";

const kind = serverKinds.find((name) => name === process.argv[2]) ?? "2.4.0";
const contract = createContract({ name: "example", dialect: "response-v2" });
const build = () => attachContract(exampleServer(kind), contract);

if (kind === "2.4.0") {
  serveStdio(() => build() as unknown as McpServer);
} else {
  const Stdio = { "1.32.2": Stdio132, "1.25.3": Stdio125, "1.18.2": Stdio118 }[kind];
  await build().connect(new Stdio() as never);
}
