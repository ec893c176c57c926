// The server behind the soak: both eras on stdio. Plain JavaScript, because it is killed and started again and again.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const rows = Array.from({ length: 400 }, (_, id) => ({
  id,
  name: `row ${id}`,
  note: "copper lantern ".repeat(10),
}));
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const text = (value) => ({ content: [{ type: "text", text: value }] });

serveStdio(() => {
  const server = new McpServer({ name: "soak", version: "1.0.0" });
  const inputSchema = z.object({ n: z.number() });
  server.registerTool("echo", { description: "Says n", inputSchema }, ({ n }) => text(`n is ${n}`));
  server.registerTool("rows", { description: "About 80 KB", inputSchema }, () =>
    text(JSON.stringify({ rows })),
  );
  server.registerTool("slow", { description: "Takes a while", inputSchema }, async ({ n }) => {
    await wait(20 + (n % 60));
    return text(`n was ${n}`);
  });
  server.registerTool("fail", { description: "Fails", inputSchema }, ({ n }) => ({
    ...text(`Row ${n} not found`),
    isError: true,
  }));
  return server;
});
