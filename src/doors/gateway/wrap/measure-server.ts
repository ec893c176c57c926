import type { TokenCounter } from "../../../core/tokens/token-counter.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { listForeign, withRetrieval } from "../../../engine/session/tool-list.ts";
import { UpstreamMemory } from "../../../engine/session/upstream-memory.ts";
import { contractFor } from "../upstream-contract.ts";
import { McpClient } from "../../../engine/transport/mcp-client.ts";
import { childEnvironment, startChild } from "../../../engine/transport/child-process.ts";
import { openHttpUpstream } from "../upstream/http-upstream.ts";
import type { RecordedReply } from "../../../core/rules/server-record.ts";
import type { ServerEntry } from "./config-text.ts";
import type { ServerTransport } from "../../../core/protocol/names.ts";
import { HEADERS_VARIABLE, textList, wrappedTarget, wrappedTransport } from "./gateway-command.ts";

/** The tokens that a server's tools cost a model before the first call. */
export interface ServerCost {
  readonly tools: number;
  /** The tokens of all names, descriptions and input schemas, as compact JSON: what clients give to a model. */
  readonly toolTokens: number;
  readonly instructionTokens: number;
  /** What the gateway adds to the list: its retrieval tool. */
  readonly gatewayTokens: number;
  readonly largest: { readonly name: string; readonly tokens: number } | undefined;
}

/** How the server itself is reached, without the gateway. */
export type ServerReach =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
    }
  | {
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly transport: ServerTransport | undefined;
    };

/** Facts about the person's machine, to fill in variables like a client. */
export interface ClientMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
}

/** How to reach the server, or why only its client can start it. */
export function serverReach(
  entry: ServerEntry,
  around: ClientMachine,
): ServerReach | { readonly reason: string } {
  const fill = createFill(around);
  const target = wrappedTarget(entry);
  const args = textList(entry.launch.get("args")?.value) ?? [];
  const {
    env = {},
    cwd,
    headers,
    http_headers,
  } = { ...entry.value, ...launchValues(entry) } as Readonly<Record<string, unknown>>;
  const program =
    target?.kind === "command" ? args[target.before] : entry.launch.get(entry.programKey)?.value;
  try {
    if (target?.kind === "url")
      return {
        url: fill(target.url),
        headers: fillMap(parseHeaders(env), fill),
        transport: wrappedTransport(entry),
      };
    const url = entry.value["httpUrl"] ?? entry.value["url"] ?? entry.value["serverUrl"];
    if (typeof url === "string")
      return {
        url: fill(url),
        headers: fillMap(headers ?? http_headers ?? {}, fill),
        transport: entry.value["type"] === "sse" ? "sse" : undefined,
      };
    if (typeof program !== "string") return { reason: "it has neither a command nor a url in this file" };
    const own = target?.kind === "command" ? args.slice(target.before + 1) : args;
    return {
      command: fill(program),
      args: own.map(fill),
      env: fillMap(env, fill),
      cwd: typeof cwd === "string" ? fill(cwd) : undefined,
    };
  } catch (error) {
    if (error instanceof UnknownVariable) return { reason: `only its client knows ${error.message}` };
    if (error instanceof SyntaxError) return { reason: `${HEADERS_VARIABLE} in its env is not JSON` };
    throw error;
  }
}

function launchValues({ launch, programKey, isList, value }: ServerEntry): Record<string, unknown> {
  if (isList) return { env: value["environment"] };
  return programKey === "path" ? { env: launch.get("env")?.value } : {};
}

function parseHeaders(env: unknown): unknown {
  const json = (env as Readonly<Record<string, unknown>>)[HEADERS_VARIABLE];
  return typeof json === "string" ? (JSON.parse(json) as unknown) : {};
}

class UnknownVariable extends Error {}

/** Variables as the clients write them: `${env:X}`, `${X}`, `${X:-default}`, `${userHome}`. */
function createFill({ env, home }: ClientMachine): (text: string) => string {
  return (text) =>
    text.replaceAll(/\$\{([^}]*)\}/g, (whole, inside: string) => {
      const [, name = "", otherwise] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inside) ?? [];
      const value = inside === "userHome" ? home : (env[name] ?? otherwise);
      if (value !== undefined) return value;
      throw new UnknownVariable(whole);
    });
}

function fillMap(values: unknown, fill: (text: string) => string): Record<string, string> {
  const pairs = Object.entries(values as Readonly<Record<string, unknown>>);
  return Object.fromEntries(pairs.map(([name, value]) => [name, fill(String(value))]));
}

