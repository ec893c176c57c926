import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../json/json-value.ts";
import { partOf } from "../parcel.ts";
import { runStages } from "../pipeline.ts";
import { type FitSetting, TestArchive, contextWith, dialectIds, tokensOf } from "./fit-bench.fixture.ts";

const bytes = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 31) % 256));
const image: JsonObject = { type: "image", mimeType: "image/png", data: bytes.toString("base64") };
const words = Array.from({ length: 4_000 }, (_, index) => `word${index}`).join(" ");

function embedded(uri: string, text: string): JsonObject {
  return { type: "resource", resource: { uri, mimeType: "text/plain", text } };
}

async function send(blocks: readonly JsonObject[], setting: FitSetting = {}) {
  const archive = new TestArchive();
  const context = contextWith({ tokens: 1_000, archive, ...setting });
  const result = { content: [{ type: "text", text: "See the blocks" }, ...blocks] };
  const parcel = await runStages({ kind: "result", result }, context);
  const outcome = partOf(parcel, "outcome");
  const sent = partOf(parcel, "result").content.filter(({ type }) => type !== "text");
  return { archive, sent, outcome, tokens: tokensOf(parcel, context), data: outcome.ok && outcome.data };
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A result whose structure repeats its content, as published servers send it. */
async function sendTwice(content: readonly JsonObject[], beside: JsonObject, setting: FitSetting = {}) {
  const archive = new TestArchive();
  const context = contextWith({ tokens: 1_000, archive, ...setting });
  const result = { content, structuredContent: { content, ...beside } };
  const parcel = await runStages({ kind: "result", result }, context);
  return { archive, result, outcome: partOf(parcel, "outcome"), sent: partOf(parcel, "result") };
}

describe("an image whose bytes the structure repeats", () => {
  const reference = "[image 1 of this result: image/png, 30,000 bytes]";
  const referred = { type: "image", mimeType: "image/png", data: reference };

  for (const dialect of dialectIds) {
    test(`is sent once in ${dialect}, and nothing is said to be missing`, async () => {
      const { archive, outcome, sent } = await sendTwice([image], { name: "a.png" }, { dialect });
      expect(outcome).toMatchObject({ ok: true, data: { content: [referred], name: "a.png" } });
      expect(outcome.notes.fidelity).toBeUndefined();
      expect(outcome.notes.warnings).toBeUndefined();
      expect(archive.contents.size).toBe(0);
      // In drf every block is a text.
      const images = sent.content.filter(({ type }) => type === "image");
      expect(images).toEqual(dialect === "drf" ? [] : [image]);
    });
  }

  test("leaves as it came where both have room", async () => {
    const { outcome } = await sendTwice([image], {}, { tokens: 100_000 });
    expect(outcome).toMatchObject({ data: { content: [image] } });
  });

  test("is no part of a cut beside it: only the rest is named", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({ row: index }));
    const { outcome } = await sendTwice([image], { rows });
    expect(outcome).toMatchObject({ data: { content: [referred] } });
    expect(outcome.notes.fidelity?.level).toBe("partial");
    expect(outcome.notes.fidelity?.dropped).toEqual([expect.stringMatching(/^\/rows\/\d+\.\.2999$/)]);
  });

  test("leads to the archive's link where the block itself is too large to travel", async () => {
    const { outcome, sent } = await sendTwice([image], {}, { fit: { maxBlobBytes: 20_000 } });
    expect(outcome).toMatchObject({ data: { content: [referred] } });
    expect(outcome.notes.fidelity?.dropped).toEqual(["#content/0"]);
    expect(sent.content.map(({ type }) => type)).toContain("resource_link");
  });
});

describe("an image", () => {
  test("within maxBlobBytes travels as it is, whatever the token budget: a model sees no base64", async () => {
    const { sent, outcome } = await send([image], { tokens: 256 });
    expect(sent).toEqual([image]);
    expect(outcome.notes.fidelity).toBeUndefined();
  });

  test("over maxBlobBytes becomes a link to its exact bytes in the archive", async () => {
    const { sent, outcome, archive, data } = await send([image], { fit: { maxBlobBytes: 20_000 } });
    const hash = hashOf(bytes);
    expect(sent).toEqual([
      {
        type: "resource_link",
        uri: `waybill://archive/${hash}`,
        name: "image-0",
        mimeType: "image/png",
        size: 30_000,
      },
    ]);
    expect(archive.contents.get(hash)).toEqual(bytes);
    expect(outcome.notes.fidelity).toEqual({
      level: "partial",
      dropped: ["#content/0"],
      archives: { [`image-0-${hash.slice(0, 12)}`]: `sha256:${hash}` },
    });
    expect(data).toBe("See the blocks");
  });

  test("as long as maxBlobBytes allows travels; one byte more does not", async () => {
    expect((await send([image], { fit: { maxBlobBytes: 30_000 } })).sent).toEqual([image]);
    expect((await send([image], { fit: { maxBlobBytes: 29_999 } })).sent[0]?.["type"]).toBe("resource_link");
  });

  test("travels at any size where maxBlobBytes is off", async () => {
    expect((await send([image], { fit: { maxBlobBytes: "off" } })).sent).toEqual([image]);
  });

  test("that cannot be kept is left out, named, and not announced", async () => {
    const archive = new TestArchive();
    archive.isBroken = true;
    const { sent, outcome } = await send([image], { archive, fit: { maxBlobBytes: 20_000 } });
    expect(sent).toEqual([]);
    expect(outcome.notes.fidelity).toEqual({ level: "partial", dropped: ["#content/0"], archives: {} });
    expect(outcome.notes.warnings?.map(({ code }) => code)).toContain("ARCHIVE_WRITE_FAILED");
  });

  test("in an embedded resource is measured by its blob", async () => {
    const blob = { type: "resource", resource: { uri: "file:///a.png", blob: bytes.toString("base64") } };
    const { sent } = await send([blob], { fit: { maxBlobBytes: 20_000 } });
    expect(sent).toEqual([
      {
        type: "resource_link",
        uri: `waybill://archive/${hashOf(bytes)}`,
        name: "file:///a.png",
        size: 30_000,
      },
    ]);
  });
});

