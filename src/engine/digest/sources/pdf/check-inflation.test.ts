import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isFullRun } from "../../../../../test/arbitrary/law-runs.ts";
import { checkInflation } from "./pdf-streams.ts";
import { makePdf } from "./make-pdf.fixture.ts";
import { rawPdf } from "./raw-pdf.fixture.ts";

const MEGABYTE = 1024 * 1024;
const blanks = (bytes: number): Uint8Array => deflateSync(new Uint8Array(bytes).fill(0x20));
const bomb = { code: "TOO_LARGE", details: { reason: "decompression_bomb" } };

describe("checkInflation", () => {
  test("refuses a stream that inflates to more than 32 MiB", async () => {
    const pdf = rawPdf({ content: blanks(33 * MEGABYTE), filter: "/FlateDecode" });
    await expect(checkInflation(pdf)).rejects.toMatchObject(bomb);
  });

  test.runIf(isFullRun)("passes a stream at the limit", async () => {
    const pdf = rawPdf({ content: blanks(32 * MEGABYTE), filter: "/FlateDecode" });
    await expect(checkInflation(pdf)).resolves.toBeUndefined();
  });

  test("refuses a stream that is packed twice, however small", async () => {
    const pdf = rawPdf({ content: deflateSync(blanks(1000)), filter: "[/FlateDecode /FlateDecode]" });
    await expect(checkInflation(pdf)).rejects.toMatchObject(bomb);
  });

  test("passes what merely looks deflated, and what is cut off", async () => {
    const noise = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 251);
    noise.set([0x78, 0x9c]);
    const whole = rawPdf({ content: noise, filter: "/FlateDecode" });
    await expect(checkInflation(whole)).resolves.toBeUndefined();
    await expect(checkInflation(whole.subarray(0, 60_000))).resolves.toBeUndefined();
  });

  test("passes an ordinary PDF", async () => {
    await expect(checkInflation(await makePdf(["some text"]))).resolves.toBeUndefined();
  });
});
