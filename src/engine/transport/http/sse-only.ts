import type { OutgoingHttpHeaders } from "node:http";
import { mediaTypeOf, readBody } from "./http-body.ts";
import { type HttpTarget, sendRequest } from "./http-target.ts";
import { SseReader } from "./sse-reader.ts";

const PROBE_MS = 3_000;
const MAX_EVENT_BYTES = 64 * 1024;

export const sseOnlyAdvice =
  "The server speaks only HTTP+SSE, the transport of 2024 that Streamable HTTP has replaced, and the gateway does not. " +
  "Try its address that ends in /mcp instead of /sse, update the server, or run it as a command";

/** Whether a server that refuses a POST is one of the transport of 2024: its stream begins with where to post. */
export function isSseOnly(
  target: HttpTarget,
  headers: OutgoingHttpHeaders,
  done: (isSseOnly: boolean) => void,
): void {
  let isOver = false;
  const finish = (is: boolean): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    request.abort();
    done(is);
  };
  const timer = setTimeout(() => finish(false), PROBE_MS);
  const request = sendRequest(
    target,
    { method: "GET", headers: { ...headers, accept: "text/event-stream" }, isRepeatable: true },
    {
      response: (response) => {
        if (response.statusCode !== 200 || mediaTypeOf(response) !== "text/event-stream") {
          response.on("error", () => undefined).resume();
          return finish(false);
        }
        const reader = new SseReader(MAX_EVENT_BYTES, {
          event: ({ type, data }) => {
            if (type === "endpoint") finish(true);
            else if (data !== undefined) finish(false);
          },
          oversized: () => finish(false),
        });
        const no = (): void => finish(false);
        readBody(response, { chunk: (chunk) => reader.take(chunk), end: no, broken: no });
      },
      failed: () => finish(false),
    },
  );
}
