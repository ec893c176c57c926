import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { fetchFault } from "./fetch-fault.ts";
import type { FetchSettings } from "./fetch-settings.ts";

const FIRST_CAPACITY_BYTES = 64 * 1024;

/**
 * Joins incoming bytes. They are copied at once: a server may send a body byte by byte, and a list of such
 * small buffers takes a hundred times its content. `check` gets the new size before that much is kept.
 */
async function collectBytes(
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

/** Below this size no ratio is an attack: a short text of one letter compresses a thousandfold. */
const FREE_BYTES = 1024 * 1024;

/** Honest servers never send several codings, which could be a bomb inside a bomb. */
function readCoding(header = ""): string {
  const words = header.split(",").map((word) => word.trim().toLowerCase());
  const [coding = "identity", ...more] = words.filter((word) => word !== "" && word !== "identity");
  if (more.length > 0) throw fetchFault("encoding");
  return coding;
}

/** `deflate` means zlib, but some servers omit zlib's header. */
function unpackerFor(coding: string, firstByte: number): Transform | undefined {
  switch (coding) {
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw fetchFault("encoding");
  }
}

async function* resume(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Reads a body to its end, decompressed, with limits on the compressed and the decompressed size. */
export async function readBody(
  response: IncomingMessage,
  { maxBytes, maxDecompressionRatio }: Pick<FetchSettings, "maxBytes" | "maxDecompressionRatio">,
  onProgress: (done: number, total?: number) => void,
): Promise<Uint8Array> {
  const promised = response.headers["content-length"];
  const total = promised === undefined ? undefined : Number(promised);
  let wireBytes = 0;

  const checkLength = (bytes: number): void => {
    if (bytes > maxBytes) throw fetchFault("bytes", { limitBytes: maxBytes });
  };
  const checkUnpacked = (bytes: number): void => {
    checkLength(bytes);
    if (bytes > FREE_BYTES && bytes > wireBytes * maxDecompressionRatio) throw fetchFault("ratio");
  };
  async function* travelled(): AsyncGenerator<Buffer> {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      wireBytes += chunk.length;
      checkLength(wireBytes);
      onProgress(wireBytes, total);
      yield chunk;
    }
  }

  checkLength(total ?? 0);
  const coding = readCoding(response.headers["content-encoding"]);
  const chunks = travelled();
  const first = await chunks.next();
  if (first.done === true) return new Uint8Array();
  const unpacker = unpackerFor(coding, first.value[0] ?? 0);
  const body = resume(first.value, chunks);
  if (unpacker === undefined) return collectBytes(body, checkLength);
  let whole: Uint8Array | undefined;
  const unpacking = pipeline(body, unpacker, async (unpacked: AsyncIterable<Buffer>) => {
    whole = await collectBytes(unpacked, checkUnpacked);
  });
  // Bytes after the end of compressed data are ignored; Node 20 reports them as an error, Node 24 does not.
  await unpacking.catch((error: unknown) => {
    if (whole === undefined) throw error;
  });
  return whole ?? new Uint8Array();
}
