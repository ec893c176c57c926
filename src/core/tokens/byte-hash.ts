/** The initial hash; `mixByte` then mixes in each byte. */
export const HASH_START = 0x811c9dc5 | 0;

/** One step of a 32-bit FNV-1a hash: cheap enough to run over every byte that is counted. */
export function mixByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START;
  for (let index = start; index < end; index++) hash = mixByte(hash, bytes[index] ?? 0);
  return hash;
}

/** The low bits of such a hash depend mostly on the last bytes, so the high bits are folded in. */
export function foldHash(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask;
}

/** Whether two stretches of `length` bytes are equal. */
export function equalBytes(
  left: Uint8Array,
  leftStart: number,
  right: Uint8Array,
  rightStart: number,
  length: number,
): boolean {
  for (let index = 0; index < length; index++) {
    if (left[leftStart + index] !== right[rightStart + index]) return false;
  }
  return true;
}
