// Parts of a message where they stand in its text, and the same text with some of them replaced: all else stays as it is.

import { type Span, memberSpans } from "../../engine/transport/raw-message.ts";

/** A value that takes the place of another, as raw text. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** The text with some of its values replaced, in the order in which they stand there. */
export function spliced(text: string, edits: readonly Edit[]): Buffer {
  const sorted = edits.toSorted((left, right) => left.span.start - right.span.start);
  let result = "";
  let at = 0;
  for (const { span, text: put } of sorted) {
    result += text.slice(at, span.start) + put;
    at = span.end;
  }
  return Buffer.from(result + text.slice(at), "latin1");
}

type Members = ReadonlyMap<string, Span>;
const none: Members = new Map();

export function membersAt(text: string, span: Span | undefined): Members {
  return span === undefined || text.charCodeAt(span.start) !== 0x7b ? none : memberSpans(text, span.start);
}

/** A message as text with one character for each byte, and where its parts stand. */
export interface Parts {
  readonly text: string;
  readonly message: Members;
  readonly params: Members;
  readonly meta: Members;
}

export function partsOf(bytes: Buffer): Parts {
  const text = bytes.toString("latin1");
  const message = memberSpans(text);
  const params = membersAt(text, message.get("params"));
  return { text, message, params, meta: membersAt(text, params.get("_meta")) };
}
