import { ContractError } from "../../core/contract/contract-error.ts";
import { isRetrievalTool } from "../../core/contract/wire-names.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { REQUEST_TIMEOUT } from "../../core/protocol/names.ts";

/** The parameters of one `tools/call`. */
export interface CallParams {
  readonly name: string;
  readonly arguments?: JsonObject;
  readonly _meta?: JsonObject;
}

export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** The internal form of SendOptions. Objects given to foreign code have no keys without a value. */
export interface SendLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A bare function that calls a tool, for callers without an SDK client. */
export type CallFunction = (params: CallParams, options: SendOptions) => Promise<unknown>;

/** The parts of an SDK client, v1 or v2, that Waybill uses. */
export interface SdkClientLike {
  callTool(params: never, ...rest: never[]): Promise<unknown>;
  listTools?(...args: never[]): Promise<unknown>;
  readResource?(params: never, ...rest: never[]): Promise<unknown>;
}

/** What a server says about a tool, which a client must know before it repeats a call. */
export interface ToolFacts {
  /** Calling the tool again does no harm: it only reads, or a repeated call changes nothing more. */
  readonly isRepeatable: boolean;
  /** Where the tool takes a cursor; undefined if its schema has none. */
  readonly cursorIn: "argument" | "waybill" | undefined;
  /** The tool gives back what was cut from results. */
  readonly answersRetrieval: boolean;
}

/** What can be sent to a server, whatever the client object is. */
export interface ServerConnection {
  callTool(params: CallParams, options: SendOptions): Promise<unknown>;
  /** Undefined if the connection cannot list tools. */
  readonly toolFacts: ((name: string) => Promise<ToolFacts | undefined>) | undefined;
  /** The name of the listed tool that gives back what was cut. */
  readonly retrieval: (() => Promise<string | undefined>) | undefined;
  readonly readResource: ((uri: string, options: SendLimits) => Promise<unknown>) | undefined;
}

type Method = (...args: unknown[]) => Promise<unknown>;

function requestOptions({ signal, timeoutMs }: SendLimits): object {
  return { ...(signal && { signal }), ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) };
}

/** v1 takes a result schema before the options; v2, which alone knows protocol eras, takes only the options. */
function takesSchema(target: SdkClientLike): boolean {
  return !("getProtocolEra" in target);
}

function factsOf(tool: JsonObject): ToolFacts {
  const hints = isJsonObject(tool["annotations"]) ? tool["annotations"] : {};
  const schema = isJsonObject(tool["inputSchema"]) ? tool["inputSchema"] : {};
  const known = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const isRepeatable = hints["readOnlyHint"] === true || hints["idempotentHint"] === true;
  const cursorIn = "cursor" in known ? "argument" : "_waybill" in known ? "waybill" : undefined;
  return { isRepeatable, cursorIn, answersRetrieval: isRetrievalTool(tool) };
}

/** Lists tools once, all pages, and again only if a name is unknown. */
function factsFrom(list: Method): Required<Pick<ServerConnection, "toolFacts" | "retrieval">> {
  let known: Promise<ReadonlyMap<unknown, ToolFacts>> | undefined;
  const load = async (): Promise<ReadonlyMap<unknown, ToolFacts>> => {
    const facts = new Map<unknown, ToolFacts>();
    let cursor: unknown;
    for (let page = 0; page < 100; page++) {
      const answer = await list(cursor === undefined ? {} : { cursor });
      const tools = isJsonObject(answer) && Array.isArray(answer["tools"]) ? answer["tools"] : [];
      for (const tool of tools.filter(isJsonObject)) facts.set(tool["name"], factsOf(tool));
      const next = isJsonObject(answer) ? answer["nextCursor"] : undefined;
      if (typeof next !== "string" || next === cursor) break;
      cursor = next;
    }
    return facts;
  };
  const missed = new Set<string>();
  // If tools cannot be listed, nothing is known of them, and no call is repeated.
  const listed = async (): Promise<ReadonlyMap<unknown, ToolFacts> | undefined> => {
    known ??= load();
    const facts = await known.catch(() => undefined);
    if (facts === undefined) known = undefined;
    return facts;
  };
  return {
    toolFacts: async (name) => {
      const facts = await listed();
      if (facts === undefined || facts.has(name) || missed.has(name)) return facts?.get(name);
      missed.add(name);
      known = undefined;
      return (await listed())?.get(name);
    },
    retrieval: async () => {
      const [name] = [...((await listed()) ?? [])].find(([, { answersRetrieval }]) => answersRetrieval) ?? [];
      return typeof name === "string" ? name : undefined;
    },
  };
}

/** Connects to a server over an SDK client of either generation, or over a bare function. */
export function connect(target: CallFunction | SdkClientLike): ServerConnection {
  if (typeof target === "function") {
    return { callTool: target, toolFacts: undefined, retrieval: undefined, readResource: undefined };
  }
  const { callTool, listTools, readResource } = (target ?? {}) as Partial<
    Record<keyof SdkClientLike, Method>
  >;
  if (typeof callTool !== "function") {
    throw new ContractError(
      "INVALID_OPTION",
      "contractClient() takes an MCP SDK client, or a function (params) => Promise<CallToolResult>.",
    );
  }
  const hasSchema = takesSchema(target);
  return {
    callTool: (params, options) =>
      callTool.call(target, params, ...(hasSchema ? [undefined] : []), requestOptions(options)),
    ...(typeof listTools === "function"
      ? factsFrom((params) => listTools.call(target, params))
      : { toolFacts: undefined, retrieval: undefined }),
    readResource:
      typeof readResource === "function"
        ? (uri, options) => readResource.call(target, { uri }, requestOptions(options))
        : undefined,
  };
}

/** A JSON-RPC error that a bare function returned as a value. */
class RpcError extends Error {
  readonly code: unknown;

  constructor({ code, message }: JsonObject) {
    super(typeof message === "string" ? message : "The call got an error");
    this.code = code;
  }
}

/** Unwraps a whole JSON-RPC message: an error in it must not be taken for data. */
function resultIn(answer: unknown): unknown {
  if (!isJsonObject(answer) || answer["jsonrpc"] !== "2.0") return answer;
  if (isJsonObject(answer["error"])) throw new RpcError(answer["error"]);
  return answer["result"] ?? answer;
}

/**
 * The call with its deadline and abort enforced here as well, because a function may ignore both. `withinDeadline` can
 * do more, but pages wait for this file, and its size is limited.
 */
export async function sendCall(
  connection: ServerConnection,
  params: CallParams,
  { signal, timeoutMs }: SendLimits,
): Promise<unknown> {
  signal?.throwIfAborted();
  const options = { ...(signal && { signal }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  const call = connection.callTool(params, options);
  if (signal === undefined && timeoutMs === undefined) return resultIn(await call);
  let stop = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => reject(new RpcError({ code: REQUEST_TIMEOUT, message: "Request timed out" })),
            timeoutMs,
          );
    const abort = (): void => reject(signal?.reason as Error);
    signal?.addEventListener("abort", abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
  });
  try {
    return resultIn(await Promise.race([call, ended]));
  } finally {
    stop();
  }
}
