// One request of MCP over HTTP as a web Request, whatever listens: the SDK handles the content. Clients that read JSON but
// not events, such as curl and those of source 003, get one JSON answer. MCP requires a client to accept both, and the
// SDK refuses other clients: here it is asked as if they accepted both, and its stream becomes one answer.

import { isJsonObject, type JsonObject } from "../../core/json/json-value.ts";
import { jsonRpcCodes } from "../../core/protocol/json-rpc-error.ts";
import type { Log } from "../../engine/observe/log-event.ts";
import { HTTP_REFUSAL, type Refusal, failedRefusal } from "../../engine/transport/http/refusal.ts";
import type { Sdk } from "./serve-parts.ts";
import type { AuthInfo, SignIn } from "./sign-in.ts";

/** The methods of the protocol; a web Request cannot even be constructed with some others. */
export const methods: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);

export const wrongMethod: Refusal = {
  status: 405,
  code: HTTP_REFUSAL,
  message: "Method not allowed.",
  headers: { allow: "GET, POST, DELETE" },
};

/** The body a client sent: parsed JSON, or a text that the SDK refuses in its own words. */
export interface SentBody {
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly parsed: unknown;
}

/** A subscription lasts as long as its client wants. */
export function isSubscription(parsed: unknown): boolean {
  return isJsonObject(parsed) && parsed["method"] === "subscriptions/listen";
}

export type McpHandler = ReturnType<Sdk["createMcpHandler"]>;

/** What answers requests: the SDK's handler, and who may call what. */
export interface Answering {
  readonly handler: McpHandler;
  readonly signIn: SignIn;
}

/** The answer to one request whose sender is known; `asked` is the request without its body. */
export async function answerRequest(
  { handler, signIn }: Answering,
  asked: Request,
  { parsed, text }: SentBody,
  authInfo: AuthInfo | undefined,
): Promise<Response | Refusal> {
  const isPost = asked.method === "POST";
  if (isPost && parsed === undefined && mediaTypeOf(asked) === "application/json")
    return { status: 400, ...jsonRpcCodes.parseError };
  const lacking = signIn.lacking(parsed, authInfo, asked);
  if (lacking !== undefined) return lacking;
  // JSON is already parsed; for any other body the SDK reports the error itself.
  const whole = parsed !== undefined || text === "" ? asked : withBody(asked, text);
  const given = { ...(authInfo && { authInfo }), ...(parsed !== undefined && { parsedBody: parsed }) };
  const { json, events } = acceptedBy(asked.headers.get("accept"));
  const isPlain = isPost && json && !events && !isSubscription(parsed);
  const answer = await handler.fetch(isPlain || (json && events) ? acceptingBoth(whole) : whole, given);
  if (!isPlain) return answer;
  const plain = await withoutEvents(answer, { isBatch: Array.isArray(parsed), gone: asked.signal });
  return plain ?? failedRefusal;
}

function mediaTypeOf({ headers }: Request): string {
  const [essence = ""] = (headers.get("content-type") ?? "").split(";");
  return essence.trim().toLowerCase();
}

/** How the SDK's words for a client's mistake begin: a stack of the server would say nothing about it. */
const mistake =
  /^(?:Unsupported Media Type|Not Acceptable|Bad Request|Invalid Request|Parse error|Method not allowed|Conflict|Session not found|Invalid event ID)\b/i;

/** Logs what the SDK reports. */
export function reportTo(log: Log): (error: Error) => void {
  return (error) =>
    log.warn("serve-error", mistake.test(error.message) ? { reason: error.message } : { err: error });
}

/** The same request with the body that the client sent. */
function withBody(request: Request, text: string): Request {
  return new Request(request, { method: "POST", body: text });
}

/** What a client accepts as the answer to a POST. */
interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

/** Without the header a client accepts anything, as in HTTP; events must be named, since few clients read them. */
export function acceptedBy(accept: string | null): Accepted {
  const types = (accept ?? "*/*")
    .split(",")
    .map((range) => range.trim().toLowerCase())
    .filter((range) => range !== "" && !/;\s*q=0(?:\.0*)?$/.test(range))
    .map((range) => range.split(";", 1)[0]?.trim());
  const json = ["application/json", "application/*", "*/*"].some((type) => types.includes(type));
  return { json, events: types.includes("text/event-stream") };
}

/** The same request, changed to accept JSON and events. */
function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request, { headers });
}

function isAnswer(value: unknown): value is JsonObject {
  return isJsonObject(value) && value["method"] === undefined && "id" in value;
}

/** The message of one event of the SDK, which writes one line of data; undefined for a comment. */
function messageIn(event: string): unknown {
  const line = event.split("\n").find((each) => each.startsWith("data:"));
  return line === undefined ? undefined : JSON.parse(line.slice("data:".length));
}

/** Reads events to their end and returns the answers among them; notifications are left out. */
async function answersIn(body: ReadableStream<Uint8Array>, gone: AbortSignal): Promise<JsonObject[]> {
  const answers: JsonObject[] = [];
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  gone.addEventListener("abort", leave, { once: true });
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return answers;
    const events = `${rest}${decoder.decode(value, { stream: true })}`.split("\n\n");
    rest = events.pop() ?? "";
    answers.push(...events.map(messageIn).filter(isAnswer));
  }
}

/** An answer without events: one message, or a list of messages for a batch. Undefined if the stream had no answers. */
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
