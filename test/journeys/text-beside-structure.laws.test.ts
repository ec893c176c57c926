import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DialectId, dialectIds } from "../../src/core/contract/dialect-id.ts";
import { readResult } from "../../src/doors/client/read-result.ts";
import { type JsonObject, isJsonObject } from "../../src/core/json/json-value.ts";
import { readFailurePayload } from "../../src/core/pipeline/outcome/failure-payload.ts";
import { innerOf } from "../../src/core/pipeline/outcome/failure-signs.ts";
import { isFullRun, lawSeed, someOf } from "../arbitrary/law-runs.ts";
import { type SchemaAndResults, authoredBlocks, schemaAndResults } from "../arbitrary/tool-results.ts";
import { type Door, doors, toolName, visit } from "./text-beside-structure.fixture.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";

// A client compiles each schema that it is listed, which takes longer than many calls: so a schema has many results.
const RESULTS_A_SCHEMA = isFullRun ? 40 : 20;
const SCHEMAS = isFullRun ? 50 : 2;
// Every client, dialect and door gets the same results. A failure names the seed.
const tools = fc.sample(schemaAndResults(RESULTS_A_SCHEMA), { numRuns: SCHEMAS, seed: lawSeed });
const clients = [
  { client: "2.4.0", era: "legacy" },
  { client: "2.4.0", era: "modern" },
  { client: "1.32.2", era: "legacy" },
  { client: "1.25.3", era: "legacy" },
  { client: "1.18.2", era: "legacy" },
] as const;

/** The budgets of one call: none, and one that cuts most results. */
const budgets = ["off", 400] as const;

/** The tools that are tried under a door in one turn: each is under either door in every other turn. */
function toolsUnder(door: Door, turn: number): readonly SchemaAndResults[] {
  return tools.filter((_, index) => doors[(index + turn) % doors.length] === door);
}

/** Why the client throws a result away instead of handing it on. */
async function refusalOf(
  client: AnyClient,
  name: string,
  at: number,
  budget: "off" | number,
): Promise<string | undefined> {
  try {
    await client.call(name, { at }, { meta: { "waybill/contract": { budget_tokens: budget } } });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** What of a tool's results a client refuses, whole or cut. */
async function refusedBy(client: AnyClient, { outputSchema, results }: SchemaAndResults, name: string) {
  const tried = results.flatMap((result, at) =>
    budgets.map(async (budget) => ({ result, budget, why: await refusalOf(client, name, at, budget) })),
  );
  const refused = (await Promise.all(tried)).filter(({ why }) => why !== undefined);
  return refused.map((each) => ({ seed: lawSeed, outputSchema, ...each }));
}

/** The legacy form has one payload that it cannot say: one that looks like its failures is under `result`. */
function structureIn({ structuredContent: said }: JsonObject, dialect: DialectId): unknown {
  const looksFailed = Object.keys(said ?? {}).join() === "error";
  return dialect === "response-v1" && looksFailed ? { result: said } : said;
}

/** Of bytes, drf says only what they are: here none are kept. */
function comparable(block: JsonObject, dialect: DialectId): JsonObject {
  if (dialect !== "drf") return block;
  const { text, resource } = block;
  const isBytes = block["data"] !== undefined || (isJsonObject(resource) && resource["blob"] !== undefined);
  const isSaid = typeof text === "string" && text.includes('"left_out":"Only text is sent');
  const said = isSaid ? (JSON.parse(text) as JsonObject) : block;
  return isBytes || isSaid ? { type: said["type"] ?? null, bytes: "left out" } : block;
}

/** Structures that report a failure and nothing else are read as one where a text repeats them; under `result` too. */
function saysThatItFailed({ structuredContent: said }: JsonObject): boolean {
  const reported = isJsonObject(said) ? readFailurePayload(innerOf(said), false) : undefined;
  return reported?.confidence === "high";
}

describe.each(dialectIds)("a result with a structure, in %s,", (dialect) => {
  const options = { dialect, allow: { budgetOff: true }, logLevel: "silent" } as const;
  const turn = dialectIds.indexOf(dialect);

  it.each(someOf(clients, 1))(
    "is accepted by the client $client, $era, whatever text is beside it, whole and cut",
    async ({ client: kind, era }) => {
      const refused: object[] = [];
      const order = clients.findIndex((one) => one.client === kind && one.era === era);
      for (const door of doors) {
        const visited = toolsUnder(door, turn + order);
        const client = await visit(visited, { door, client: kind, era, options });
        for (const [index, tool] of visited.entries())
          refused.push(...(await refusedBy(client, tool, toolName(index))));
        await client.close();
      }
      expect(refused.slice(0, 3)).toEqual([]);
    },
  );

  it.each(doors)("reads back as exactly that structure and those blocks, under %s", async (door) => {
    const visited = toolsUnder(door, turn);
    const client = await visit(visited, { door, client: "2.4.0", era: "legacy", options });
    const meta = { "waybill/contract": { budget_tokens: "off" } };
    const calls = visited.flatMap(({ results }, index) =>
      results.map((result, at) => ({ result, at, name: toolName(index) })),
    );
    for (const { name, at, result } of calls) {
      if (result["isError"] === true || saysThatItFailed(result)) continue;
      const sent = await client.call(name, { at }, { meta });
      const { data, blocks } = await readResult(sent, { tool: name, args: {} }).catch((error: unknown) => {
        throw new Error(JSON.stringify({ seed: lawSeed, result, sent }), { cause: error });
      });
      const toCompare = (all: readonly JsonObject[]) => all.map((block) => comparable(block, dialect));
      expect({ data, blocks: toCompare(blocks), sent, seed: lawSeed }).toEqual({
        data: structureIn(result, dialect),
        blocks: toCompare(authoredBlocks(result)),
        sent,
        seed: lawSeed,
      });
    }
    await client.close();
  });
});
