import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lawRuns } from "../../../../../test/arbitrary/law-runs.ts";
import { ToolFault } from "../../../../core/contract/tool-fault.ts";
import { makePdf } from "./make-pdf.fixture.ts";
import { readPdf } from "./read-pdf.ts";

const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 });

async function ending(bytes: Uint8Array): Promise<"document" | "fault"> {
  try {
    await readPdf(bytes, { timeoutMs: 60_000 });
    return "document";
  } catch (error) {
    if (ToolFault.isInstance(error)) return "fault";
    throw error;
  }
}

// An ordinary program has no such listener: with those of the test runner, nothing dropped would end the process.
const listeners = process.rawListeners("unhandledRejection");

beforeAll(() => {
  process.removeAllListeners("unhandledRejection");
});

afterAll(() => {
  for (const listener of listeners)
    process.on("unhandledRejection", listener as NodeJS.UnhandledRejectionListener);
});

/** Bytes anywhere, and digits in the table of objects, which is where most goes wrong. */
function damageOf(whole: Uint8Array) {
  const table = new TextDecoder("latin1").decode(whole).lastIndexOf("\nxref");
  return fc.array(
    fc.oneof(
      fc.tuple(fc.nat(whole.length - 1), fc.nat(255)),
      fc.tuple(fc.integer({ min: table, max: whole.length - 1 }), fc.integer({ min: 0x30, max: 0x39 })),
    ),
    { minLength: 1, maxLength: 20 },
  );
}

describe("laws of readPdf", () => {
  test("damage ends in a document or a fault, never otherwise", async () => {
    const whole = await makePdf(["A page of some words.", "Another page."], { compress: false, title: "T" });
    await fc.assert(
      fc.asyncProperty(damageOf(whole), fc.nat(whole.length), async (changes, length) => {
        const bytes = whole.slice(0, length % 3 === 0 ? length : whole.length);
        for (const [place, value] of changes) if (place < bytes.length) bytes[place] = value;
        expect(["document", "fault"]).toContain(await ending(bytes));
      }),
      lawRuns(1_000),
    );
  });

  test("the words of a page come back in their order", async () => {
    const pages = fc.array(words, { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(pages, async (made) => {
        const { text } = await readPdf(await makePdf(made.map((page) => page.join(" "))));
        const read = (text as readonly string[]).map((page) => page.split(/\s+/));
        expect(read).toEqual(made);
      }),
      lawRuns(1_000),
    );
  });
});