/** Asks a server for its tools and counts what they cost. */
export async function measureServer(
  link: Link,
  options: { readonly version: string; readonly timeoutMs: number; readonly counter: TokenCounter },
): Promise<ServerCost> {
  return costOf(await askServer(link, options), options.counter);
}

export interface OpenServer {
  readonly link: Link;
  /** Resolves when its process or its session is gone. */
  readonly close: () => Promise<void>;
}

/** Starts a server, or opens a session with it, like its client, without the gateway. Its stderr is not shown. */
export function openServer(
  reach: ServerReach,
  { env, cwd }: Pick<ClientMachine, "env"> & { readonly cwd: string },
): OpenServer {
  if ("url" in reach) {
    const upstream = openHttpUpstream("measured", reach);
    return {
      link: upstream.connect({ principal: "local" }),
      close: () => upstream.close(),
    };
  }
  const link = startChild({
    command: reach.command,
    args: reach.args,
    cwd: reach.cwd ?? cwd,
    environment: childEnvironment({ env: reach.env, inheritEnv: true }, env),
    stderr: () => undefined,
  });
  return {
    link,
    close: async () => {
      link.close();
      await link.ended;
    },
  };
}

interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
}

export interface ServerLists {
  readonly tools: readonly ListedTool[];
  readonly instructions: string;
}

/** The server did not answer correctly; the message says what it did. */
export class UnansweredError extends Error {
  override readonly name = "UnansweredError";
}

/** Greets a server like a client, and requests its tools. Always closes the link. */
export async function askServer(
  link: Link,
  { version, timeoutMs }: { readonly version: string; readonly timeoutMs: number },
): Promise<ServerLists> {
  const client: McpClient = new McpClient({
    link,
    clientInfo: { name: "waybill", version },
    listener: { oversized: (bytes) => client.close(`it sent a message of ${bytes} bytes`) },
  });
  const late = `it did not answer within ${timeoutMs / 1_000} s`;
  const timer = setTimeout(() => client.close(late), timeoutMs);
  try {
    const { reply } = await client.greet("legacy-first");
    if (reply.kind !== "result") throw refusal("initialize", reply);
    const { tools, failed } = await client.listTools();
    if (failed !== undefined) throw refusal("tools/list", failed);
    const { instructions } = reply.result;
    return {
      tools: tools as unknown as readonly ListedTool[],
      instructions: typeof instructions === "string" ? instructions : "",
    };
  } finally {
    clearTimeout(timer);
    client.close("nothing more is asked");
  }
}

function refusal(method: string, reply: RecordedReply): UnansweredError {
  if (reply.kind === "closed") return new UnansweredError(reply.reason);
  const reason = reply.kind === "error" ? reply.error["message"] : undefined;
  return new UnansweredError(
    `it refused ${method}: ${typeof reason === "string" ? reason : "without a reason"}`,
  );
}

/** The parts of a tool that a client gives to a model. */
function seenOf({ name, description, inputSchema }: ListedTool): object {
  return { name, description, inputSchema };
}

/** The list that a client behind the gateway receives. */
function behindGateway(tools: readonly ListedTool[]): readonly ListedTool[] {
  const state = contractFor(
    "measured",
    { command: "" },
    { upstreams: {}, store: "memory", logLevel: "silent" },
  );
  const memory = new UpstreamMemory(state.retrieveName);
  const listed = { result: { tools } } as unknown as JsonObject;
  const named = listForeign(state, listed, memory, "");
  const { result } = withRetrieval(state, named, memory.retrievalPlace(""));
  return (result as unknown as { readonly tools: readonly ListedTool[] }).tools;
}

function costOf({ tools, instructions }: ServerLists, counter: TokenCounter): ServerCost {
  const seen = tools.map((tool) => ({ name: tool.name, ...seenOf(tool) }));
  const weigh = (list: readonly object[]): number =>
    list.length === 0 ? 0 : counter.count(JSON.stringify(list));
  const toolTokens = weigh(seen);
  const each = seen.map((tool) => ({ name: tool.name, tokens: counter.count(JSON.stringify(tool)) }));
  return {
    tools: tools.length,
    toolTokens,
    instructionTokens: counter.count(instructions),
    gatewayTokens: weigh(behindGateway(tools).map(seenOf)) - toolTokens,
    largest: each.sort((a, b) => b.tokens - a.tokens)[0],
  };
}
