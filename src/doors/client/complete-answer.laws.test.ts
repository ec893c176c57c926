import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, describe, expect, it, test } from "vitest";
import { largeJson } from "../../../test/arbitrary/large-json.ts";
import { arePayloadsRequired, hasPayloads, payloads } from "../../../test/journeys/payloads.fixture.ts";
import { encodeTables } from "../../core/json/table/encode-tables.ts";
import { wideRecords } from "../../core/json/table/wide-records.fixture.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import type { Answer } from "./answer.ts";
import type { ContractClient } from "./contract-client.ts";
import { cutPair, flipInItems, flipInResource } from "./cut-pair.fixture.ts";
import { ResponseError } from "../../core/contract/response-error.ts";
import { isFullRun, lawRuns, someOf } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000, 15);
/** Each flipped bit is a cut and a whole archive that is read in vain. */
const flips = lawRuns(300, 15);
const pair = await cutPair();
const tabled = await cutPair({}, { encoding: "table" });
afterAll(() => Promise.all([pair.close(), tabled.close()]));

const budgets = fc.integer({ min: 256, max: 3_000 });
const counts = { full: 0, partial: 0, summary: 0, reference_only: 0 };

async function completed(client: ContractClient, budget: number): Promise<string> {
  const answer = await client.call("read", {}, { budget });
  counts[answer.fidelity]++;
  const { data, fidelity, dropped } = await client.complete(answer);
  expect([fidelity, dropped]).toEqual(["full", []]);
  return JSON.stringify(data);
}

/** What the tool returned, without a key that it has on the wire; nothing is an empty object. */
function wholeText(value: JsonValue): string {
  return JSON.stringify(value ?? {});
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "ok",
    (error: unknown) => (ResponseError.isInstance(error) ? error.code : String(error)),
  );
}

describe("a cut that is completed", () => {
  test("is equal to what was cut, by the resource", async () => {
    const client = pair.byResource();
    await fc.assert(
      fc.asyncProperty(largeJson, budgets, async (value, budget) => {
        pair.given.value = value;
        expect(await completed(client, budget)).toBe(wholeText(value));
      }),
      runs,
    );
    expect(Math.min(counts.full, counts.partial, counts.summary + counts.reference_only)).toBeGreaterThan(0);
  });

  test("is equal to what was cut, by the tool alone", async () => {
    const client = pair.byTool();
    await fc.assert(
      fc.asyncProperty(largeJson, budgets, async (value, budget) => {
        pair.given.value = value;
        expect(await completed(client, budget)).toBe(wholeText(value));
      }),
      runs,
    );
  });

  test("is the encoded whole of a tool that writes tables, both ways", async () => {
    const clients = [tabled.byResource(), tabled.byTool()];
    await fc.assert(
      fc.asyncProperty(largeJson, budgets, fc.constantFrom(...clients), async (value, budget, client) => {
        tabled.given.value = value;
        expect(await completed(client, budget)).toBe(wholeText(encodeTables(value)));
      }),
      runs,
    );
  });
});

describe("wide records as tables", () => {
  it("come back equal when they were cut, both ways", async () => {
    const clients = [tabled.byResource(), tabled.byTool()];
    await fc.assert(
      fc.asyncProperty(wideRecords, budgets, fc.constantFrom(...clients), async (value, budget, client) => {
        tabled.given.value = value;
        expect(await completed(client, budget)).toBe(wholeText(encodeTables(value)));
      }),
      lawRuns(150, 3),
    );
  });
});

describe.skipIf(!hasPayloads && !arePayloadsRequired)("a real payload", () => {
  it("is there", () => {
    expect(payloads.length).toBeGreaterThan(0);
  });

  const cases = payloads.flatMap((payload) => [300, 1_000, 4_000].map((budget) => ({ ...payload, budget })));
  it.each(someOf(cases, 3))(
    "$name, cut at $budget tokens, comes back equal, both ways",
    async ({ value, budget }) => {
      pair.given.value = value;
      for (const client of [pair.byResource(), pair.byTool()]) {
        expect(await completed(client, budget)).toBe(wholeText(value));
      }
    },
  );

  it.each(someOf(cases, 3))(
    "$name as tables, cut at $budget tokens, comes back equal, both ways",
    async (one) => {
      tabled.given.value = one.value;
      for (const client of [tabled.byResource(), tabled.byTool()]) {
        expect(await completed(client, one.budget)).toBe(wholeText(encodeTables(one.value)));
      }
    },
  );
});

describe("a flipped bit", () => {
  const cut = async (client: ContractClient, value: JsonValue): Promise<Answer | undefined> => {
    pair.given.value = value;
    const answer = await client.call("read", {}, { budget: 300 });
    return answer.fidelity === "full" ? undefined : (answer as Answer);
  };

  const ways = [
    ["resource", pair.byResource(), flipInResource],
    ["tool", pair.byTool({ budget: 1_500 }), flipInItems],
  ] as const;
  test.each(isFullRun ? ways : ways.slice(0, 1))(
    "anywhere in what came back by the %s is caught",
    async (_by, client, flip) => {
      let caught = 0;
      await fc.assert(
        fc.asyncProperty(largeJson, fc.nat(), async (value, seed) => {
          const answer = await cut(client, value);
          fc.pre(answer !== undefined);
          pair.given.tamper = (result) => flip(result, seed);
          const code = await codeOf(client.complete(answer as never));
          delete pair.given.tamper;
          // A bit that changes the length of a text is a lie about sizes, which is noticed before there is a hash to compare.
          expect(["HASH_MISMATCH", "ARCHIVE_INCOMPLETE"]).toContain(code);
          caught++;
        }),
        { ...flips, maxSkipsPerRun: 1_000 },
      );
      expect(caught).toBe(flips.numRuns);
    },
  );

  it("in every byte of one archive is caught", async () => {
    const client = pair.byResource();
    const answer = await cut(
      client,
      Array.from({ length: 90 }, (_, id) => ({ id, note: `Note ${id}` })),
    );
    const bytes = Buffer.byteLength(wholeText(pair.given.value as JsonValue));
    const codes = new Set<string>();
    for (let at = 0; at < bytes; at += isFullRun ? 1 : 40) {
      pair.given.tamper = (result) => flipInResource(result, at);
      codes.add(await codeOf(client.complete(answer as never)));
    }
    delete pair.given.tamper;
    expect([...codes]).toEqual(["HASH_MISMATCH"]);
  });
});

describe("the announced hash", () => {
  // shows 001.34
  it("is the sha256 of the text that comes back", async () => {
    const client = pair.byTool();
    pair.given.value = Array.from({ length: 900 }, (_, id) => ({ id }));
    const answer = await client.call("read", {}, { budget: 300 });
    const { data } = await client.complete(answer);
    const hash = createHash("sha256").update(JSON.stringify(data)).digest("hex");
    expect(Object.values(answer.archives)).toEqual([`sha256:${hash}`]);
  });
});
