// A server of FastMCP (TypeScript), as its users write them: `node --import tsx fastmcp-server.fixture.ts`.

import { FastMCP, UserError, imageContent } from "fastmcp";
import * as z from "zod";

const server = new FastMCP({ name: "fast", version: "1.0.0" });

server.addTool({
  name: "add",
  description: "Adds two numbers",
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});

server.addTool({
  name: "rows",
  description: "Lists rows as JSON text",
  parameters: z.object({ count: z.number() }),
  execute: async ({ count }, { log, reportProgress }) => {
    log.info("counting", { count });
    await reportProgress({ progress: 1, total: 1 });
    return JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}` })));
  },
});

server.addTool({
  name: "fail",
  description: "Fails as FastMCP's authors do",
  execute: async () => {
    throw new UserError("The printer is out of paper");
  },
});

server.addTool({
  name: "picture",
  description: "Gives an image",
  execute: async () => imageContent({ buffer: Buffer.from("iVBORw0KGgo=", "base64") }),
});

server.addResource({
  uri: "file:///notes.txt",
  name: "Notes",
  mimeType: "text/plain",
  load: async () => ({ text: "a note" }),
});

server.addPrompt({
  name: "greet",
  description: "Greets",
  arguments: [{ name: "who", required: true }],
  load: async ({ who }) => `Greet ${who}`,
});

await server.start({ transportType: "stdio" });