describe("an embedded text", () => {
  test("too long for the budget becomes a link, in its place; short ones stay", async () => {
    const blocks = [embedded("a:1", "short"), embedded("a:2", words), embedded("a:3", "brief")];
    const { sent, tokens, outcome, archive } = await send(blocks);
    expect(sent.map(({ type }) => type)).toEqual(["resource", "resource_link", "resource"]);
    expect(sent[1]).toMatchObject({
      name: "a:2",
      uri: `waybill://archive/${hashOf(words)}`,
      size: words.length,
    });
    expect(archive.contents.get(hashOf(words))?.toString()).toBe(words);
    expect(outcome.notes.fidelity?.dropped).toEqual(["#content/1"]);
    expect(tokens).toBeLessThanOrEqual(1_000);
  });

  test("says its size in bytes, as links do", async () => {
    const text = "汉字".repeat(3_000);
    const { sent } = await send([embedded("a:1", text)]);
    expect(sent[0]?.["size"]).toBe(Buffer.byteLength(text));
  });
});

describe("a block of an unknown type", () => {
  const prose = "hello world, this is text. ".repeat(2_000);

  test.each<[string, JsonObject]>([
    ["data", { type: "widget", data: prose }],
    ["a text and more", { type: "widget", text: prose, mimeType: "text/html", shown: true }],
    ["a blob", { type: "widget", resource: { uri: "a:1", blob: prose } }],
  ])("with %s is kept as its own JSON, and nothing in it is decoded", async (_name, block) => {
    const { sent, archive, tokens } = await send([block], { fit: { maxBlobBytes: 20_000 } });
    const json = JSON.stringify(block);
    expect(sent).toMatchObject([
      {
        type: "resource_link",
        uri: `waybill://archive/${hashOf(json)}`,
        mimeType: "application/json",
        size: json.length,
      },
    ]);
    expect(archive.contents.get(hashOf(json))?.toString()).toBe(json);
    expect(tokens).toBeLessThanOrEqual(1_000);
  });

  test("says all of it in a dialect of texts alone, where bytes are left out", async () => {
    const block = { type: "widget", data: "hello world" };
    const context = contextWith({ tokens: 1_000, dialect: "drf", fit: { maxBlobBytes: 0 } });
    const result = { content: [block], structuredContent: { a: 1 } };
    const { content } = partOf(await runStages({ kind: "result", result }, context), "result");
    expect(content.map(({ text }) => text)).toContain(JSON.stringify(block));
  });

  test("counts as the text that it is", async () => {
    const { sent } = await send([{ type: "widget", data: prose }], { fit: { maxBlobBytes: "off" } });
    expect(sent[0]?.["type"]).toBe("resource_link");
  });
});

describe("many blocks", () => {
  test("have at most sixteen links; the others are kept together, each under its name", async () => {
    const blocks = Array.from({ length: 60 }, (_, index) => embedded(`a:${index}`, `${index} ${words}`));
    const { sent, tokens, outcome, archive } = await send(blocks, { tokens: 20_000 });
    expect(sent).toHaveLength(16);
    expect(tokens).toBeLessThanOrEqual(20_000);
    const { dropped, archives = {} } = outcome.notes.fidelity ?? {};
    expect(dropped).toEqual(["#content/*"]);
    const [key = "", hash = ""] = Object.entries(archives).at(-1) ?? [];
    expect(key).toMatch(/^content-/);
    const kept = archive.contents.get(hash.slice("sha256:".length))?.toString() ?? "";
    expect(JSON.parse(kept)).toEqual(
      blocks.slice(16).map((block, index) => ({ id: `#content/${index + 16}`, block })),
    );
  });

  test("have as many links as the budget has room for", async () => {
    const blocks = Array.from({ length: 60 }, (_, index) => embedded(`a:${index}`, `${index} ${words}`));
    const { sent, tokens } = await send(blocks, { tokens: 1_500 });
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(16);
    expect(tokens).toBeLessThanOrEqual(1_500);
  });

  test("that are links themselves fit too", async () => {
    const links = Array.from({ length: 500 }, (_, index) => {
      return { type: "resource_link", uri: `file:///folder/number-${index}.txt`, name: `File ${index}` };
    });
    const { tokens, outcome } = await send(links, { tokens: 2_000 });
    expect(tokens).toBeLessThanOrEqual(2_000);
    expect(outcome.notes.fidelity?.level).toBe("partial");
  });

  test("fit at the smallest budget", async () => {
    const blocks = Array.from({ length: 20 }, (_, index) => embedded(`a:${index}`, `${index} ${words}`));
    const { tokens } = await send(blocks, { tokens: 256 });
    expect(tokens).toBeLessThanOrEqual(256);
  });

  test("beside long data share the budget with it", async () => {
    const archive = new TestArchive();
    const context = contextWith({ tokens: 1_000, archive });
    const result = {
      content: [{ type: "text", text: words }, embedded("a:1", words), embedded("a:2", "short")],
    };
    const parcel = await runStages({ kind: "result", result }, context);
    expect(tokensOf(parcel, context)).toBeLessThanOrEqual(1_000);
    const { fidelity } = partOf(parcel, "outcome").notes;
    expect(Object.keys(fidelity?.archives ?? {})).toHaveLength(2);
    expect(fidelity?.dropped).toContain("#content/0");
  });
});
