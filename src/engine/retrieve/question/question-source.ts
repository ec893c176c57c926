import { jsonChunks } from "../../../core/json/json-chunks.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { pause } from "./ask-worker.ts";
import type { Questioned } from "./question.ts";
import type { SourceBytes } from "./question-messages.ts";

/** What a worker gets to read, and how long it is. */
export interface QuestionSource {
  readonly source: SourceBytes | readonly string[];
  readonly bytes: number;
}

/** Copied and written before others get their turn: a few milliseconds. */
const COPY_BYTES = 8 * 1024 * 1024;
const WRITE_LENGTH = 1024 * 1024;

/** Prepares a value or bytes for their way, with pauses: a large one must not stop this thread. */
export async function sourceOf(questioned: Questioned): Promise<QuestionSource> {
  if (!("bytes" in questioned)) return writeTexts(questioned.value);
  const { sha256, hasTables = false, isText = false, isGiven = false } = questioned;
  const bytes = isGiven && isWhole(questioned.bytes) ? questioned.bytes : await copyOf(questioned.bytes);
  return { source: { bytes, sha256, hasTables, isText }, bytes: bytes.byteLength };
}

/** Bytes that are a part of something larger would take the rest with them. */
function isWhole(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}

/** The worker gets a copy: those given may be a part of something larger, and stay with their owner. */
async function copyOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.byteLength);
  for (let start = 0; start < bytes.byteLength; start += COPY_BYTES) {
    if (start > 0) await pause();
    copy.set(bytes.subarray(start, start + COPY_BYTES), start);
  }
  return copy;
}

async function writeTexts(value: JsonValue): Promise<QuestionSource> {
  const texts: string[] = [];
  let length = 0;
  let sincePause = 0;
  for (const text of jsonChunks(value)) {
    texts.push(text);
    length += text.length;
    sincePause += text.length;
    if (sincePause > WRITE_LENGTH) {
      sincePause = 0;
      await pause();
    }
  }
  return { source: texts, bytes: length };
}
