import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { base64Bytes, referToBlocks, resolveReferences } from "./block-reference.ts";

const base64 = (length: number, seed = 7): string =>
  Buffer.from(Array.from({ length }, (_, at) => (at * seed) % 256)).toString("base64");
const image = (length: number, seed?: number): JsonObject => ({
  type: "image",
  data: base64(length, seed),
  mimeType: "image/png",
});
const pdf: JsonObject = {
  type: "resource",
  resource: { uri: "file:///a.pdf", mimeType: "application/pdf", blob: base64(1_500) },
};

describe("a copy of a block's bytes", () => {
  test("becomes a text that says which block has them, at any depth", () => {
    const first = image(2_000);
    const data = { content: [first, pdf], thumb: { of: [first["data"] ?? null] }, size: 2_000 };
    expect(referToBlocks(data, [{ type: "text", text: "See" }, first, pdf])).toEqual({
      content: [
        { type: "image", data: "[image 1 of this result: image/png, 2,000 bytes]", mimeType: "image/png" },
        {
          type: "resource",
          resource: {
            uri: "file:///a.pdf",
            mimeType: "application/pdf",
            blob: "[resource 1 of this result: application/pdf, 1,500 bytes]",
          },
        },
      ],
      thumb: { of: ["[image 1 of this result: image/png, 2,000 bytes]"] },
      size: 2_000,
    });
  });

  test("is counted among blocks of its own type; of equal blocks the first is named", () => {
    const [one, two] = [image(900, 3), image(900, 5)];
    const sound: JsonObject = { type: "audio", data: base64(800), mimeType: "audio/wav" };
    const data = [two["data"] ?? "", one["data"] ?? "", sound["data"] ?? ""];
    expect(referToBlocks(data, [one, sound, two, two])).toEqual([
      "[image 2 of this result: image/png, 900 bytes]",
      "[image 1 of this result: image/png, 900 bytes]",
      "[audio 1 of this result: audio/wav, 800 bytes]",
    ]);
  });

  test("stays where the tool's schema asks something of the text, and where it is short already", () => {
    const block = image(900);
    const rigid = { canCutText: false, at: () => rigid };
    const data = { data: block["data"] ?? null };
    expect(referToBlocks(data, [block], () => rigid)).toBe(data);
    const dot = image(9);
    const small = { data: dot["data"] ?? null };
    expect(referToBlocks(small, [dot])).toBe(small);
  });

  test("comes back from the blocks, and what refers to no block stays as it is", () => {
    const blocks = [image(900, 3), pdf, image(901, 5)];
    const data: JsonValue = { all: blocks, other: "[image 9 of this result: image/png, 1 bytes]" };
    const referring = referToBlocks(data, blocks);
    expect(JSON.stringify(referring).length).toBeLessThan(600);
    expect(resolveReferences(referring, blocks)).toEqual(data);
  });

  test("is measured in the bytes it replaces", () => {
    for (const length of [0, 1, 2, 3, 4, 1_000]) expect(base64Bytes(base64(length))).toBe(length);
  });
});
