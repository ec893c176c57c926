import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyJson } from "../../../test/arbitrary/outcomes.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { cutPair } from "./cut-pair.fixture.ts";
import { pagesOf, temporary } from "./paged-server.fixture.ts";
import type { ResponseError } from "../../core/contract/response-error.ts";
import { failure, scripted } from "./scripted.fixture.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);
const limited = failure("Too many", { errorCode: "RATE_LIMIT_EXCEEDED", data: { retry_after_seconds: 1 } });
const faults = [undefined, undefined, temporary, limited, new Error("socket closed")];

const records = fc.array(fc.oneof(anyJson, fc.constant({ same: true }), fc.integer()), { maxLength: 60 });
const weather = fc.array(fc.constantFrom(...faults), { minLength: 1, maxLength: 30 });
const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });

async function collect(walk: AsyncIterable<JsonValue>): Promise<JsonValue[]> {
  const found: JsonValue[] = [];
  for await (const item of walk) found.push(item);
  return found;
}

describe("items", () => {
  // shows 004.65
  test("are every record exactly once, whatever the sizes of pages and the failures that pass", async () => {
    await fc.assert(
      fc.asyncProperty(records, sizes, weather, async (list, pageSizes, faultList) => {
        const server = pagesOf(list, {
          sizeAt: (offset) => pageSizes[offset % pageSizes.length] ?? 1,
          // Never three in a row, which is as often as a call is made.
          faultAt: (call) => (call % 3 === 2 ? undefined : faultList[call % faultList.length]),
        });
        const hints = { readOnlyHint: true };
        const { client } = scripted([server], { hints });
        expect(await collect(client.items("work", {}, { path: "items" }))).toEqual(list);
      }),
      runs,
    );
  });

  test("are every record exactly once when a walk that broke off goes on from its progress", async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        sizes,
        fc.array(fc.nat({ max: 5 }), { maxLength: 12 }),
        async (list, pageSizes, breaks) => {
          let left = 0;
          const broken = [...breaks];
          const server = pagesOf(list, {
            sizeAt: (offset) => pageSizes[offset % pageSizes.length] ?? 1,
            faultAt: () => {
              if (left-- > 0 || broken.length === 0) return undefined;
              left = broken.pop() ?? 0;
              return new Error("socket closed");
            },
          });
          const { client } = scripted([server]);
          const found: JsonValue[] = [];
          let from: string | undefined;
          for (let isDone = false; !isDone;) {
            const options = { path: "items", ...(from === undefined ? {} : { from }) };
            try {
              for await (const item of client.items("work", {}, options)) found.push(item);
              isDone = true;
            } catch (error) {
              const { progress } = error as ResponseError;
              from = progress?.cursor ?? from;
            }
          }
          expect(found).toEqual(list);
        },
      ),
      runs,
    );
  });

  test("are every record exactly once where pages are shrunk to a budget", async () => {
    const pair = await cutPair();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 400 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 300, max: 2_000 }),
        async (bodies, pageSize, budget) => {
          const list = bodies.map((body, id) => ({ id, body }));
          pair.given.list = list;
          const client = pair.byTool({ budget });
          expect(await collect(client.items("list", { page_size: pageSize }))).toEqual(list);
        },
      ),
      runs,
    );
    await pair.close();
  });
});
