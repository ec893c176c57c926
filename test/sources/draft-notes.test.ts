import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createContract, defineTool } from "../../src/doors/server/index.ts";
import { runTool } from "../../src/doors/testing/index.ts";

const tasks = ["task-001", "task-002", "task-003"].map((id) => ({ id }));
const list = defineTool(
  "list",
  { description: "Tasks, two at a time", inputSchema: z.object({ cursor: z.string().optional() }) },
  (_, ctx) =>
    ctx.page({
      path: "tasks",
      fetch: ({ after, limit }) =>
        tasks.filter(({ id }) => typeof after !== "string" || id > after).slice(0, limit),
      key: ({ id }) => id,
      limit: 2,
    }),
);

describe("the notes of a draft answer", () => {
  // shows 000.10
  it("data._meta carries the page and the id of a call", async () => {
    const contract = { dialect: "response-v2-draft", draftNotes: "data" } as const;
    const meta = { "waybill/request_id": "req_abc123" };
    const { envelope } = await runTool(list, {}, { contract, meta });
    expect(envelope).toMatchObject({
      data: {
        tasks: [{ id: "task-001" }, { id: "task-002" }],
        _meta: { request_id: "req_abc123", pagination: { has_more: true, page_size: 2 } },
      },
      meta: { version: "response-v2" },
    });
  });

  // shows 000.9
  it("meta of a draft holds a quota that is near its end", async () => {
    const contract = createContract({
      dialect: "response-v2-draft",
      rateLimit: { limit: 1, periodSeconds: 60 },
      logLevel: "silent",
    });
    const { envelope } = await runTool(list, {}, { contract });
    expect(envelope).toMatchObject({
      success: true,
      meta: { version: "response-v2", rate_limit: { limit: 1, remaining: 0 } },
    });
  });
});
