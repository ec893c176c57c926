import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { pageReader } from "../../../engine/call/call-context.ts";
import { missingReader } from "../../../engine/digest/sources/reader-packages.ts";
import { createLog } from "../../../engine/observe/log-event.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { partOf } from "../parcel.ts";
import { runStages } from "../pipeline.ts";
import { type FitSetting, TestArchive, arrivalOf, contextWith, tokensOf } from "./fit-bench.fixture.ts";

const log = createLog({ level: "silent" });
const page = readFileSync(new URL("../../../../test/fixtures/forms/page.html", import.meta.url), "utf8");
const minified = page.replaceAll(/\s*\n\s*/g, "");

async function send(value: JsonValue, setting: FitSetting = {}) {
  const { archive = new TestArchive(), fit, ...rest } = setting;
  const context = contextWith({
    tokens: 700,
    archive,
    ...rest,
    fit: { strategy: "auto", readPage: pageReader(log), ...fit },
  });
  const parcel = await runStages(arrivalOf(value), context);
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) throw new Error("a success became a failure");
  const { fidelity, warnings = [] } = outcome.notes;
  const kept = Object.entries(fidelity?.archives ?? {}).map(([name, hash]) => ({
    name: name.replace(/-[0-9a-f]{12}$/, ""),
    content: archive.contents.get(hash.slice("sha256:".length))?.toString(),
  }));
  return { data: outcome.data, fidelity, warnings, kept, tokens: tokensOf(parcel, context) };
}

const bodyOf = (data: JsonValue): string => (data as { readonly body: string }).body;

describe("a web page over its budget", () => {
  test("is sent as what it says, on one line or many, after a mark that counts the markup", async () => {
    for (const html of [page, minified]) {
      const { data, tokens } = await send({ status: 200, body: html }, { tokens: 1_100 });
      const [mark, ...lines] = bodyOf(data).split("\n");
      expect(mark).toMatch(/^\[… [\d,]+ of [\d,]+ characters are markup; lines count in the page's text\]$/);
      expect(lines).toContain("# Everything for a quiet desk");
      expect(lines).toContain("Cork board\tSold out\t€ 18\tAdd");
      expect(lines.join("\n")).not.toMatch(/<\w|window\.shop/);
      expect(data).toMatchObject({ status: 200 });
      expect(tokens).toBeLessThanOrEqual(1_100);
    }
  });

  test("is partial, and its source is archived first and its text beside it", async () => {
    const { fidelity, kept, warnings } = await send({ status: 200, body: minified });
    expect(fidelity).toMatchObject({ level: "partial", dropped: [`/body#char=0-${minified.length}`] });
    expect(kept.map(({ name }) => name)).toEqual(["data", "page-text"]);
    expect(kept[0]?.content).toBe(JSON.stringify({ status: 200, body: minified }));
    expect(JSON.parse(kept[1]?.content ?? "")).toContain("\n## Order a catalogue\n");
    expect(warnings).toMatchObject([{ code: "CONTENT_TRUNCATED" }]);
  });

  test("keeps what matches the words of the call, with the heading above it", async () => {
    const { data } = await send(
      { body: minified },
      { tokens: 600, fit: { query: "what does a reading lamp cost" } },
    );
    const lines = bodyOf(data).split("\n");
    const row = lines.indexOf("Reading lamp\t3 left\t€ 49\tAdd");
    expect(row).toBeGreaterThan(0);
    expect(lines.lastIndexOf("## In the shop today", row)).toBeGreaterThan(0);
  });

  test("counts what is missing of its text and its markup", async () => {
    const all = await send({ body: minified }, { tokens: 1_100 });
    const text = String(JSON.parse(all.kept[1]?.content ?? '""'));
    expect(all.warnings[0]?.context).toMatchObject({
      dropped_count: minified.length - text.length,
      total_count: minified.length,
    });
    const some = await send({ body: minified }, { tokens: 500 });
    const dropped = Number(some.warnings[0]?.context?.["dropped_count"]);
    expect(dropped).toBeGreaterThan(minified.length - text.length);
    expect(dropped).toBeLessThan(minified.length);
  });

  test("of several is each read, as far as they are long", async () => {
    const other = minified.replaceAll("Harbour", "Lakeside");
    const { data, kept } = await send({ one: minified, two: other }, { tokens: 1_200 });
    expect(Object.values(data as Record<string, string>).map((html) => html.slice(0, 3))).toEqual([
      "[… ",
      "[… ",
    ]);
    expect(kept.map(({ name }) => name)).toEqual(["data", "page-text", "page-text"]);
  });

  test("stays as it is where it fits, and is its own source under the strategy head", async () => {
    const readPage = vi.fn<ReturnType<typeof pageReader>>(pageReader(log));
    const whole = await send({ body: minified }, { tokens: 8_000, fit: { readPage } });
    expect(whole.data).toEqual({ body: minified });
    expect(readPage).not.toHaveBeenCalled();
    const head = await send({ body: minified }, { fit: { strategy: "head" } });
    expect(minified.startsWith(bodyOf(head.data))).toBe(true);
  });

  test("is cut as its source where its text shows a secret that its markup hid", async () => {
    const fit = { readPage: pageReader(log) };
    const context = contextWith({
      tokens: 700,
      archive: new TestArchive(),
      fit: { strategy: "auto", ...fit },
    });
    const redact = <Value extends JsonValue>(value: Value) => ({
      value,
      count: typeof value === "string" && value.startsWith("# ") ? 1 : 0,
    });
    const parcel = await runStages(arrivalOf({ body: page }), { ...context, redact, redactsSuccesses: true });
    const outcome = partOf(parcel, "outcome");
    expect(outcome.ok && bodyOf(outcome.data).includes("<title>Harbour Furniture")).toBe(true);
  });

  test("is cut as its source where no reader is installed, without a word in the log", async () => {
    vi.doMock("../../../engine/digest/sources/html/read-page-text.ts", () => ({
      readPageText: () => Promise.reject(missingReader("html")),
    }));
    const heard: unknown[] = [];
    const hear = (_: object, event: string): void => void heard.push(event);
    const listening = createLog({ logger: { info: hear, warn: hear, error: hear } });
    try {
      const { data, kept } = await send({ body: page }, { fit: { readPage: pageReader(listening) } });
      expect(bodyOf(data)).toContain("<title>Harbour Furniture: desks, shelves and lamps</title>\n");
      expect(kept).toHaveLength(1);
    } finally {
      vi.doUnmock("../../../engine/digest/sources/html/read-page-text.ts");
      vi.resetModules();
    }
    expect(heard).toEqual([]);
  });

  test("does not name a text that could not be kept", async () => {
    const archive = new TestArchive();
    archive.isBroken = true;
    const { data, fidelity, warnings } = await send({ body: minified }, { archive });
    expect(bodyOf(data)).toMatch(/^\[… /);
    expect(fidelity?.archives).toEqual({});
    expect(warnings.map(({ code }) => code)).toContain("ARCHIVE_WRITE_FAILED");
  });
});
