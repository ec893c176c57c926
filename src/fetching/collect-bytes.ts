const FIRST_CAPACITY_BYTES = 64 * 1024;

/**
 * Joins what comes. It is copied at once: a server may send a body byte by byte, and a list of so many small buffers
 * takes a hundred times its content. `check` hears the new size before anything of that size is kept.
 */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  check: (size: number) => void,
): Promise<Uint8Array> {
  let bytes = new Uint8Array(FIRST_CAPACITY_BYTES);
  let size = 0;
  for await (const chunk of chunks) {
    const next = size + chunk.length;
    check(next);
    if (next > bytes.length) {
      const larger = new Uint8Array(Math.max(next, bytes.length * 2));
      larger.set(bytes.subarray(0, size));
      bytes = larger;
    }
    bytes.set(chunk, size);
    size = next;
  }
  return bytes.slice(0, size);
}
