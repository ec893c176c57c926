// What the pages take for granted: a fragment that says `contract` or `db` means these.
import { createServer } from "node:http";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { defineFlags, defineTiers, type Outcome, successResponse } from "waybill";
import { contractClient } from "waybill/client";
import { digestDocument } from "waybill/digest";
import { createContract, defineTool } from "waybill/server";
import * as z from "zod";
import { advertiseOutput } from "../../src/core/schema/envelope-schema.ts";

import { compare } from "./compare-shown.ts";

export { advertiseOutput, Client, InMemoryTransport, McpServer, z };
export { compare as shown, compareThrown as shownThrow } from "./compare-shown.ts";

export interface Task {
  readonly id: string;
  readonly status: string;
  readonly title: string;
}
const list: readonly Task[] = Array.from({ length: 5 }, (_, at) => ({
  id: `task-${at + 1}`,
  status: "open",
  title: `Task number ${at + 1}`,
}));
export const tasks = new Map(list.map((task) => [task.id, task]));
export const db = {
  tasks: ({ after, limit = 2 }: { status?: string; after?: unknown; limit?: number } = {}): Task[] =>
    list.filter(({ id }) => typeof after !== "string" || id > after).slice(0, limit),
  reports: () => Promise.resolve([{ name: "open_tasks", title: "Open tasks", rows: 5 }]),
};
export const id = "task-1";
export const info = { name: "tasks", version: "1.0.0" };
export const description = "One task by its id";
export const inputSchema = z.object({ id: z.string() });
export const taskGet = defineTool("task_get", { description, inputSchema }, () => ({ task: list[0] }));
export const taskQuery = defineTool("task_query", { description: "Tasks" }, () => ({ tasks: list }));
export const noteRead = defineTool(
  "note_read",
  { description: "A note by its name", inputSchema: z.object({ name: z.string() }) },
  ({ name }) => ({ name }),
);
export const contract = createContract({ name: "tasks", select: true });
/** Objects that can be used once: each fragment gets its own. */
export const fresh = {
  mcp: () => new McpServer({ name: "tasks", version: "1.0.0" }),
  server: () => {
    const server = new McpServer({ name: "legacy", version: "1.0.0" });
    const envelope = successResponse({ task: { id: "task-001" } }, { requestId: "req_1" });
    server.registerTool("task_get", { description, inputSchema }, () => ({
      content: [{ type: "text", text: JSON.stringify(envelope) }],
      structuredContent: { ...envelope },
    }));
    return server;
  },
};

const served = createContract({ name: "tasks", tools: [taskGet, taskQuery], select: true });
const serving = served.server(new McpServer({ name: "tasks", version: "1.0.0" }));
const [near, far] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: "reader", version: "1.0.0" });
await Promise.all([serving.connect(far), client.connect(near)]);
export const tools = contractClient(client);

export const data = { tasks: list.map(({ id: task, status }) => ({ id: task, status })) };
export const findings = list;
export const outcome: Outcome = { ok: true, data: { risk: "high" }, notes: {} };
export const json = { success: true, data: {}, error: null, meta: { version: "response-v2" } };

export const query = "What did the audit cost?";
export const source =
  "The audit cost 4,200 francs and took eleven days. " +
  "The offices kept their plants watered through the whole summer and wrote it down. ".repeat(40);
export const bytes = new TextEncoder().encode(source);
export const sources = [{ id: "report", content_type: "text/plain", content: source }];
const digested = await digestDocument(bytes, { query });
if (digested.payload === undefined) throw new Error("The given text has no digest.");
export const payload = digested.payload;
export const text = digested.document.text;
export const pages = digested.document.pages;
export const library = { open: (name: string) => ({ content: source, title: name }) };

export const secret = "a secret of sixteen bytes or more";
export const oldSecret = `${secret}, the old one`;
export const newSecret = `${secret}, another`;
export const cursor: string | undefined = undefined;

export interface Context {
  readonly licence: "community" | "pro" | "enterprise";
}
export const context: Context = { licence: "pro" };
export const tiers = defineTiers({ of: () => "pro" });
export const flags = defineFlags({ highlight: { state: "stable", default: true } });
export const orgOf = (subject: string): string => subject.split("@")[1] ?? "";

const quiet = (..._words: unknown[]): void => undefined;
export const log = { info: quiet, warn: quiet, error: quiet };
export const pino = () => log;
export const tracker = { open: () => list.map(({ id: number, title }) => ({ number, title })) };
export const myTokenizer = { encode: (words: string) => words.split(" ") };
export const ctx = { signal: new AbortController().signal };
export const octokit = {
  issues: {
    get: (_issue: object) => Promise.reject<object>(Object.assign(new Error("Gone"), { status: 404 })),
  },
};
export const [owner, repo, issue_number] = ["waybill-mcp", "waybill", 1] as const;

/** A service that has nothing. */
const service = createServer((_request, response) => void response.writeHead(404).end());
await new Promise<void>((resolve) => void service.listen(0, "127.0.0.1", resolve));
service.unref();
const address = service.address();
export const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
export const req = { socket: { remoteAddress: "192.0.2.7" } };
export const res = {};
export const handle = (_request: typeof req, _response: typeof res): string => "handled";

export const toolSchema = {
  type: "object",
  properties: { id: { type: "string" }, tags: { type: "array", items: { type: "string" }, minItems: 1 } },
  required: ["id", "tags"],
  additionalProperties: false,
} as const;
/** As a test runner gives it. */
export const expect = (value: unknown) => ({ toEqual: (wanted: unknown) => compare(value, wanted) });
