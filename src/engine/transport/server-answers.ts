// Messages of a server in unusual forms: after a byte order mark, or in a list.

import { OPEN_BRACE, OPEN_BRACKET, SPACE } from "../../core/json/scan-json.ts";
import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";

import { elementsOf } from "./raw-message.ts";

const MARK = Buffer.from("\uFEFF");

/** The bytes without the byte order mark that some runtimes write before their first text: it is not JSON. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === MARK[0] && bytes.subarray(0, MARK.length).equals(MARK)
    ? bytes.subarray(MARK.length)
    : bytes;
}

/** The messages that a server sent together: nearly always one, or those of a list, as in 2025-03-26. */
export function messagesIn(sent: Buffer): readonly Buffer[] {
  if (sent[0] === OPEN_BRACE) return [sent];
  const bytes = withoutMark(sent);
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at += 1;
  const list = bytes[at] === OPEN_BRACKET ? jsonIn(bytes.toString()) : undefined;
  if (!Array.isArray(list)) return [bytes];
  const messages = elementsOf(bytes).filter((_, index) => isJsonObject(list[index]));
  return messages.length === 0 ? [bytes] : messages;
}
