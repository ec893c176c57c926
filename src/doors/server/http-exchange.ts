// One request of Node's HTTP server as a web request, and a web response back on it: the SDK serves the web's own kinds.

import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MAX_BODY_BYTES, receiveBody } from "../../engine/transport/http/receive-body.ts";

/** The request without its body: enough to say who sends it. Its signal ends with the client's connection. */
export function toWebRequest(request: IncomingMessage, response: ServerResponse): Request {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct))
    for (const each of value ?? []) headers.append(name, each);
  const url = `http://${request.headers.host ?? "localhost"}${request.url ?? "/"}`;
  return new Request(url, { method: request.method ?? "GET", headers, signal: gone.signal });
}

/** What a client sent: JSON that was read, or a text for the SDK to refuse in its own words. */
export interface SentBody {
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly parsed: unknown;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads the body, at most 4 MiB as the SDK does; a longer one is refused with 413, and nobody is called. */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<SentBody | undefined> {
  if (request.method !== "POST") return Promise.resolve({ text: "", parsed: undefined });
  return new Promise((resolve) => {
    response.once("close", () => resolve(undefined));
    receiveBody(request, response, MAX_BODY_BYTES, (bytes) => {
      const text = bytes.toString("utf8");
      resolve({ text, parsed: parse(text) });
    });
  });
}

/** The same request with what its client sent. */
export function withBody(request: Request, text: string): Request {
  return new Request(request, { method: "POST", body: text });
}

/** Writes a web response; events go out as they come. A client that leaves ends it. */
export async function writeResponse(answer: Response, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  const { body } = answer;
  const isStream = headers["content-type"]?.startsWith("text/event-stream") === true;
  if (response.destroyed) return body?.cancel();
  if (body === null || !isStream) {
    const bytes = body === null ? undefined : Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { ...headers, "content-length": bytes?.length ?? 0 });
    response.end(bytes);
    return;
  }
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  // A stream takes several listeners for its end beside ours; none of them is a leak.
  response.setMaxListeners(20);
  await pipeline(Readable.fromWeb(body), response).catch(() => undefined);
}
