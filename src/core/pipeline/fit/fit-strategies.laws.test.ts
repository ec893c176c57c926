// What holds of a cut under every strategy, for any words of a call, of texts of every form among other values.
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dialectIds } from "../../contract/dialect-id.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import type { JsonValue } from "../../json/json-value.ts";
import { growth } from "../../../../test/arbitrary/growth.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { covers, isMarkedPart, missingFrom } from "../../../../test/arbitrary/part-of.ts";
import { orderLines } from "../../text/forms/order-lines.ts";
import { recogniseForm } from "../../text/forms/recognise-form.ts";
import { validateResponse } from "../dialect/validate-response.ts";
import { type Parcel, partOf } from "../parcel.ts";
import { runStages } from "../pipeline.ts";
import { rootPlace } from "./cut-place.ts";
import { fitValue } from "./cut-value.ts";
import { TestArchive, arrivalOf, contextWith, counter, tokensOf } from "./fit-bench.fixture.ts";
import { KnownText } from "./known-text.ts";
import { makeTextWeigher } from "./weigh-parcel.ts";

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
const samples = {
  log: read("test/fixtures/forms/dpkg.log"),
  table: read("test/fixtures/forms/files.csv"),
  code: read("src/core/text/forms/log-form.ts"),
  snapshot: read("test/fixtures/forms/page-snapshot.txt"),
  yaml: read("deploy/kubernetes.yaml"),
  diff: read("test/fixtures/forms/git-diff.txt"),
  trace: read("test/fixtures/forms/node-trace.txt"),
  html: read("test/fixtures/forms/page.html"),
  prose: read("docs/fit.md"),
} as const;

const formed = fc
  .tuple(fc.constantFrom(...Object.values(samples)), fc.nat(6_000), fc.integer({ min: 200, max: 4_000 }))
  .map(([text, from, length]) => text.slice(from, from + length));
/** Every item has a place of its own, so that a part of one is not taken for another. */
const items = fc
  .array(fc.tuple(fc.lorem({ maxCount: 20 }), fc.oneof(fc.constant(""), formed)), { maxLength: 20 })
  .map((drawnItems) => drawnItems.map(([title, body], id) => ({ id, title, body })));
const values: fc.Arbitrary<JsonValue> = fc.oneof(
  formed,
  items,
  fc.record({ exit_code: fc.nat(2), stdout: formed, stderr: formed }, { noNullPrototype: true }),
  fc.record({ total: fc.nat(), items, note: formed }, { noNullPrototype: true }),
);

interface Drawn {
  readonly value: JsonValue;
  readonly tokens: number;
  readonly dialect: (typeof dialectIds)[number];
  readonly strategy: "head" | "auto" | "relevance" | "digest";
  readonly query: string | undefined;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  value: values,
  tokens: fc.integer({ min: 256, max: 1_200 }),
  dialect: fc.constantFrom(...dialectIds),
  strategy: fc.constantFrom("head", "auto", "relevance", "digest"),
  query: fc.constantFrom(
    undefined,
    "",
    "error 404",
    "link button",
    "function return",
    "lorem alpha",
    "never there",
  ),
});

async function send({ value, ...given }: Drawn, archive: TestArchive): Promise<Parcel> {
  const { tokens, dialect, strategy, query } = given;
  return runStages(arrivalOf(value), contextWith({ tokens, dialect, archive, fit: { strategy, query } }));
}

/** Names of places that something is missing in, and that no name of the cut covers. */
function unnamed({ value, dialect }: Drawn, parcel: Parcel): readonly string[] {
  const { wrap } = contextWith({ dialect }).fit;
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) return ["a success became a failure"];
  const { level = "full", dropped = [] } = outcome.notes.fidelity ?? {};
  const [kept, whole] = [wrap(outcome.data), wrap(value ?? {})];
  if (level === "full") return jsonEqual(kept, whole) ? [] : ["not the whole"];
  if (level !== "partial") return dropped.length > 0 ? [] : ["nothing is named"];
  const missing = missingFrom(kept, whole, "", isMarkedPart);
  if (missing === undefined) return ["no part of the whole"];
  return missing.flatMap((one) => (dropped.some((name) => covers(name, one)) ? [] : [one.pointer]));
}

describe("under every strategy, a cut", () => {
  it("fits, is valid in its dialect, names what is missing, keeps the whole, and is the same for equal input", async () => {
    const cuts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(drawn, async (given) => {
        const archive = new TestArchive();
        const parcel = await send(given, archive);
        expect(tokensOf(parcel, contextWith(given))).toBeLessThanOrEqual(given.tokens);
        const { violations } = validateResponse(partOf(parcel, "result"), {
          dialect: given.dialect,
          level: "result",
        });
        expect(violations.filter(({ severity }) => severity === "MUST")).toEqual([]);
        expect(unnamed(given, parcel)).toEqual([]);
        const again = await send(given, new TestArchive());
        expect(again.outcome).toEqual(parcel.outcome);
        const { fidelity } = partOf(parcel, "outcome").notes;
        if (fidelity === undefined) return;
        cuts.set(given.strategy, (cuts.get(given.strategy) ?? 0) + 1);
        const [hash = ""] = Object.values(fidelity.archives);
        expect(String(archive.contents.get(hash.slice("sha256:".length)))).toBe(
          JSON.stringify(given.value ?? {}),
        );
      }),
      { ...lawRuns(1_000), endOnFailure: true },
    );
    expect([...cuts.keys()].toSorted()).toEqual(["auto", "digest", "head", "relevance"]);
  });
});

const FACTOR = 8;
const [SMALL, LARGE] = [64 * 1_024, FACTOR * 64 * 1_024];

/** As much of this kind of text; parts of it begin with a line. */
function filled(text: string, length: number): string {
  return `${text}\n`.repeat(Math.ceil(length / text.length)).slice(0, length);
}

const gauge = makeTextWeigher({
  budget: { tokens: 100_000, bytes: "off" },
  byteLength: (text) => Buffer.byteLength(text),
  counter,
});

function cut(stdout: string): unknown {
  const tools = { gauge, rank: undefined, words: "error valve", known: new KnownText() };
  return fitValue({ exit_code: 0, stdout }, 2_000, rootPlace(), tools);
}

describe("work that grows no faster than a text:", () => {
  const all = Object.entries(samples);

  it.each(all)("the form of a %s is read", (_kind, sample) => {
    const readAll = (text: string) => () => {
      const form = recogniseForm(text);
      return form === undefined ? undefined : orderLines(form).map((lines) => [...lines].length);
    };
    // Quadratic work would cost 64 times as much for a text 8 times as long.
    expect(growth(readAll(filled(sample, SMALL)), readAll(filled(sample, LARGE)))).toBeLessThan(3 * FACTOR);
  });

  it.each(all)("a %s among other values is cut", (_kind, sample) => {
    const [small, large] = [filled(sample, SMALL), filled(sample, LARGE)];
    expect(
      growth(
        () => cut(small),
        () => cut(large),
      ),
    ).toBeLessThan(3 * FACTOR);
  });
});
