import { describe, expect, it } from "vitest";
import { runTool } from "../testing/run-tool.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";

const blocked = defineTool("blocked", { description: "Waits" }, (_, { warn }) => {
  warn("task-002 waits for task-001");
  return { status: "blocked" };
});

describe("draftNotes", () => {
  const quiet = { dialect: "response-v2-draft", profile: "minimal" } as const;

  // shows 000.11
  it("puts a draft's warnings into data, as seed 000 shows them", async () => {
    const { envelope } = await runTool(blocked, {}, { contract: { ...quiet, draftNotes: "data" } });
    expect(envelope).toEqual({
      success: true,
      data: { status: "blocked", _warnings: ["task-002 waits for task-001"] },
      error: null,
      meta: { version: "response-v2" },
    });
  });

  // shows 000.6
  it("leaves them in meta unless asked", async () => {
    const { envelope } = await runTool(blocked, {}, { contract: quiet });
    expect(envelope).toMatchObject({
      data: { status: "blocked" },
      meta: { warnings: ["task-002 waits for task-001"] },
    });
  });

  it("changes no other dialect", async () => {
    const { envelope } = await runTool(blocked, {}, { contract: { draftNotes: "data" } });
    expect(envelope).toMatchObject({
      data: { status: "blocked" },
      meta: { warnings: ["task-002 waits for task-001"] },
    });
  });
});
