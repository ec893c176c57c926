// A second server beside the fixture server, for a gateway that serves both at one address: a tool, a prompt and a
// resource with the names of the fixture's, and one tool of its own.

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

function build(): McpServer {
  const server = new McpServer({ name: "beside", version: "1.0.0" }, { instructions: "It stands beside." });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  server.registerTool("test_simple_text", { description: "The other one." }, () => text("beside"));
  server.registerTool("beside_only", { description: "Its own tool." }, () => text("its own"));
  server.registerPrompt("test_simple_prompt", { description: "The other one." }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "beside" } }],
  }));
  server.registerResource("beside", "test://static-text", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: "beside" }],
  }));
  return server;
}

serveStdio(build);
