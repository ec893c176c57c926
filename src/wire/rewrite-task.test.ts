import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { callRewrite } from "./call-rewrite.fixture.ts";
import { announcedTask, rewriteTask } from "./rewrite-task.ts";

const answer = { content: [{ type: "text", text: "Done" }] };

function respond(result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id: 1, result };
}

describe("announcedTask", () => {
  it.each([
    ["of the modern era", { resultType: "task", taskId: "t1", status: "working" }, "t1"],
    ["of the legacy era", { task: { taskId: "t2", status: "working" } }, "t2"],
    ["that is none", { content: [], taskId: "t3" }, undefined],
    ["without an id", { task: {} }, undefined],
  ])("reads the id of a task %s", (_, result, id) => {
    expect(announcedTask(respond(result as JsonObject))).toBe(id);
  });

  it("finds none in an error", () => {
    expect(announcedTask({ error: { code: -32603 } })).toBeUndefined();
  });
});

describe("rewriteTask", () => {
  it("envelopes the result inside a completed task, and keeps the task around it", async () => {
    const task = { resultType: "complete", taskId: "t", status: "completed", ttlMs: null };
    const changed = await rewriteTask(respond({ ...task, result: answer }), callRewrite());
    expect(changed).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      result: { ...task, result: { structuredContent: { success: true, data: { result: "Done" } } } },
    });
  });

  it.each([
    ["that still works", { taskId: "t", status: "working" }],
    ["that failed", { taskId: "t", status: "failed", error: { code: -32603, message: "x" } }],
    ["that holds no tool result", { taskId: "t", status: "completed", result: { other: 1 } }],
  ])("passes a task %s untouched", async (_, result) => {
    const response = respond(result);
    expect(await rewriteTask(response, callRewrite())).toBe(response);
  });
});
