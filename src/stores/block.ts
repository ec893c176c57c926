import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

/** Content is stored in blocks of this size, each by itself, so that a range is read without the rest. */
export const BLOCK_BYTES = 256 * 1024;

/** One block as it is kept: compressed where that pays. */
export interface Block {
  readonly rawBytes: number;
  readonly isCompressed: boolean;
  readonly bytes: Uint8Array;
}

/** Below a page a disk gives the space anyway, and the compressor's turn costs more than the writing. */
const MIN_COMPRESSED_BYTES = 4_096;
/** Compression must save a tenth, or reading would pay for nothing. */
const WORTHWHILE_SHARE = 0.9;

/** The least room zlib takes for its output. With room for all of it, a block is one turn of the thread pool. */
const MIN_CHUNK_BYTES = 64;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export async function packBlock(raw: Uint8Array): Promise<Block> {
  const plain: Block = { rawBytes: raw.byteLength, isCompressed: false, bytes: raw };
  if (raw.byteLength < MIN_COMPRESSED_BYTES) return plain;
  // Quality 0: on blocks of this size it leaves 28 % of JSON where 1 leaves 23 %, in half the time.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 0,
    [constants.BROTLI_PARAM_SIZE_HINT]: raw.byteLength,
  };
  const bytes = await compress(raw, { params, chunkSize: raw.byteLength });
  return bytes.byteLength < raw.byteLength * WORTHWHILE_SHARE
    ? { ...plain, isCompressed: true, bytes }
    : plain;
}

/** The block's own bytes; rejects when they are not what was packed. */
export async function unpackBlock({ rawBytes, isCompressed, bytes }: Block): Promise<Uint8Array> {
  const room = Math.max(MIN_CHUNK_BYTES, rawBytes);
  const raw = isCompressed ? await decompress(bytes, { maxOutputLength: room, chunkSize: room }) : bytes;
  if (raw.byteLength !== rawBytes) throw new RangeError("A block is not as long as it says.");
  return raw;
}
