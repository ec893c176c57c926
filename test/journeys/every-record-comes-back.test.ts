import { describe, expect, it } from "vitest";
import { decodeTables } from "../../src/core/json/table/decode-tables.ts";
import { jsonEqual } from "../../src/core/json/canonical-json.ts";
import { wrapData } from "../../src/core/contract/envelope.ts";
import { dataEncodings } from "../../src/core/pipeline/pipeline-context.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { announcedHash, connectArchive } from "./archive-client.fixture.ts";
import { completed, proveEveryRecord } from "./every-record.fixture.ts";
import { arePayloadsRequired, hasPayloads, payloads } from "./payloads.fixture.ts";
import { someOf } from "../arbitrary/law-runs.ts";

const TOKENS = 2_000;
/** The small ones fit there: they are cut at the floor, where the large ones would take hundreds of pages. */
const FLOOR_TOKENS = 256;
const SMALL = 25_000;
const cases = payloads.flatMap((payload) =>
  (payload.text.length < SMALL ? [TOKENS, FLOOR_TOKENS] : [TOKENS]).flatMap((tokens) =>
    dataEncodings.map((encoding) => ({ payload, tokens, encoding })),
  ),
);

describe("the payloads", () => {
  it("are there where they are required", () => {
    expect(hasPayloads || !arePayloadsRequired).toBe(true);
  });
});

describe.runIf(hasPayloads)("a payload cut to a budget", () => {
  it.each(someOf(cases, 2))(
    "gives every record back, and its hash holds: $payload.name at $tokens tokens as $encoding",
    async ({ payload, tokens, encoding }) => {
      const { value: original } = payload;
      const client = await connectArchive(
        original,
        { budget: { tokens }, encoding, validate: "always" },
        createContract,
      );
      const answer = await client.read();
      const hash = announcedHash(answer);
      // What fits is all there; what was cut is fetched.
      const proof = hash === undefined ? undefined : await proveEveryRecord(client, hash, original, encoding);
      await client.close();
      const isWhole = jsonEqual(wrapData(decodeTables(answer.data)), wrapData(original));
      expect(isWhole).toBe(proof === undefined);
      // Compared with its own claim, so that a failure shows what is missing.
      expect(proof).toEqual(proof && completed(proof));
    },
  );
});
