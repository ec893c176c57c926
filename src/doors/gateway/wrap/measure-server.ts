import type { TokenCounter } from "../../../core/tokens/token-counter.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { listForeign, withRetrieval } from "../../../engine/session/tool-list.ts";
import { UpstreamMemory } from "../../../engine/session/upstream-memory.ts";
import { contractFor } from "../upstream-contract.ts";
import { type ServerLists, askServer } from "./ask-server.ts";
import type { ServerEntry } from "./config-text.ts";
import { HEADERS_VARIABLE, textsOf, wrappedTarget } from "./gateway-command.ts";

/** The tokens that a server's tools cost a model before the first call. */
export interface ServerCost {
  readonly tools: number;
  /** Of all names, descriptions and input schemas, as compact JSON: what clients give to a model. */
  readonly toolTokens: number;
  readonly instructionTokens: number;
  /** What the gateway adds to the list: its retrieval tool. */
  readonly gatewayTokens: number;
  readonly largest: { readonly name: string; readonly tokens: number } | undefined;
}

/** How the server itself is reached, without the gateway. */
export type Reach =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
    }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Facts about the person's machine, to fill in variables like a client. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
}

/** How to reach the server, or why only its client can start it. */
export function reachOf(entry: ServerEntry, around: Surroundings): Reach | { readonly reason: string } {
  const fill = createFill(around);
  const target = wrappedTarget(entry);
  const args = textsOf(entry.launch.get("args")?.value) ?? [];
  const {
    env = {},
    cwd,
    headers,
    http_headers,
  } = { ...entry.value, ...launchValues(entry) } as Readonly<Record<string, unknown>>;
  const program =
    target?.kind === "command" ? args[target.before] : entry.launch.get(entry.programKey)?.value;
  try {
    if (target?.kind === "url") return { url: fill(target.url), headers: fillMap(parseHeaders(env), fill) };
    const url = entry.value["url"] ?? entry.value["serverUrl"];
    if (typeof url === "string")
      return { url: fill(url), headers: fillMap(headers ?? http_headers ?? {}, fill) };
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

function launchValues({ launch, programKey }: ServerEntry): Record<string, unknown> {
  return programKey === "path" ? { env: launch.get("env")?.value } : {};
}

function parseHeaders(env: unknown): unknown {
  const json = (env as Readonly<Record<string, unknown>>)[HEADERS_VARIABLE];
  return typeof json === "string" ? (JSON.parse(json) as unknown) : {};
}

class UnknownVariable extends Error {}

/** Variables as the clients write them: `${env:X}`, `${X}`, `${X:-default}`, `${userHome}`. */
function createFill({ env, home }: Surroundings): (text: string) => string {
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

type SeenTool = ServerLists["tools"][number];

/** The parts of a tool that a client gives to a model. */
function seenOf({ name, description, inputSchema }: SeenTool): object {
  return { name, description, inputSchema };
}

/** The list that a client behind the gateway receives. */
function behindGateway(tools: readonly SeenTool[]): readonly SeenTool[] {
  const state = contractFor(
    "measured",
    { command: "" },
    { upstreams: {}, store: "memory", logLevel: "silent" },
  );
  const memory = new UpstreamMemory(state.retrieveName);
  const listed = { result: { tools } } as unknown as JsonObject;
  const named = listForeign(state, listed, memory, "");
  const { result } = withRetrieval(state, named, memory.retrievalPlace(""));
  return (result as unknown as { readonly tools: readonly SeenTool[] }).tools;
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
