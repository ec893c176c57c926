import { describe, expect, it } from "vitest";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import { defineTool } from "../../../engine/settings/tool-definition.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { runTool } from "../../../doors/testing/run-tool.ts";
import { translate } from "./translate.ts";
import { validateResponse } from "./validate-response.ts";

const draft: ContractOptions = { dialect: "response-v2-draft", validate: "always", logLevel: "silent" };

async function answer(data: JsonObject, options: ContractOptions = {}): Promise<JsonObject> {
  const tool = defineTool("query", { description: "Queries" }, () => data);
  const { envelope } = await runTool(tool, {}, { contract: { ...draft, ...options } });
  return envelope as JsonObject;
}

/** As seed 000 tells a tool to attach metadata. */
const written: JsonObject = {
  status: "blocked",
  _meta: { pagination: { cursor: "c1", has_more: true, page_size: 20 }, cache: "warm" },
  _warnings: ["task-002 waits for task-001"],
};

describe("metadata that a tool puts into its data, in the draft", () => {
  // shows 000.12
  it("becomes notes, in meta", async () => {
    expect(await answer(written)).toMatchObject({
      success: true,
      data: { status: "blocked" },
      meta: {
        warnings: ["task-002 waits for task-001"],
        pagination: { cursor: "c1", has_more: true, page_size: 20 },
        cache: "warm",
      },
    });
    expect(Object.keys((await answer(written))["data"] as JsonObject)).toEqual(["status"]);
  });

  // shows 000.12
  it("goes back into the data where notes are written there", async () => {
    expect(await answer(written, { draftNotes: "data", profile: "minimal" })).toEqual({
      success: true,
      data: written,
      error: null,
      meta: { version: "response-v2" },
    });
  });

  it("may warn in any form", async () => {
    const issues = [{ code: "STALE_CACHE", severity: "warning", message: "Old" }, { spec: "login" }, 7];
    const { meta } = await answer({ _warnings: issues });
    expect((meta as JsonObject)["warnings"]).toEqual(["Old", '{"spec":"login"}', "7"]);
    expect((meta as JsonObject)["warning_details"]).toEqual([issues[0]]);
    expect(await answer({ _warnings: "One only" })).toMatchObject({ meta: { warnings: ["One only"] } });
  });

  it("joins what the call notes itself", async () => {
    const tool = defineTool("query", { description: "Queries" }, (_args, { warn }) => {
      warn("From the handler");
      return { _warnings: ["From the data"], _meta: { telemetry: { rows: 3 } } };
    });
    const { outcome } = await runTool(tool, {}, { contract: { ...draft, profile: "debug" } });
    expect(outcome.notes.warnings?.map(({ message }) => message)).toEqual([
      "From the handler",
      "From the data",
    ]);
  });

  it("is refused where it cannot be metadata", async () => {
    for (const _meta of ["text", [1], { pagination: "two" }])
      expect(await answer({ _meta })).toMatchObject({
        success: false,
        error: "The server failed unexpectedly",
      });
  });

  it("survives a translation into the draft", () => {
    const v2 = { success: true, data: written, error: null, meta: { version: "response-v2" } };
    expect(translate(v2, { from: "response-v2", to: "response-v2-draft" })).toMatchObject({
      data: { status: "blocked" },
      meta: { warnings: ["task-002 waits for task-001"] },
    });
  });
});

describe("metadata that a tool puts into its data, in response-v2", () => {
  // shows 001.23
  it("is sent as it is, and named in the log once for each tool", async () => {
    const lines: [object, string][] = [];
    const note = (fields: object, message: string): void => void lines.push([fields, message]);
    const logger = { info: note, warn: note, error: note };
    const { createContract } = await import("../../../doors/server/create-contract.ts");
    const contract = createContract({ name: "v2", logger, logLevel: "warn", validate: "always" });
    const found = defineTool("find", { description: "Finds" }, () => ({
      found: 1,
      _meta: {},
      pagination: {},
    }));
    const clean = defineTool("clean", { description: "Cleans" }, () => ({ found: 1 }));
    const { envelope } = await runTool(found, {}, { contract });
    await runTool(found, {}, { contract });
    await runTool(clean, {}, { contract });
    expect(envelope).toMatchObject({ data: { found: 1, _meta: {}, pagination: {} } });
    expect(lines).toMatchObject([
      [{ tool: "find", rule: "data/no-metadata", keys: ["_meta", "pagination"] }, "metadata-in-data"],
    ]);
    expect(validateResponse(envelope, { dialect: "response-v2" }).violations).toMatchObject([
      { rule: "data/no-metadata" },
      { rule: "data/no-metadata" },
    ]);
  });
});
