// What holds of every cut of a web page, whatever the page, dialect and budget.
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { pageReader } from "../../../engine/call/call-context.ts";
import { createLog } from "../../../engine/observe/log-event.ts";
import { dialectIds } from "../../contract/dialect-id.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { validateResponse } from "../dialect/validate-response.ts";
import { type Parcel, partOf } from "../parcel.ts";
import { runStages } from "../pipeline.ts";
import { type FitSetting, TestArchive, arrivalOf, contextWith, tokensOf } from "./fit-bench.fixture.ts";

const settings = fc.record({
  tokens: fc.integer({ min: 256, max: 2_000 }),
  dialect: fc.constantFrom(...dialectIds),
  profile: fc.constantFrom("minimal", "standard", "debug"),
  query: fc.constantFrom("", "harbour", "石 Straße", "the of"),
});
type Setting = typeof settings extends fc.Arbitrary<infer Value> ? Value : never;

const said = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ mode: "sentences", maxCount: 4 }) },
  fc.constantFrom(
    "The harbour of Straße 7.",
    "港口建于一五零三年。",
    "naïve 🚢 e\u0301",
    "&lt;b&gt; &amp;",
    "",
  ),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.lorem({ maxCount: 90 }),
);
const block = fc
  .tuple(fc.constantFrom("p", "h1", "h2", "li", "td", "pre", "a href=/x", "script", "div", "nav"), said)
  .map(([name, words]) => `<${name}>${words}</${name.split(" ")[0] ?? name}>`);
const page = fc
  .tuple(
    fc.constantFrom("<!doctype html>", "<html><body>", "Contents of https://example.org/:\n<!doctype html>"),
    fc.array(block, { minLength: 4, maxLength: 50, size: "max" }),
    fc.constantFrom("", "\n", "\r\n  "),
  )
  .map(([start, blocks, joint]) => `${start}<title>Ports</title>${joint}${blocks.join(joint)}`);
const data: fc.Arbitrary<JsonValue> = fc.oneof(
  page,
  page.map((body) => ({ status: 200, body })),
  fc.array(page, { minLength: 2, maxLength: 3 }).map((pages) => ({ pages: pages.map((html) => ({ html })) })),
);
const readPage = pageReader(createLog({ level: "silent" }));

async function send(value: JsonValue, { query, ...setting }: Setting, archive = new TestArchive()) {
  const fitting: FitSetting = { ...setting, archive, fit: { strategy: "auto", query, readPage } };
  const context = contextWith(fitting);
  return { parcel: await runStages(arrivalOf(value), context), context, archive };
}

/** The archived texts of pages, the whole before them. */
function keptOf(parcel: Parcel, archive: TestArchive) {
  const { archives = {} } = partOf(parcel, "outcome").notes.fidelity ?? {};
  return Object.entries(archives).map(([name, hash]) => {
    const bytes = archive.contents.get(hash.slice("sha256:".length)) ?? Buffer.alloc(0);
    expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(hash);
    return { isPage: name.startsWith("page-text"), text: String(bytes) };
  });
}

const MARKUP = /^\[… ([\d,]+) of ([\d,]+) characters are markup; lines count in the page's text\]\n/;

/** Whether a text is lines of another, with marks that name the lines between them. */
function isOfLines(cut: string, whole: string): boolean {
  const all = whole.split("\n");
  let at = 0;
  const lines = (cut.endsWith("\n") ? cut.slice(0, -1) : cut).split("\n");
  for (const line of lines) {
    const [, first, last = first] = /^\[… lines? (\d+)(?:-(\d+))?\]$/.exec(line) ?? [];
    if (first !== undefined && Number(first) === at + 1) at = Number(last);
    else if (line === all[at]) at++;
    else return false;
  }
  return true;
}

const runs = lawRuns(1_000);

describe("a result with web pages", () => {
  test("fits, and is valid in its dialect", async () => {
    await fc.assert(
      fc.asyncProperty(data, settings, async (value, setting) => {
        const { parcel, context } = await send(value, setting);
        expect(tokensOf(parcel, context)).toBeLessThanOrEqual(setting.tokens);
        const { violations } = validateResponse(partOf(parcel, "result"), {
          dialect: setting.dialect,
          level: "result",
        });
        expect(violations.filter(({ severity }) => severity === "MUST")).toEqual([]);
      }),
      runs,
    );
  });

  test("is the same for equal input", async () => {
    await fc.assert(
      fc.asyncProperty(data, settings, async (value, setting) => {
        const [once, twice] = [await send(value, setting), await send(value, setting)];
        expect(JSON.stringify(partOf(twice.parcel, "result"))).toBe(
          JSON.stringify(partOf(once.parcel, "result")),
        );
      }),
      lawRuns(200),
    );
  });

  test("has its whole in the archive first, and of each page that was read lines of its archived text", async () => {
    let read = 0;
    await fc.assert(
      fc.asyncProperty(page, settings, async (html, setting) => {
        const { parcel, archive } = await send({ body: html }, setting);
        const outcome = partOf(parcel, "outcome");
        const [whole, text] = keptOf(parcel, archive);
        if (whole === undefined || !outcome.ok) return;
        expect(whole).toEqual({ isPage: false, text: JSON.stringify({ body: html }) });
        const body = (outcome.data as JsonObject)["body"];
        const [mark, markup = "", total = ""] = MARKUP.exec(typeof body === "string" ? body : "") ?? [];
        expect(text?.isPage).toBe(mark === undefined ? undefined : true);
        if (mark === undefined || text === undefined || typeof body !== "string") return;
        read++;
        const said = String(JSON.parse(text.text));
        expect(Number(total.replaceAll(",", ""))).toBe(Array.from(html).length);
        expect(Number(markup.replaceAll(",", ""))).toBe(Array.from(html).length - Array.from(said).length);
        const cut = body.slice(mark.length);
        // A line that is too long for the room is cut between its words.
        expect(cut.includes("[… characters ") || said.startsWith(cut) || isOfLines(cut, said)).toBe(true);
      }),
      runs,
    );
    expect(read).toBeGreaterThan(runs.numRuns / 10);
  });
});
