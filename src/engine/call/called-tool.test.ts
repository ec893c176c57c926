import { describe, expect, it } from "vitest";
import { isToolResult, isUnfinished } from "./called-tool.ts";

describe("isToolResult", () => {
  it.each([
    { content: [] },
    { content: [{ type: "text", text: "x" }], isError: true, _meta: {} },
    { content: [{ type: "image" }, { type: "audio" }, { type: "resource_link" }, { type: "resource" }] },
    { content: [], structuredContent: { a: 1 }, resultType: "complete" },
  ])("takes %j for a result", (value) => {
    expect(isToolResult(value)).toBe(true);
  });

  it.each([
    null,
    [],
    { content: "text" },
    { content: [{ type: "text", text: "x" }], title: "a document of the tool's own" },
    { content: [{ type: "paragraph" }] },
    { content: ["x"] },
    { structuredContent: {} },
  ])("takes %j for data", (value) => {
    expect(isToolResult(value)).toBe(false);
  });
});

describe("isUnfinished", () => {
  it.each([
    { resultType: "input_required", inputRequests: {} },
    { resultType: "task", taskId: "t" },
    { task: { taskId: "t", status: "working", ttl: null } },
    { task: { taskId: "t", status: "working" }, _meta: {} },
  ])("is true for %j", (value) => {
    expect(isUnfinished(value)).toBe(true);
  });

  it.each([
    { task: { task_id: "task-001", status: "pending" } },
    { task: { taskId: "t", status: "open" }, comments: [] },
    { task: "t" },
    { resultType: "summary", rows: 3 },
    { resultType: "complete" },
    null,
    "input_required",
  ])("is false for a tool's own %j", (value) => {
    expect(isUnfinished(value)).toBe(false);
  });
});
