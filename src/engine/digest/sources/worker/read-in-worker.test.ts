import { spawnSync } from "node:child_process";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ToolFault } from "../../../../core/contract/tool-fault.ts";
import { makePdf } from "../pdf/make-pdf.fixture.ts";
import { rawPdf } from "../pdf/raw-pdf.fixture.ts";
import { readDocument } from "../read-document.ts";
import { isFullRun } from "../../../../../test/arbitrary/law-runs.ts";

const shown = "BT /F1 12 Tf 72 700 Td (The keeper counted every boat.) Tj ET";
/** 82 KB that take pdf.js minutes: each saved state makes the next lookup longer. */
const slowPdf = rawPdf({ content: `${"q ".repeat(40_000)}${shown}` });
const goodPdf = rawPdf({ content: shown });
const page =
  "<!doctype html><html><body><p>The keeper counted every boat that passed the gate.</p></body></html>";

async function faultOf(reading: Promise<unknown>): Promise<unknown> {
  return reading.then(
    () => "a document",
    (error: unknown) => error,
  );
}

function stopper() {
  const control = new AbortController();
  return { signal: control.signal, abort: (): void => control.abort("enough") };
}

describe("a hostile document", () => {
  it.runIf(isFullRun)(
    "of 40,000 saved states costs a TIMEOUT; this thread goes on meanwhile, and reads the next",
    async () => {
      let turns = 0;
      const timer = setInterval(() => turns++, 10);
      const fault = await faultOf(readDocument(slowPdf, { readTimeoutMs: 1_500 }));
      clearInterval(timer);
      expect(slowPdf.length).toBeLessThan(82_000);
      expect(fault).toMatchObject({ code: "TIMEOUT", details: { reason: "slow_pdf" } });
      expect(ToolFault.isInstance(fault)).toBe(true);
      expect(turns).toBeGreaterThan(10);
      expect((await readDocument(goodPdf)).text).toBe("The keeper counted every boat.");
    },
  );

  it.runIf(isFullRun)("that takes all memory costs its worker, and says so", async () => {
    // The parser of Markdown makes three objects of each paragraph, before its text is read.
    const crowd = "a\n\n".repeat(2_700_000);
    const reading = readDocument(crowd, { contentType: "text/markdown", readTimeoutMs: 600_000 });
    expect(await faultOf(reading)).toMatchObject({
      code: "TOO_LARGE",
      details: { reason: "out_of_memory" },
    });
    expect((await readDocument(page)).type).toBe("html");
  });

  it("is left at once when its reader is told to stop", async () => {
    const { signal, abort } = stopper();
    const reading = faultOf(readDocument(slowPdf, { signal }));
    setTimeout(abort, 200);
    expect(await reading).toBe("enough");
  });

  it.runIf(isFullRun)("holds up no other", async () => {
    const { signal, abort } = stopper();
    const slow = Array.from({ length: 3 }, () => faultOf(readDocument(slowPdf, { signal })));
    const first = await Promise.race([...slow, readDocument(page).then(({ type }) => type)]);
    expect(first).toBe("html");
    abort();
    await Promise.all(slow);
  });

  it.each([true, false])("of millions of blocks is a fault with a reason, isolated: %s", async (isolate) => {
    const crowd = `<!doctype html><html><body>${"<p>a".repeat(isFullRun ? 10_000_000 : 1_000_001)}`;
    expect(await faultOf(readDocument(crowd, { isolate }))).toMatchObject({
      code: "TOO_LARGE",
      details: { reason: "too_many_blocks" },
    });
  });

  it.each([true, false])("of 200,000 class names is a fault with a reason, isolated: %s", async (isolate) => {
    const names = Array.from({ length: 200_000 }, (_, index) => `c${index}`).join(" ");
    const html = `<!doctype html><html><body><p class="${names}">text</p></body></html>`;
    expect(await faultOf(readDocument(html, { isolate }))).toMatchObject({
      code: "TOO_LARGE",
      details: { reason: "too_many_class_names" },
    });
  });
});

describe("a document in a worker", () => {
  it("reads the same as in this thread, with its title, pages, warnings and progress", async () => {
    const pdf = await makePdf(["One page of words.", { image: true }, "Another page of words."], {
      title: "Boats",
    });
    for (const source of [pdf, page]) {
      const heard: [boolean, number, number][] = [];
      const read = (isolate: boolean) =>
        readDocument(source, { isolate, onProgress: (done, total) => heard.push([isolate, done, total]) });
      expect(await read(true)).toEqual(await read(false));
      expect(heard).toHaveLength(source === pdf ? 6 : 0);
    }
  });

  it("leaves the bytes with their owner", async () => {
    const padded = Buffer.concat([Buffer.from("xx"), goodPdf]);
    const part = padded.subarray(2);
    await readDocument(part);
    expect(Buffer.from(part).equals(Buffer.from(goodPdf))).toBe(true);
  });

  it("fails with the same fault", async () => {
    const locked = await makePdf(["words"], { password: "x" });
    const [apart, here] = await Promise.all(
      [true, false].map((isolate) => faultOf(readDocument(locked, { isolate }))),
    );
    expect(apart).toMatchObject({ code: "INVALID_FORMAT", details: { reason: "encrypted_pdf" } });
    expect((apart as ToolFault).fault).toEqual((here as ToolFault).fault);
  });

  it("is read in its turn when many come at once", async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `<!doctype html><p>Page number ${index}</p>`);
    const read = await Promise.all(texts.map((text) => readDocument(text)));
    expect(read.map(({ text }) => text)).toEqual(texts.map((_, index) => `Page number ${index}`));
  });

  it("hears an onProgress that throws", async () => {
    const onProgress = (): void => {
      throw new Error("not now");
    };
    expect(await faultOf(readDocument(goodPdf, { onProgress }))).toEqual(new Error("not now"));
  });

  it.runIf(isFullRun)("keeps no process alive once it is read", () => {
    const module = new URL("../read-document.ts", import.meta.url).href;
    const script = `const { readDocument } = await import(${JSON.stringify(module)});
      console.log((await readDocument(${JSON.stringify(page)})).type);`;
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", script],
      { encoding: "utf8", timeout: 170_000 },
    );
    expect([status, stdout.trim()]).toEqual([0, "html"]);
  });
});

describe("a document without a worker", () => {
  it.each<[string, Uint8Array]>([
    ["saved states", slowPdf],
    ["saved states, packed", packed("q ".repeat(40_000))],
    ["operators", packed("f ".repeat(2_100_000))],
  ])("of too many %s is refused before it is read", async (_, pdf) => {
    expect(await faultOf(readDocument(pdf, { isolate: false }))).toMatchObject({
      code: "TOO_LARGE",
      details: { reason: "too_many_operators" },
    });
  });

  it("is read where states are saved and restored again", async () => {
    const { text } = await readDocument(packed(`${"q Q ".repeat(5_000)}${shown}`), { isolate: false });
    expect(text).toBe("The keeper counted every boat.");
  });
});

function packed(content: string): Uint8Array {
  return rawPdf({ content: deflateSync(content), filter: "/FlateDecode" });
}
