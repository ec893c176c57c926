// A model on loopback that costs nothing: it asks for one tool, keeps the next request, and says that it is done. The
// address names client and shape (`/ai-sdk/thin_text/v1`), so it needs no state to know what to ask for.

import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, startOnLoopback } from "../../examples/stub-model/loopback-server.ts";
import { type Body, type Call, type Dialect, type Move, dialects } from "./model-dialects.ts";

export interface StubModel {
  /** The address of a shape's model, without the version that a client's protocol wants behind it. */
  addressOf(client: string, shape: string): string;
  /** What the model was given after its call: undefined when no such request came. */
  givenTo(client: string, shape: string): readonly unknown[] | undefined;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Clients put the server's name in front of a tool's, and one shape's name may end another's: the shortest is meant. */
function callOf(offered: readonly Call[], shape: string, body: Body): Call | undefined {
  const isShape = new RegExp(`(?:^|[^a-z0-9])${shape}$`, "i");
  const [direct] = offered
    .filter(({ name }) => isShape.test(name))
    .sort((one, other) => one.name.length - other.name.length);
  return direct ?? offered.map((call) => callThrough(call, shape, body)).find((call) => call !== undefined);
}

/** A call that finds the shape's tool, or calls it for the model. */
function callThrough(bridge: Call, shape: string, body: Body): Call | undefined {
  if (bridge.form === "search") return { ...bridge, input: { query: shape } };
  if (bridge.form === "script" && bridge.name === "exec") return { ...bridge, input: scriptFor(shape) };
  if (bridge.name !== "tool_call") return undefined;
  // Qwen Code names a server's tools in a message, and has one tool that calls them.
  const [name] = new RegExp(`mcp__lab__${shape}\\b`).exec(JSON.stringify(body)) ?? [];
  return name === undefined ? undefined : { ...bridge, input: { name, arguments: {} } };
}

/**
 * A script prints all of the result, as a model does that has not seen it yet, and hands pictures on as the tool's
 * description says. One that knows what it wants would print less.
 */
const scriptFor = (shape: string): string => `
const { content, ...rest } = await tools.mcp__lab__${shape}({});
text({ content: content.filter(({ type }) => type !== "image"), ...rest });
for (const block of content) if (block.type === "image") image(block);
`;

export async function startStubModel(): Promise<StubModel> {
  const given = new Map<string, readonly unknown[]>();

  function move(dialect: Dialect, body: Body, key: string, shape: string): Move {
    const after = dialect.given(body);
    if (after !== undefined) {
      if (!given.has(key)) given.set(key, after);
      return { say: "done" };
    }
    const call = callOf(dialect.offered(body), shape, body);
    // Clients also ask for a title of the conversation, or which model should answer.
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
    givenTo: (client, shape) => given.get(`${client}/${shape}`),
    close,
  };
}
