import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { makePng } from "./made-picture.fixture.ts";
import { pictureTokens, readPicture } from "./picture.ts";

const base64 = (...parts: readonly (string | readonly number[])[]): string =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, "latin1"))).toString("base64");

const u16 = (value: number): readonly number[] => [value >> 8, value & 0xff];
const u16le = (value: number): readonly number[] => [value & 0xff, value >> 8];

describe("the size of a picture", () => {
  const side = fc.integer({ min: 1, max: 16_000 });

  test("is read from the header of each format", () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const size = { width, height };
        const gif = base64("GIF89a", u16le(width), u16le(height), [0, 0, 0]);
        expect(readPicture(gif)).toEqual({ format: "gif", ...size });
        const preview = [0xff, 0xe1, ...u16(300), ...Array.from({ length: 298 }, () => 0xd8)];
        const frame = [0xff, 0xc2, 0, 17, 8, ...u16(height), ...u16(width), 3];
        const jpeg = base64([0xff, 0xd8], preview, [0xff], frame);
        expect(readPicture(jpeg)).toEqual({ format: "jpeg", ...size });
        const riff = ["RIFF", [0, 0, 0, 0], "WEBP"] as const;
        const lossy = base64(
          ...riff,
          "VP8 ",
          [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a],
          u16le(width),
          u16le(height),
        );
        expect(readPicture(lossy)).toEqual({ format: "webp", ...size });
        const bits = Buffer.alloc(14);
        bits[4] = 0x2f;
        bits.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 5);
        expect(readPicture(base64(...riff, "VP8L", [...bits]))).toEqual({ format: "webp", ...size });
        const extended = Buffer.alloc(14);
        extended.writeUIntLE(width - 1, 8, 3);
        extended.writeUIntLE(height - 1, 11, 3);
        expect(readPicture(base64(...riff, "VP8X", [...extended]))).toEqual({ format: "webp", ...size });
      }),
      lawRuns(1_000),
    );
    expect(readPicture(makePng(9_000, 20))).toEqual({ format: "png", width: 9_000, height: 20 });
  });

  test("is unknown for any other bytes and any other text, and reading them never throws", () => {
    const starts = ["", "\u0089PNG\r\n\u001A\n", "GIF89a", "RIFF0000WEBPVP8X", "\u00FF\u00D8\u00FF"];
    const bytes = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }));
    fc.assert(
      fc.property(bytes, fc.string(), ([start, rest], text) => {
        const picture = readPicture(base64(start, [...rest]));
        expect([0, 3]).toContain(Object.values(picture ?? {}).length);
        expect(readPicture(`${text}!`)).toBeUndefined();
      }),
      lawRuns(1_000),
    );
    expect(readPicture("")).toBeUndefined();
    expect(readPicture(makePng(8, 8).slice(0, -3))).toBeUndefined();
  });
});

describe("the tokens of a picture", () => {
  test.each([
    // The examples of the makers' own documentation.
    ["claude", 200, 200, 54],
    ["claude", 1_000, 1_000, 1_334],
    ["claude", 9_000, 9_000, 1_600],
    ["openai", 1_024, 1_024, 765],
    ["openai", 2_048, 4_096, 1_105],
    ["openai", 512, 512, 255],
    ["gemini", 384, 384, 258],
    ["gemini", 768, 768, 258],
    ["gemini", 1_000, 1_000, 1_032],
    ["any", 1_000, 1_000, 1_334],
  ] as const)("of %s, %i × %i pixels: %i", (family, width, height, tokens) => {
    expect(pictureTokens({ format: "png", width, height }, family)).toBe(tokens);
  });
});
