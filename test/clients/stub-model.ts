// A model on loopback that costs nothing: it asks for one tool, then makes every call that the answers propose for what
// they lack, keeps what it was given after each, and says that it is done. The address names client and shape
// (`/ai-sdk/thin_text/v1`), so it needs no state to know what to ask for first.

import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, startOnLoopback } from "../../examples/stub-model/loopback-server.ts";
import { type Body, type Call, type Dialect, type Move, dialects } from "./model-dialects.ts";
import { type Answered, type ToolCall, nextCall } from "./proposed-calls.ts";

export interface StubModel {
  /** The address of a shape's model, without the version that a client's protocol wants behind it. */
  addressOf(client: string, shape: string): string;
  /** What the model was given after each of its calls; the first is of the shape's tool. */
  givenTo(client: string, shape: string): readonly Given[];
  close(): Promise<void>;
}

export type Given = Answered["given"];

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Clients put the server's name in front of a tool's, and one shape's name may end another's: the shortest is meant. */
function callOf(offered: readonly Call[], wanted: ToolCall, body: Body): Call | undefined {
  const isWanted = new RegExp(`(?:^|[^a-z0-9])${wanted.tool}$`, "i");
  const [direct] = offered
    .filter(({ name }) => isWanted.test(name))
    .sort((one, other) => one.name.length - other.name.length);
  if (direct !== undefined) return { ...direct, input: wanted.args };
  return offered.map((call) => callThrough(call, wanted, body)).find((call) => call !== undefined);
}

/** A call that finds the wanted tool, or calls it for the model. */
function callThrough(bridge: Call, { tool, args }: ToolCall, body: Body): Call | undefined {
  if (bridge.form === "search") return { ...bridge, input: { query: tool } };
  if (bridge.form === "script" && bridge.name === "exec") return { ...bridge, input: scriptFor(tool, args) };
  if (bridge.name !== "tool_call") return undefined;
  // Qwen Code names a server's tools in a message, and has one tool that calls them.
  const [name] = new RegExp(`mcp__lab__${tool}\\b`).exec(JSON.stringify(body)) ?? [];
  return name === undefined ? undefined : { ...bridge, input: { name, arguments: args } };
}

/**
 * A script prints all of the result, as a model does that has not seen it yet, and hands pictures on as the tool's
 * description says. One that knows what it wants would print less.
 */
const scriptFor = (tool: string, args: ToolCall["args"]): string => `
const { content, ...rest } = await tools.mcp__lab__${tool}(${JSON.stringify(args)});
text({ content: content.filter(({ type }) => type !== "image"), ...rest });
for (const block of content) if (block.type === "image") image(block);
`;

/** What happened in the conversation about one shape. */
interface Conversation {
  readonly answers: Answered[];
  /** The call that was made after as many answers. */
  readonly calls: ToolCall[];
}

/** The calls of a page each of a result of 60,000 characters are fewer. */
const MOST_CALLS = 60;

export async function startStubModel(): Promise<StubModel> {
  const conversations = new Map<string, Conversation>();

  function move(dialect: Dialect, body: Body, key: string, shape: string): Move {
    const conversation = conversations.get(key) ?? { answers: [], calls: [{ tool: shape, args: {} }] };
    conversations.set(key, conversation);
    const { answers, calls } = conversation;
    const given = dialect.given(body);
    // Clients also ask again, or about an earlier part of the conversation.
    const last = calls[answers.length];
    if (given !== undefined && last !== undefined && dialect.calls(body) > answers.length) {
      answers.push({ call: last, given });
      const next = nextCall(answers);
      if (next !== undefined && calls.length < MOST_CALLS) calls.push(next);
    }
    const wanted = calls[given === undefined ? 0 : dialect.calls(body)];
    // Clients also ask for a title of the conversation, or which model should answer.
    const call = wanted && callOf(dialect.offered(body), wanted, body);
    return call === undefined ? { say: "done" } : { call };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const [, client = "", shape = ""] = pathname.split("/");
    const dialect = dialects.find(({ serves }) => serves.test(pathname));
    if (request.method !== "POST" || dialect === undefined) {
      response.writeHead(404, { "Content-Type": "application/json" }).end('{"error":{"message":"Not here"}}');
      return;
    }
    const body = JSON.parse(await readBody(request, MAX_BODY_BYTES)) as Body;
    const next = move(dialect, body, `${client}/${shape}`, shape);
    const isStream = body.stream === true || searchParams.get("alt") === "sse";
    response.writeHead(200, { "Content-Type": isStream ? "text/event-stream" : "application/json" });
    response.end(isStream ? dialect.events(next, body).join("") : JSON.stringify(dialect.whole(next, body)));
  }

  const { origin, close } = await startOnLoopback(answer);
  return {
    addressOf: (client, shape) => `${origin}/${client}/${shape}`,
    givenTo: (client, shape) =>
      (conversations.get(`${client}/${shape}`)?.answers ?? []).map(({ given }) => given),
    close,
  };
}
