import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DialectId, dialectIds } from "../../src/contract/dialect-id.ts";
import { readResult } from "../../src/client/read-result.ts";
import { type JsonObject, isJsonObject } from "../../src/json/json-value.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";
import { authoredBlocks, schemaAndResult } from "../arbitrary/tool-results.ts";
import { doors, toolName, visit } from "./text-beside-structure.fixture.ts";
import type { AnyClient } from "./attach-clients.fixture.ts";

const BATCH = isFullRun ? 250 : 40;
const batches = Array.from({ length: isFullRun ? 4 : 1 }, (_, at) =>
  // The same results every time, so that every client, dialect and door is tried with the same ones.
  fc.sample(schemaAndResult, { numRuns: BATCH, seed: 20_261_115 + at }),
);

const clients = [
  { client: "2.4.0", era: "legacy" },
  { client: "2.4.0", era: "modern" },
  { client: "1.32.2", era: "legacy" },
  { client: "1.25.3", era: "legacy" },
  { client: "1.18.2", era: "legacy" },
] as const;

/** Why the client throws a result away instead of handing it on. */
async function refusalOf(client: AnyClient, index: number): Promise<string | undefined> {
  try {
    await client.call(toolName(index));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** The legacy form has one payload that it cannot say: one that looks like its failures stands under `result`. */
function structureIn({ structuredContent: said }: JsonObject, dialect: DialectId): unknown {
  const looksFailed = Object.keys(said ?? {}).join() === "error";
  return dialect === "response-v1" && looksFailed ? { result: said } : said;
}

/** A drf text has no place for notes but a further item `{"meta": {…}}`, and data that is just that reads as one. */
function readsAsNotes({ structuredContent: said }: JsonObject, dialect: DialectId): boolean {
  return (
    dialect === "drf" &&
    isJsonObject(said) &&
    Object.keys(said).join() === "meta" &&
    isJsonObject(said["meta"])
  );
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

describe.each(someOf(doors, 2))("a result with a structure, under %s", (door) => {
  describe.each(dialectIds)("in %s", (dialect) => {
    describe.each([
      { budget: "no", tokens: "off" },
      { budget: "a small", tokens: 400 },
    ] as const)("with $budget budget", ({ tokens }) => {
      it.each(someOf(clients, 2))(
        "is accepted by the client $client, $era, whatever text stands beside it",
        async ({ client: kind, era }) => {
          const options = { dialect, budget: { tokens }, logLevel: "silent" } as const;
          for (const tools of batches) {
            const client = await visit(tools, { door, client: kind, era, options });
            for (const [index, { outputSchema, result }] of tools.entries()) {
              const refused = await refusalOf(client, index);
              expect({ outputSchema, result, refused }).toEqual({ outputSchema, result, refused: undefined });
            }
            await client.close();
          }
        },
      );
    });

    it("reads back as exactly that structure and those blocks", async () => {
      const options = { dialect, budget: { tokens: "off" }, logLevel: "silent" } as const;
      for (const tools of batches) {
        const client = await visit(tools, { door, client: "2.4.0", era: "legacy", options });
        for (const [index, { result }] of tools.entries()) {
          if (result["isError"] === true || readsAsNotes(result, dialect)) continue;
          const sent = await client.call(toolName(index));
          const { data, blocks } = await readResult(sent, { tool: toolName(index), args: {} });
          const toCompare = (all: readonly JsonObject[]) => all.map((block) => comparable(block, dialect));
          expect({ data, blocks: toCompare(blocks), sent }).toEqual({
            data: structureIn(result, dialect),
            blocks: toCompare(authoredBlocks(result)),
            sent,
          });
        }
        await client.close();
      }
    });
  });
});
