// A server on stdin and stdout for both eras, whose tools say which process they run in and what they were told.

import { setTimeout as sleep } from "node:timers/promises";
import { McpServer, fromJsonSchema } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const anything = fromJsonSchema({ type: "object" });

serveStdio(() => {
  const server = new McpServer({ name: "pid", version: "1.0.0" });
  server.registerTool("pid", { description: "The id of the process", inputSchema: anything }, async () => ({
    content: [{ type: "text", text: `${process.pid}` }],
  }));
  server.registerTool(
    "echo",
    { description: "What it is told, later", inputSchema: anything },
    async (args) => {
      const { text, ms } = args as { text: string; ms: number };
      await sleep(ms);
      return { content: [{ type: "text", text }] };
    },
  );
  return server;
});
