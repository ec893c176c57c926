import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { MessageLines } from "../../../engine/transport/stream-link.ts";
import type { HistoryReader } from "./formats/history-format.ts";
import type { FoundHistory } from "./find-histories.ts";
import { sqliteRows } from "./sqlite-rows.ts";

/** A line, document or kept result that is longer is not read: it would have to be in memory whole. */
const MAX_VALUE_BYTES = 64 * 1024 * 1024;

/** What a file held that is no value: it is counted and left out. */
export interface Unread {
  notUtf8: number;
  notJson: number;
  tooLong: number;
}

interface ReadOptions {
  readonly unread: Unread;
  /** Called between values, which may take long. */
  readonly pause: () => Promise<void>;
  /** Called with the length of each piece that was read. */
  readonly onBytes: (bytes: number) => void;
}

/** Gives a reader every value of a file in order, one piece of the file in memory at a time. Throws if it cannot be read. */
export async function readHistory(
  found: FoundHistory,
  reader: HistoryReader,
  options: ReadOptions,
): Promise<void> {
  const { holding } = found.files;
  const file = join(found.folder, found.path);
  if (holding === "lines") await readLines(file, reader, options);
  else if (holding === "document") await readDocument(found, file, reader, options);
  else
    for await (const row of sqliteRows(file, holding.query)) {
      reader.take(row);
      await options.pause();
    }
  reader.end?.();
}

async function readLines(
  file: string,
  reader: HistoryReader,
  { unread, pause, onBytes }: ReadOptions,
): Promise<void> {
  const waiting: Buffer[] = [];
  const lines = new MessageLines(MAX_VALUE_BYTES, {
    message: (line) => void waiting.push(line),
    oversized: () => void (unread.tooLong += 1),
  });
  const empty = async (): Promise<void> => {
    for (const line of waiting.splice(0)) {
      const value = valueOf(line, unread);
      if (value !== undefined) reader.take(value);
      await pause();
    }
  };
  const handle = await open(file, READ_PLAIN);
  for await (const chunk of handle.createReadStream()) {
    lines.push(chunk as Buffer);
    await empty();
    onBytes((chunk as Buffer).length);
  }
  // The last line may have no end, because the client was ended, or is about to write it.
  lines.push(Buffer.from("\n"));
  await empty();
}

/** Nothing waits for the other end of a pipe, and a link that was put in the file's place is not followed. */
const READ_PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function readDocument(
  { bytes }: FoundHistory,
  file: string,
  reader: HistoryReader,
  { unread, pause }: ReadOptions,
): Promise<void> {
  if (bytes > MAX_VALUE_BYTES) {
    unread.tooLong += 1;
    return;
  }
  const value = valueOf(await readSmall(file), unread);
  if (value !== undefined) reader.take(value);
  await pause();
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function valueOf(bytes: Buffer | undefined, unread: Unread): JsonObject | undefined {
  if (bytes === undefined) {
    unread.tooLong += 1;
    return undefined;
  }
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    unread.notUtf8 += 1;
    return undefined;
  }
  const value = jsonIn(text);
  if (isJsonObject(value)) return value;
  unread.notJson += 1;
  return undefined;
}

/** The bytes of an ordinary file; undefined if it is longer than any value. */
async function readSmall(file: string): Promise<Buffer | undefined> {
  const handle = await open(file, READ_PLAIN);
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > MAX_VALUE_BYTES) return undefined;
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The text of a file in which a client kept what it cut; undefined if it is gone, too long or no text. */
export async function readKept(file: string): Promise<string | undefined> {
  try {
    const bytes = await readSmall(file);
    return bytes === undefined ? undefined : decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
