// The code of a new project that clients start: a server, one tool and its test. One of our tests compiles and runs them.

/** Starts the server, on stdio or over HTTP. */
function serverFile(name: string): string {
  return `import { serve } from "waybill/server";
import { taskGet } from "./task-get.ts";

await serve({ name: ${JSON.stringify(name)}, version: "0.1.0", tools: [taskGet] });
`;
}

export const toolFile = `import { defineTool } from "waybill/server";
import * as z from "zod";

const tasks = new Map([
  ["task-1", { id: "task-1", title: "Read the README", status: "done" }],
  ["task-2", { id: "task-2", title: "Write a tool", status: "open" }],
]);

/** Handlers return plain data and fail in the ways that they declare. What the client gets is made of that. */
export const taskGet = defineTool(
  "task_get",
  {
    description: "One task by its id",
    inputSchema: z.object({ id: z.string().describe("The id of the task, such as task-1") }),
    annotations: { readOnlyHint: true },
    errors: { not_found: { code: "NOT_FOUND", when: "No task has this id" } },
  },
  ({ id }, ctx) => {
    const task = tasks.get(id);
    if (task === undefined) return ctx.fail("not_found", { id });
    return { task };
  },
);
`;

export const testFile = `import assert from "node:assert/strict";
import { test } from "node:test";
import { assertResponse, fuzzTool, runTool } from "waybill/testing";
import { taskGet } from "./task-get.ts";

test("gives a task", async () => {
  const { outcome, result } = await runTool(taskGet, { id: "task-1" });
  assertResponse(result);
  assert.deepEqual(outcome.ok && outcome.data, {
    task: { id: "task-1", title: "Read the README", status: "done" },
  });
});

test("says that a task does not exist", async () => {
  const { outcome, result } = await runTool(taskGet, { id: "task-9" });
  assertResponse(result);
  assert.equal(outcome.ok ? undefined : outcome.fault.code, "NOT_FOUND");
});

test("withstands arguments that no client should send", async () => {
  const { findings, summary } = await fuzzTool(taskGet);
  assert.deepEqual(findings, [], summary);
});
`;

export function stdioCode(serverName: string): readonly (readonly [path: string, text: string])[] {
  return [
    ["src/server.ts", serverFile(serverName)],
    ["src/task-get.ts", toolFile],
    ["src/task-get.test.ts", testFile],
  ];
}
