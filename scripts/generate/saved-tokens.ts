import { readFile } from "node:fs/promises";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { defineTiers } from "../../src/engine/settings/flags-and-tiers/define-tiers.ts";
import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";
import { blockTexts } from "../../src/core/pipeline/dialect/result-rules.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { runTool } from "../../src/doors/testing/run-tool.ts";

/** What the profile `minimal` of document 002 saves against `debug`, on the document's own example. */
export interface SavedTokens {
  readonly counted: string;
  readonly minimal: readonly [cl100k: number, o200k: number];
  readonly debug: readonly [cl100k: number, o200k: number];
}

interface Printed {
  readonly tier: string;
  readonly tool_version: string;
  readonly tool_id: string;
  readonly request_id: string;
  readonly duration_ms: number;
  readonly data: JsonObject;
}

async function example(): Promise<Printed> {
  const file = new URL("../../test/fixtures/seeds/002-L097-success-debug.json", import.meta.url);
  return JSON.parse(await readFile(file, "utf8")) as Printed;
}

/** The result that a client gets for the example, as it is sent. */
async function resultIn(profile: string, printed: Printed): Promise<JsonObject> {
  const { tier, tool_version: version, tool_id: id, request_id: requestId, duration_ms: duration } = printed;
  const contract = createContract({
    name: "saved",
    dialect: "scalpel",
    profile,
    logLevel: "silent",
    requestIds: () => requestId,
    tiers: defineTiers({ of: () => tier }),
  });
  const described = { description: "Scans.", version };
  const tool = defineTool(id, described, (_args, ctx) => {
    ctx.telemetry({ duration_ms: duration });
    return printed.data;
  });
  return (await runTool(tool, {}, { contract })).result;
}

function tokensOf(...values: readonly JsonValue[]): readonly [cl100k: number, o200k: number] {
  const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const sum = (count: (text: string) => number): number => texts.reduce((all, text) => all + count(text), 0);
  return [sum(countCl100k), sum(countO200k)];
}

/** Counted three ways: the envelope alone, in its place in the result, and the result as one message. */
export async function savedTokens(): Promise<readonly SavedTokens[]> {
  const printed = await example();
  const [minimal, debug] = await Promise.all([resultIn("minimal", printed), resultIn("debug", printed)]);
  const ways: Readonly<Record<string, (result: JsonObject) => readonly [number, number]>> = {
    "one envelope": (result) => tokensOf(result["structuredContent"] ?? null),
    "text and structure": (result) => tokensOf(...blockTexts(result), result["structuredContent"] ?? null),
    "the whole result": (result) => tokensOf(result),
  };
  return Object.entries(ways).map(([counted, count]) => ({
    counted,
    minimal: count(minimal),
    debug: count(debug),
  }));
}
