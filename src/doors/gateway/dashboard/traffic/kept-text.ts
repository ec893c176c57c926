import { jsonChunks } from "../../../../core/json/json-chunks.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";

/** JSON that was kept for the page, or its beginning. */
export interface KeptText {
  readonly text: string;
  /** The length of the whole text, unless counting stopped at the limit. */
  readonly chars: number;
  readonly isHead: boolean;
}

/** Counting stops here; the rest of a larger value is not counted. */
const MAX_COUNTED = 8 * 1024 * 1024;

/** A copy: a slice would keep the whole text in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

/** A value as JSON text, cut at a limit. */
export function keepText(value: JsonValue, maxChars: number): KeptText {
  let text = "";
  let chars = 0;
  for (const chunk of jsonChunks(value)) {
    chars += chunk.length;
    if (text.length < maxChars) text += chunk.slice(0, maxChars - text.length);
    if (chars > MAX_COUNTED) break;
  }
  const isHead = chars > text.length;
  return { text: isHead ? copyOf(text) : text, chars, isHead };
}

/** The most memory that a text takes. */
export function bytesOfText({ text }: KeptText): number {
  return text.length * 2;
}
