// A server with results that no model reads whole, as the SDK's author writes one: it knows nothing of Waybill. The same
// tools under a contract of their own are beside it.

import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { createContract } from "../../src/doors/server/create-contract.ts";

export const statuses = ["open", "done", "stuck"] as const;

/** Fifteen hundred tasks; one has a title like no other. */
export const tasks = Array.from({ length: 1_500 }, (_, at) => ({
  id: `task-${at}`,
  status: statuses[(at + (at >> 3)) % 3] ?? "open",
  hours: (at * 7) % 40,
  title: at === 1_242 ? "Rotate the signing key" : `Water the plant in room ${at}`,
}));

const outputSchema = z.object({
  tasks: z.array(z.object({ id: z.string(), status: z.enum(statuses), hours: z.int(), title: z.string() })),
  total: z.int(),
});
const inputSchema = z.object({ project: z.string().optional() });

/** What was asked of a tool: the arguments that its handler saw. */
export const seen: object[] = [];

/** With a schema of its own, and without one. */
const typed = { description: "All tasks", inputSchema, outputSchema };
const untyped = { description: "All tasks, as a list", inputSchema };

const info = { name: "tasks", version: "1.0.0" };

export function foreignServer(): McpServer {
  const server = new McpServer(info);
  const whole = { tasks, total: tasks.length };
  server.registerTool("tasks", typed, () => ({
    content: [{ type: "text", text: JSON.stringify(whole) }],
    structuredContent: whole,
  }));
  server.registerTool("list", untyped, () => ({ content: [{ type: "text", text: JSON.stringify(tasks) }] }));
  return server;
}

export function ownServer(): McpServer {
  const contract = createContract({ name: info.name, logLevel: "silent", validate: "always", select: true });
  const server = contract.server(new McpServer(info));
  server.registerTool("tasks", typed, (args) => {
    seen.push(args);
    return { tasks, total: tasks.length };
  });
  server.registerTool("list", untyped, (args) => {
    seen.push(args);
    return tasks;
  });
  return server;
}
