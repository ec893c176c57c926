// Tool lists of 1,060 published servers in fewer words: the tools take the same arguments, and clients list them all.

import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type JsonObject, isJsonObject } from "../../src/core/json/json-value.ts";
import { connectSdk, sdkVersions } from "../../src/core/schema/sdk-clients.fixture.ts";
import { slimDefinition } from "../../src/core/schema/slim-definition.ts";
import { judgeTexts } from "../../src/doors/check/schema/judge-value.ts";
import { isFullRun, lawSeed, someOf } from "../arbitrary/law-runs.ts";
import { argumentSets } from "../arbitrary/tool-arguments.ts";

type Tool = JsonObject & { readonly name: string };

interface Listed {
  readonly server: string;
  readonly tools: readonly Tool[];
}

const file = new URL("../../../shared/data/definitions/toucan.jsonl.gz", import.meta.url);
const hasLists = existsSync(file);
if (!hasLists) process.stderr.write("definitions.test: no ../shared/data/definitions; nothing is compared\n");

function readLists(): readonly Listed[] {
  const lines = gunzipSync(readFileSync(file)).toString().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Listed);
}

const lists = hasLists ? readLists() : [];
const QUICK = { lists: 40, tools: 40, sets: 25 };
const FULL = { tools: 1_000, sets: 200 };

/** As a server lists it: the crawler wrote hints that are not there as null, which clients refuse. */
function asListed({ annotations: _hints, inputSchema = { type: "object" }, ...tool }: Tool): JsonObject {
  return { ...tool, inputSchema };
}

/** Spread over all servers. */
function everyNth<Item>(items: readonly Item[], count: number): readonly Item[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, at) => at % step === 0).slice(0, count);
}

describe("the tools of published servers in fewer words", () => {
  it("are here to compare", () => {
    expect(hasLists || process.env["WAYBILL_REQUIRE_DATA"] !== "1").toBe(true);
  });

  it.runIf(hasLists)("take and refuse the same arguments", { timeout: 600_000 }, () => {
    const { tools: count, sets } = isFullRun ? FULL : QUICK;
    const tools = lists.flatMap(({ tools }) => tools).filter(({ inputSchema }) => isJsonObject(inputSchema));
    const figures = { tools: 0, changed: 0, accepted: 0, refused: 0, unread: 0 };
    for (const tool of everyNth(tools, count)) {
      const before = tool["inputSchema"] as JsonObject;
      const after = slimDefinition(tool)["inputSchema"] as JsonObject;
      const [given, slim] = [JSON.stringify(before), JSON.stringify(after)];
      figures.tools += 1;
      if (given !== slim) figures.changed += 1;
      for (const args of argumentSets(before, tool.name, sets, lawSeed)) {
        const text = JSON.stringify(args);
        const said = judgeTexts(given, text);
        const saidSlim = judgeTexts(slim, text);
        const isTaken = said.errors.length === 0;
        expect(saidSlim.errors.length === 0, `${tool.name} ${text}`).toBe(isTaken);
        expect(saidSlim.problem === undefined, `${tool.name}: ${saidSlim.problem}`).toBe(
          said.problem === undefined,
        );
        if (said.problem !== undefined) figures.unread += 1;
        else figures[isTaken ? "accepted" : "refused"] += 1;
      }
    }
    process.stdout.write(`definitions: ${JSON.stringify(figures)}\n`);
    expect(figures.tools).toBe(count);
    expect(figures.accepted).toBeGreaterThan((count * sets) / 10);
    expect(figures.refused).toBeGreaterThan((count * sets) / 10);
  });

  it.runIf(hasLists).each(someOf(sdkVersions, 2))(
    "are all listed by an SDK client %s, unless it refuses the list as it was",
    async (version) => {
      const namesIn = async (tools: readonly JsonObject[]): Promise<readonly string[] | undefined> => {
        const client = await connectSdk(version, { listed: { tools }, call: () => ({ content: [] }) });
        const found = await client.listTools().catch(() => undefined);
        return found?.tools.map(({ name }) => name);
      };
      const refused: string[] = [];
      for (const { server, tools } of isFullRun ? lists : everyNth(lists, QUICK.lists)) {
        const whole = tools.map(asListed);
        const listed = await namesIn(whole.map(slimDefinition));
        if (listed === undefined) refused.push(server);
        const expected = listed === undefined ? await namesIn(whole) : tools.map(({ name }) => name);
        expect(listed, `the list of ${server}`).toEqual(expected);
      }
      process.stdout.write(`definitions: ${version} refuses ${refused.length} lists as they were too\n`);
    },
    600_000,
  );
});
