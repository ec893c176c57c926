import type { IncomingMessage } from "node:http";
import { collectBody, mediaTypeOf, readBody } from "./http-body.ts";
import { isAnswerTo } from "./outgoing.ts";
import { SseReader } from "./sse-reader.ts";

/**
 * The one response that the gateway's own POST waits for, from a body or from a stream; other messages on the
 * stream are dropped. Undefined if no answer came, or if it is too large.
 */
export function readAnswer(
  response: IncomingMessage,
  { key, maxBytes }: { readonly key: string; readonly maxBytes: number },
  done: (answer: Buffer | undefined) => void,
): void {
  let isOver = false;
  const finish = (answer: Buffer | undefined): void => {
    if (isOver) return;
    isOver = true;
    done(answer);
  };
  const none = (): void => finish(undefined);
  if (mediaTypeOf(response) !== "text/event-stream") {
    collectBody(response, maxBytes, { bytes: finish, tooLarge: none, broken: none });
    return;
  }
  const reader = new SseReader(maxBytes, {
    event: ({ data }) => {
      if (data === undefined || !isAnswerTo({ key }, data)) return;
      finish(data);
      // A server may keep the stream open; it is no longer read.
      response.destroy();
    },
    oversized: none,
  });
  readBody(response, { chunk: (chunk) => reader.take(chunk), end: none, broken: none });
}
