import { createHash } from "node:crypto";
import { ArchiveError } from "../archive-store.ts";
import { type Block, packBlock } from "../blocks.ts";
import { FILE_HEAD, encodeFileEnd, encodeIndexEntry } from "./file-format.ts";
import type { OpenFile } from "./file-layer.ts";
import type { Gathered } from "./known-files.ts";

/** Blocks that are processed at once: enough to keep a few compressors busy, few enough to bound memory. */
const MAX_BLOCKS_UNDERWAY = 4;

export interface WrittenFile {
  readonly hash: string;
  readonly contentBytes: number;
  readonly fileBytes: number;
}

export interface WriteRules {
  readonly contentType: string;
  readonly maxEntryBytes: number;
}

/** Appends packed blocks to a file in order, and the map at the end. */
class BlockWriter {
  readonly #file: OpenFile;
  readonly #index: Uint8Array[] = [];
  readonly #underway: Promise<Block>[] = [];
  #unwritten: Uint8Array[] = [FILE_HEAD];
  fileBytes = 0;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  async add(raw: Uint8Array): Promise<void> {
    const packing = packBlock(raw);
    // A failure is handled when it is the block's turn; until then it must not count as unhandled.
    packing.catch(() => undefined);
    this.#underway.push(packing);
    if (this.#underway.length < MAX_BLOCKS_UNDERWAY) return;
    await this.#takeNext();
    await this.#flush();
  }

  async finish(contentBytes: number, contentType: string): Promise<void> {
    while (this.#underway.length > 0) await this.#takeNext();
    this.#unwritten.push(encodeFileEnd(this.#index, contentBytes, contentType));
    await this.#flush();
  }

  async #takeNext(): Promise<void> {
    const block = await this.#underway.shift();
    if (block === undefined) return;
    this.#index.push(encodeIndexEntry(block));
    this.#unwritten.push(block.bytes);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#unwritten);
    this.#unwritten = [];
    this.fileBytes += bytes.byteLength;
    await this.#file.write(bytes);
  }
}

/** Writes content block by block and hashes it: memory does not grow with the content. */
export async function writeArchiveFile(
  file: OpenFile,
  { blocks, whole }: Gathered,
  { contentType, maxEntryBytes }: WriteRules,
): Promise<WrittenFile> {
  const hash = whole === undefined ? createHash("sha256") : undefined;
  const writer = new BlockWriter(file);
  let contentBytes = 0;
  for (const raw of blocks) {
    contentBytes += raw.byteLength;
    if (contentBytes > maxEntryBytes) {
      const advice = "raise maxEntryBytes and maxBytes, or ask the tool for less";
      throw new ArchiveError("TOO_LARGE", `The content is over ${maxEntryBytes} bytes: ${advice}.`);
    }
    const added = writer.add(raw);
    hash?.update(raw);
    await added;
  }
  await writer.finish(contentBytes, contentType);
  return { hash: whole?.hash ?? hash?.digest("hex") ?? "", contentBytes, fileBytes: writer.fileBytes };
}
