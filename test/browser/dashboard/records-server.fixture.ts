// A server as people write them: small answers, one far over the budget, a failure that says it is a success.

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const states = ["open", "closed", "waiting"] as const;

function records(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `ticket-${at + 1}`,
    state: states[at % states.length],
    title: `Parcel ${at + 1} was delivered to the wrong door`,
    owner: { name: `Person ${at % 7}`, team: at % 2 === 0 ? "north" : "south" },
  }));
}

function text(value: string): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: value }] };
}

serveStdio(() => {
  const server = new McpServer({ name: "tickets", version: "1.2.0" });
  const readOnly = { readOnlyHint: true };
  server.registerTool(
    "list_tickets",
    {
      title: "List tickets",
      description: "Every ticket, newest last.",
      inputSchema: z.object({
        count: z.int().min(0).max(20_000).default(3).describe("How many."),
        state: z.enum(states).optional(),
        tags: z.array(z.string()).optional(),
        owner: z.object({ name: z.string().optional(), isActive: z.boolean().optional() }).optional(),
      }),
      annotations: readOnly,
    },
    ({ count }) => text(JSON.stringify({ tickets: records(count) })),
  );
  server.registerTool(
    "get_ticket",
    { description: "One ticket.", inputSchema: z.object({ id: z.string() }), annotations: readOnly },
    ({ id }) =>
      id.startsWith("ticket-")
        ? text(`${id} is open.`)
        : text(`Error: 404 Not Found: there is no ticket "${id}"`),
  );
  server.registerTool(
    "count_tickets",
    {
      description: "How many are overdue, with a link to them.",
      inputSchema: z.object({}),
      annotations: readOnly,
    },
    () => ({
      content: [
        { type: "text", text: "1 overdue" },
        { type: "resource_link", uri: "tickets://overdue", name: "overdue" },
      ],
      structuredContent: { overdue: ["ticket-41"] },
    }),
  );
  server.registerTool(
    "close_ticket",
    { description: "Closes a ticket.", inputSchema: z.object({ id: z.string() }) },
    () => ({ ...text("permission denied"), isError: true }),
  );
  return server;
});
