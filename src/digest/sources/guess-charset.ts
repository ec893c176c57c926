import { charsetName, decodeStrictly } from "./text-decoder.ts";

/** Detection weighs the frequency of letters; more bytes than this do not make it surer. */
const SAMPLE_BYTES = 65_536;
/** When nothing fits: every byte means something in it, and it is what most text that says nothing is in. */
const FALLBACK = "windows-1252";

export interface CharsetGuess {
  readonly charset: string;
  /** 0 to 100, as the detector sees it. */
  readonly confidence: number;
}

/** The likeliest charset of bytes that are not UTF-8, by the letters that they would make. */
export async function guessCharset(bytes: Uint8Array): Promise<CharsetGuess> {
  const { analyse } = await import("chardet");
  const sample = sampleOf(bytes);
  for (const { name, confidence } of analyse(sample)) {
    const charset = charsetName(name);
    // A wide charset is never right here: that shape was looked for before.
    if (charset === undefined || charset.startsWith("utf-")) continue;
    if (decodeStrictly(charset, withoutCutEnd(sample)) !== undefined) return { charset, confidence };
  }
  return { charset: FALLBACK, confidence: 0 };
}

/** The bytes around the first that is not ASCII: a long English preface says nothing about what follows. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = bytes.lastIndexOf(0x0a, first) + 1;
  const from = first - start > SAMPLE_BYTES / 2 ? first : start;
  return bytes.subarray(from, from + SAMPLE_BYTES);
}

/** A sample may end inside a letter: it ends at its last ASCII byte instead, if that is near. */
function withoutCutEnd(sample: Uint8Array): Uint8Array {
  if (sample.length < SAMPLE_BYTES) return sample;
  const last = sample.findLastIndex((byte) => byte < 0x40);
  return last < SAMPLE_BYTES / 2 ? sample : sample.subarray(0, last + 1);
}
