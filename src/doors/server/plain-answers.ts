// Clients that read JSON and no events, such as curl and those of source 003: MCP has a client accept both, and the SDK
// refuses any other. Here it is asked as if they did, and what it streams becomes the one answer that they can read.

import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { SseReader } from "../../engine/transport/http/sse-reader.ts";

/** What a client takes for an answer to a POST. */
export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

/** Without the header a client takes anything, as HTTP has it; events it must name, since few can read them. */
export function acceptedBy(accept: string | null): Accepted {
  const types = (accept ?? "*/*")
    .split(",")
    .map((range) => range.trim().toLowerCase())
    .filter((range) => range !== "" && !/;\s*q=0(?:\.0*)?$/.test(range))
    .map((range) => range.split(";", 1)[0]?.trim());
  const json = ["application/json", "application/*", "*/*"].some((type) => types.includes(type));
  return { json, events: types.includes("text/event-stream") };
}

/** The same request from a client that takes JSON and events. */
export function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request, { headers });
}

function isAnswer(value: unknown): value is JsonObject {
  return isJsonObject(value) && value["method"] === undefined && "id" in value;
}

/** Reads events to their end, and gives the answers among them; what was told on the way is left out. */
async function answersIn(body: ReadableStream<Uint8Array>, gone: AbortSignal): Promise<JsonObject[]> {
  const answers: JsonObject[] = [];
  const events = new SseReader(Number.MAX_SAFE_INTEGER, {
    event: ({ data }) => {
      const message: unknown = data === undefined ? undefined : JSON.parse(data.toString("utf8"));
      if (isAnswer(message)) answers.push(message);
    },
    oversized: () => undefined,
  });
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  gone.addEventListener("abort", leave, { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return answers;
    events.take(Buffer.from(value));
  }
}

/** An answer without events: one message, or a list of them for a batch. Undefined where the stream held none. */
export async function withoutEvents(
  answer: Response,
  { isBatch, gone }: { readonly isBatch: boolean; readonly gone: AbortSignal },
): Promise<Response | undefined> {
  const { body, status } = answer;
  if (body === null || answer.headers.get("content-type")?.startsWith("text/event-stream") !== true)
    return answer;
  const answers = await answersIn(body, gone);
  const [first] = answers;
  if (first === undefined) return undefined;
  const headers = new Headers(answer.headers);
  for (const name of ["content-type", "cache-control", "connection", "x-accel-buffering"])
    headers.delete(name);
  return Response.json(isBatch ? answers : first, { status, headers });
}
