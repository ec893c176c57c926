import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { advertiseOwn } from "./advertise-tool.ts";
import { createState } from "./contract-state.ts";
import { QuestionWorkers } from "./question-workers.ts";
import { retrieveTool } from "./retrieve-tool.ts";

class RefusedDesk extends QuestionWorkers {
  override get mayAnswer(): boolean {
    return false;
  }
}

function argumentsOf(isRefused: boolean): string[] {
  const made = createState({ logLevel: "silent" });
  const state = isRefused ? { ...made, questions: new RefusedDesk(made.log) } : made;
  const { inputSchema, outputSchema } = advertiseOwn(state, retrieveTool(state));
  expect(outputSchema).toBeUndefined();
  return Object.keys((inputSchema?.["properties"] ?? {}) as JsonObject);
}

describe("waybill_retrieve", () => {
  it("is listed with questions and patterns", () => {
    expect(argumentsOf(false)).toEqual(expect.arrayContaining(["select", "lines", "grep"]));
  });

  it("is listed without them where no worker can start; lines stay", () => {
    const listed = argumentsOf(true);
    expect(listed).toContain("lines");
    expect(listed).not.toContain("select");
    expect(listed).not.toContain("grep");
  });
});
