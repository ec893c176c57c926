import { describe, expect, it } from "vitest";
import { decodeTables } from "../../src/json/decode-tables.ts";
import { encodeTables } from "../../src/json/encode-tables.ts";
import { wrapData } from "../../src/contract/envelope.ts";
import { encodings } from "../../src/pipeline/parcel.ts";
import { createContract } from "../../src/server/create-contract.ts";
import { announcedHash, connectArchive } from "./archive-client.fixture.ts";
import { proveEveryRecord } from "./every-record.fixture.ts";
import { arePayloadsRequired, hasPayloads, payloads } from "./payloads.fixture.ts";

// At 2,000 tokens three of the payloads are cut; at the floor all of them are.
const budgets = [2_000, 256];
const cases = payloads.flatMap((payload) =>
  budgets.flatMap((tokens) => encodings.map((encoding) => ({ payload, tokens, encoding }))),
);

describe("the payloads", () => {
  it("are there where they are required", () => {
    expect(hasPayloads || !arePayloadsRequired).toBe(true);
  });
});

describe("a payload cut to a budget", () => {
  it.each(cases)(
    "gives every record back, and its hash holds: $payload.name at $tokens tokens as $encoding",
    { timeout: 60_000 },
    async ({ payload, tokens, encoding }) => {
      const whole = wrapData(encoding === "table" ? encodeTables(payload.value) : payload.value);
      const client = await connectArchive(
        payload.value,
        { budget: { tokens }, encoding, validate: "always" },
        createContract,
      );
      const answer = await client.read();
      const hash = announcedHash(answer);
      // What fits is all there; what was cut is fetched.
      const proof = hash === undefined ? undefined : await proveEveryRecord(client, hash, whole);
      await client.close();
      expect(proof ?? decodeTables(answer.data)).toEqual(
        proof === undefined
          ? decodeTables(whole)
          : { ...proof, byPointer: proof.total, byPaging: proof.total, byId: proof.withId, isHashRight: true },
      );
    },
  );
});
