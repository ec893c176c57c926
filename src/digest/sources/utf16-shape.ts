/** So many bytes tell. */
const SAMPLE_BYTES = 4096;

/**
 * Recognises UTF-16 that has no byte order mark. Its spaces and line ends, and all of its ASCII, have a byte 0 beside
 * them, which no other text has; on which side tells the order. Undefined when the bytes have no such shape.
 */
export function utf16Shape(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (isNarrow(sample)) return undefined;
  const little = weigh(sample, 0);
  const big = weigh(sample, 1);
  if (little > big && isPrintable(sample, 0)) return "utf-16le";
  return big > little && isPrintable(sample, 1) ? "utf-16be" : undefined;
}

/** Whether it is a text in UTF-8 into which zeros got: in UTF-16 there would be more, or other letters' high bytes. */
function isNarrow(sample: Uint8Array): boolean {
  let zeros = 0;
  for (const byte of sample) {
    if (byte === 0) zeros++;
    else if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d)) return false;
  }
  if (zeros > 0.2 * sample.length) return false;
  try {
    // As a part of a stream, for the sample may end inside a letter.
    new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** How much speaks for the low byte standing first or second. Some letters end in a byte 0; spaces hardly mislead. */
function weigh(sample: Uint8Array, lowByte: 0 | 1): number {
  let weight = 0;
  for (let index = 0; index + 1 < sample.length; index += 2) {
    if (sample[index + 1 - lowByte] !== 0) continue;
    const low = sample[index + lowByte] ?? 0;
    weight += low === 0x20 || low === 0x0a || low === 0x0d ? 8 : 1;
  }
  return weight;
}

/** Whether its ASCII is text: other data with many zeros has control characters too. */
function isPrintable(sample: Uint8Array, lowByte: 0 | 1): boolean {
  for (let index = 0; index + 1 < sample.length; index += 2) {
    const low = sample[index + lowByte] ?? 0;
    const isAscii = sample[index + 1 - lowByte] === 0;
    if (isAscii && low < 0x20 && low !== 0x09 && low !== 0x0a && low !== 0x0c && low !== 0x0d) return false;
  }
  return true;
}
