import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { soundSeconds, soundTokens } from "./sound.ts";

const base64 = (...parts: readonly (string | readonly number[] | Uint8Array)[]): string =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, "latin1"))).toString("base64");

const u16le = (value: number): readonly number[] => [value & 0xff, value >> 8];
const u32le = (value: number): readonly number[] => [...u16le(value & 0xffff), ...u16le(value >>> 16)];
const u32 = (value: number): readonly number[] => u32le(value).toReversed();

/** A WAV of silence; `told`: the length that its header tells. */
function makeWav(
  rate: number,
  seconds: number,
  { told, before = [] }: { told?: number; before?: readonly number[] } = {},
): string {
  const [channels, bytes] = [1, 2];
  const size = Math.round(rate * seconds) * channels * bytes;
  const format = [...u16le(1), ...u16le(channels), ...u32le(rate), ...u32le(rate * bytes), ...u16le(bytes)];
  const more = before.length === 0 ? [] : ["LIST", u32le(before.length), before];
  const filled = before.length % 2 === 0 ? [] : [[0]];
  return base64(
    "RIFF",
    u32le(36 + size),
    "WAVE",
    ...more,
    ...filled,
    "fmt ",
    u32le(16),
    [...format, ...u16le(16)],
    "data",
    u32le(told ?? size),
    new Uint8Array(size),
  );
}

/** Frames of layer III at 128 kbit and 44.1 kHz, 417 bytes each. */
function makeMp3(frames: number, first: readonly number[] = []): string {
  const frame = (rest: readonly number[]): number[] =>
    [0xff, 0xfb, 0x90, 0x00, ...Array.from({ length: 32 }, () => 0), ...rest].concat(
      Array.from({ length: 417 - 36 - rest.length }, () => 0),
    );
  const tag = ["ID3", [4, 0, 0, 0, 0, 2, 1], new Uint8Array(257)] as const;
  const sound = Array.from({ length: frames }, (_, at) => frame(at === 0 ? first : []));
  return base64(...tag, ...sound);
}

describe("the length of a sound", () => {
  test("is read from the header of a WAV, whatever is in front of its samples", () => {
    const lengths = fc.tuple(
      fc.constantFrom(8_000, 16_000, 44_100),
      fc.double({ min: 0.1, max: 1, noNaN: true }),
    );
    const before = fc.array(fc.nat(255), { maxLength: 60 });
    fc.assert(
      fc.property(lengths, before, ([rate, seconds], list) => {
        const found = soundSeconds(makeWav(rate, seconds, { before: list }));
        expect(found).toBeCloseTo(Math.round(rate * seconds) / rate, 6);
      }),
      lawRuns(1_000),
    );
    for (const told of [0, 0xffffffff]) expect(soundSeconds(makeWav(8_000, 2, { told }))).toBeCloseTo(2, 6);
  });

  test("is read from the frames of an MP3, behind its tag", () => {
    expect(soundSeconds(makeMp3(100))).toBeCloseTo((100 * 417 * 8) / 128_000, 6);
    // With a changing bit rate, the first frame tells how many there are.
    const told = soundSeconds(makeMp3(2, [0x58, 0x69, 0x6e, 0x67, 0, 0, 0, 1, ...u32(1_000)]));
    expect(told).toBeCloseTo((1_000 * 1_152) / 44_100, 6);
  });

  test("is estimated from the bytes of any other sound, and reading one never throws", () => {
    const starts = ["", "RIFF0000WAVE", "RIFF0000WAVEfmt ", "ID3\u0004\u0000\u0000\u0000", "\u00FF\u00FB"];
    const bytes = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }));
    fc.assert(
      fc.property(bytes, fc.string(), ([start, rest], text) => {
        const seconds = soundSeconds(base64(start, rest)) ?? Number.NaN;
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(seconds)).toBe(true);
        expect(soundSeconds(`${text}!`)).toBeUndefined();
      }),
      lawRuns(1_000),
    );
    expect(soundSeconds(base64("OggS", new Uint8Array(79_996)))).toBe(10);
    expect(soundSeconds("")).toBe(0);
  });
});

test.each([
  // Of the makers' documentation: a minute has 1,920 tokens for Gemini; OpenAI counts one for each 100 ms.
  ["gemini", 60, 1_920],
  ["openai", 60, 600],
  ["any", 60, 1_920],
  ["any", 0.01, 1],
] as const)("the tokens of a sound for %s, %f seconds: %i", (family, seconds, tokens) => {
  expect(soundTokens(seconds, family)).toBe(tokens);
});
