// The server behind the examples of docs/client.md. They import `client` and `contract` from here.
import { readFileSync } from "node:fs";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { faults } from "waybill";
import { createContract, defineTool } from "waybill/server";
import * as z from "zod";

const taskSchema = z.object({ id: z.string(), status: z.enum(["pending", "done"]) });
type Task = z.infer<typeof taskSchema>;

const tasks = Array.from({ length: 45 }, (_, index): Task => {
  const id = `task-${String(index + 1).padStart(3, "0")}`;
  return { id, status: index % 3 === 0 ? "done" : "pending" };
});
const readOnly = { readOnlyHint: true } as const;

const taskQuery = defineTool(
  "task_query",
  {
    description: "Tasks in pages",
    inputSchema: z.object({
      status: z.enum(["pending", "done"]).optional(),
      page_size: z.number().optional(),
      cursor: z.string().nullish(),
    }),
    outputSchema: z.object({ tasks: z.array(taskSchema) }),
    annotations: readOnly,
  },
  ({ status, page_size: limit }, context) =>
    context.page({
      path: "tasks",
      limit,
      total: tasks.filter((task) => task.status === (status ?? task.status)).length,
      key: ({ id }: Task) => id,
      fetch: ({ after, limit: count }) =>
        tasks
          .filter((task) => task.status === (status ?? task.status))
          .filter(({ id }) => typeof after !== "string" || id > after)
          .slice(0, count),
    }),
);

const taskGet = defineTool(
  "task_get",
  {
    description: "One task",
    inputSchema: z.object({ id: z.string() }),
    outputSchema: z.object({ task: taskSchema }),
    annotations: readOnly,
  },
  ({ id }) => {
    const task = tasks.find((one) => one.id === id);
    if (task === undefined) throw faults.notFound("task", id);
    return { task };
  },
);

const tasksClose = defineTool(
  "tasks_close",
  { description: "Closes tasks", inputSchema: z.object({ ids: z.array(z.string()) }) },
  ({ ids }, context) =>
    context.partial(
      ids.map((id) => ({ id, ...(tasks.some((task) => task.id === id) ? {} : { error: "There is none" }) })),
      { idKey: "task_id", noun: "tasks" },
    ),
);

const errors = {
  gone: { code: "NOT_FOUND", when: "No task has this id", details: z.object({ task_id: z.string() }) },
} as const;
const taskClose = defineTool(
  "task_close",
  { description: "Closes a task", inputSchema: z.object({ id: z.string() }), errors },
  ({ id }, context) => {
    const task = tasks.find((one) => one.id === id);
    return task === undefined ? context.fail("gone", { task_id: id }) : { task };
  },
);

const findingSchema = z.object({ id: z.string(), title: z.string() });

const scan = defineTool(
  "scan",
  {
    description: "Findings, more than anyone can read",
    outputSchema: z.object({ findings: z.array(findingSchema), total: z.number() }),
    annotations: readOnly,
    budget: { tokens: 480 },
  },
  () => ({
    findings: Array.from({ length: 5_000 }, (_, index) => ({
      id: `f-${index}`,
      title: `Finding number ${index}`,
    })),
    total: 5_000,
  }),
);

let asked = 0;
const weather = defineTool("weather", { description: "The weather", annotations: readOnly }, () => {
  asked++;
  if (asked % 2 === 1) throw faults.unavailable("The station does not answer");
  return { sky: "clear" };
});

const deploy = defineTool("deploy", { description: "Puts it live" }, () => {
  throw faults.unavailable("The cluster does not answer");
});

const digest = readFileSync(
  new URL("../fixtures/seeds/001-L350-digest-payload.json", import.meta.url),
  "utf8",
);
const sourceSchema = z.object({ id: z.string(), content_type: z.string(), content: z.string() });
const sourceGet = defineTool(
  "source_get",
  { description: "A source", outputSchema: z.object({ source: sourceSchema }), annotations: readOnly },
  () => ({ source: { id: "source-014", content_type: "digest/v1", content: digest } }),
);

let requests = 0;
export const contract = createContract({
  name: "tasks",
  tools: [taskQuery, taskGet, taskClose, tasksClose, scan, weather, deploy, sourceGet],
  logLevel: "silent",
  requestIds: () => `req_${String(++requests).padStart(12, "0")}`,
});

const server = contract.server(new McpServer({ name: "tasks", version: "1.0.0" })).addServerTool();
const [near, far] = InMemoryTransport.createLinkedPair();
export const client = new Client({ name: "reader", version: "1.0.0" });
await Promise.all([server.connect(far), client.connect(near)]);
