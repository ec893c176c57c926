import { describe, expect, test } from "vitest";
import { verifyDigest } from "../../../engine/digest/verify-digest.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { textDigester } from "../../../engine/call/call-context.ts";
import { createLog } from "../../../engine/observe/log-event.ts";
import { partOf } from "../parcel.ts";
import type { FitContext } from "../pipeline-context.ts";
import { runStages } from "../pipeline.ts";
import { type FitSetting, TestArchive, arrivalOf, contextWith, tokensOf } from "./fit-bench.fixture.ts";

const report = Array.from(
  { length: 300 },
  (_, year) =>
    `In ${1500 + year} the council of town ${year} built a harbour.  It has ${year} berths and one crane. ` +
    "Fishermen say that the winters there are long, and few disagree.",
).join("\n\n\n");

const digest = (query = ""): NonNullable<FitContext["digest"]> =>
  textDigester(query, createLog({ level: "silent" }));

async function send(value: JsonValue, setting: FitSetting = {}) {
  const { archive = new TestArchive(), fit, ...rest } = setting;
  const context = contextWith({
    tokens: 1_500,
    archive,
    ...rest,
    fit: { strategy: "digest", digest: digest(fit?.query), ...fit },
  });
  const parcel = await runStages(arrivalOf(value), context);
  const outcome = partOf(parcel, "outcome");
  if (!outcome.ok) throw new Error("a success became a failure");
  const { omitted = {} } = outcome.data as { readonly omitted?: JsonObject };
  return { data: outcome.data, omitted, notes: outcome.notes, archive, tokens: tokensOf(parcel, context) };
}

function kept({ contents }: TestArchive, hash: unknown): string {
  return contents.get(String(hash).slice("sha256:".length))?.toString() ?? "";
}

describe("the strategy digest", () => {
  test("sends a digest of the long text, and says what of and where it is", async () => {
    const { omitted, notes, tokens } = await send({ title: "Harbours", body: report });
    expect(omitted).toMatchObject({ count: 2, keys: ["title", "body"], pointer: "/body" });
    expect(omitted["digest"]).toMatchObject({ version: "1.0", content_type: "digest/v1" });
    expect(notes.fidelity).toMatchObject({ level: "summary", dropped: ["/title", "/body"] });
    expect(tokens).toBeLessThanOrEqual(1_500);
  });

  test("keeps the short fields beside the text, in their order, so that a reader knows what it is", async () => {
    const facts = {
      id: "doc-17",
      url: "https://example.com/17",
      title: "Harbours",
      year: 1503,
      draft: false,
    };
    const { omitted } = await send({ ...facts, tags: ["sea"], body: report, abstract: report.slice(0, 300) });
    expect(omitted["sample"]).toEqual(facts);
    const { omitted: bare } = await send(report);
    expect(bare).not.toHaveProperty("sample");
  });

  test("leaves most of the room to the digest, however many fields there are", async () => {
    const facts = Object.fromEntries(Array.from({ length: 200 }, (_, id) => [`field_${id}`, `value ${id}`]));
    const { omitted, tokens } = await send({ ...facts, body: report });
    const [sample, digested] = [omitted["sample"], omitted["digest"]].map(
      (part) => JSON.stringify(part).length,
    );
    expect(Object.keys(omitted["sample"] ?? {}).length).toBeGreaterThan(3);
    expect(sample).toBeLessThan((digested ?? 0) / 2);
    expect(tokens).toBeLessThanOrEqual(1_500);
  });

  test("points to the archive that has what it names as dropped", async () => {
    const { notes } = await send({ title: "Harbours", body: report });
    const [key = ""] = Object.keys(notes.fidelity?.archives ?? {});
    const { context } = notes.warnings?.find(({ code }) => code === "CONTENT_TRUNCATED") ?? {};
    expect(key).toMatch(/^data-/);
    expect(context?.["retrieve"]).toMatchObject({ arguments: { archive: key.slice("data-".length) } });
  });

  test("keeps the whole first, and after it the text under the hash that the digest names", async () => {
    const { omitted, notes, archive } = await send({ title: "Harbours", body: report });
    const payload = omitted["digest"] as JsonObject;
    const [whole = [], text = []] = Object.entries(notes.fidelity?.archives ?? {});
    expect(text[0]).toMatch(/^text-[0-9a-f]{12}$/);
    expect(text[1]).toBe(payload["source_text_hash"]);
    expect(JSON.parse(kept(archive, whole[1]))).toEqual({ title: "Harbours", body: report });
    const verdict = await verifyDigest(payload, kept(archive, text[1]));
    expect(verdict).toMatchObject({ valid: true, form: "as_given" });
    expect(verdict.quotes.total).toBeGreaterThan(0);
  });

  test("is about the words of the call", async () => {
    const { omitted } = await send(report, { fit: { query: "berths of town 233" } });
    const {
      evidence_snippets: [first],
    } = omitted["digest"] as unknown as {
      readonly evidence_snippets: readonly { readonly text: string }[];
    };
    expect(first?.text).toContain("town 233");
    expect(omitted["pointer"]).toBe("/result");
  });

  test("gets smaller with the budget, and leaves the field to the other rungs where it has no room", async () => {
    const sizes: number[] = [];
    for (const tokens of [4_000, 2_000, 1_200, 800]) {
      const { omitted, tokens: sent } = await send(report, { tokens });
      sizes.push(JSON.stringify(omitted["digest"]).length);
      expect(sent).toBeLessThanOrEqual(tokens);
    }
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    const { data, notes } = await send(report, { tokens: 320 });
    const [head = "", tail = "", ...others] = (data as unknown as string).split(
      /\n\[… characters [\d-]+\]\n/,
    );
    expect(others).toEqual([]);
    expect([report.startsWith(head), report.endsWith(tail)]).toEqual([true, true]);
    expect(notes.fidelity?.level).toBe("partial");
  });

  test("leaves alone what fits, and what only looks long", async () => {
    const short = await send({ body: report.slice(0, 800) });
    expect(short.notes.fidelity).toBeUndefined();
    const light = await send({ body: " ".repeat(40_000) }, { tokens: 4_000 });
    expect(light.notes.fidelity).toBeUndefined();
  });

  test("ranks items by the call's words in data that is not mostly one text", async () => {
    const items = Array.from({ length: 500 }, (_, id) => ({
      id,
      text: id === 420 ? "a red umbrella" : "a hat",
    }));
    const { data } = await send({ items }, { tokens: 600, fit: { query: "umbrella" } });
    expect((data as { items: typeof items }).items.map(({ id }) => id)).toContain(420);
  });

  test("cuts bytes written as letters as any other strategy", async () => {
    const { notes } = await send({ blob: "aGVsbG8gd29ybGQx".repeat(2_000) });
    expect(notes.fidelity?.level).toBe("partial");
  });

  test("falls back to the other rungs where no digest can be made", async () => {
    const none = await send(report, { fit: { digest: () => Promise.resolve(undefined) } });
    expect(none.notes.fidelity?.level).toBe("partial");
  });

  test("travels without hashes when the archive fails, and says so", async () => {
    const archive = new TestArchive();
    archive.isBroken = true;
    const { omitted, notes } = await send(report, { archive });
    expect(omitted["digest"]).toBeDefined();
    expect(notes.fidelity?.archives).toEqual({});
    expect(notes.warnings?.map(({ code }) => code)).toContain("ARCHIVE_WRITE_FAILED");
  });
});
