export type DecodedUtf8 =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly offset: number; readonly message: string };

/** Decodes UTF-8 without replacing anything; a bad sequence is reported by the offset of its first byte. */
export function decodeUtf8(bytes: Uint8Array): DecodedUtf8 {
  try {
    // ignoreBOM: true means that a BOM stays in the text.
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const offset = findBadSequence(bytes);
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, "0");
    return {
      ok: false,
      offset,
      message: `The bytes are not UTF-8: 0x${byte} at offset ${offset} does not start a valid character. Send the text as UTF-8, or binary data as base64.`,
    };
  }
}

function findBadSequence(bytes: Uint8Array): number {
  let offset = 0;
  while (offset < bytes.length) {
    const length = sequenceLength(bytes, offset);
    if (length === 0) return offset;
    offset += length;
  }
  return 0;
}

/** Length of the well-formed sequence at `offset` (Unicode, table 3-7), or 0. */
function sequenceLength(bytes: Uint8Array, offset: number): number {
  const lead = bytes[offset] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[offset + 1] ?? 0;
  // These bounds keep out overlong forms, surrogates and everything past U+10FFFF.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let index = 2; index < length; index++) {
    if (((bytes[offset + index] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
