// An MCP server without an SDK, for both eras of the protocol: a small object whose every method may be replaced, so
// that a broken server is the good one with one thing done wrong. It imports nothing, so that a process starts quickly.

export type Json = Record<string, unknown>;
export type Era = "legacy" | "modern";

/** What is known of the request that is being answered. */
export interface Asked {
  readonly id: unknown;
  readonly era: Era;
  readonly signal: AbortSignal;
  /** What a client returns of a result that asked for input. */
  readonly requestState: unknown;
  /** Sends a message of the server's own, such as a notification, before the answer. */
  readonly send: (message: Json) => void;
  /** Ends the server, as a crash would. */
  readonly die: () => void;
}

export interface RawTool {
  definition: Json & { name: string };
  run: (args: Json, asked: Asked) => Json | Promise<Json>;
}

/** A JSON-RPC error in place of a result. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Thrown by a call that gives no answer: it was cancelled, or the server is a broken one that stays silent. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

const MODERN = "2026-07-28";
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const META = "io.modelcontextprotocol/";

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text as it is, anything else as nothing. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function metaOf(params: Json): Json {
  return isObject(params["_meta"]) ? params["_meta"] : {};
}

export function notification(method: string, params: Json): Json {
  return { jsonrpc: "2.0", method, params };
}

export class RawServer {
  info: Json = { name: "parcels", version: "1.0.0" };
  capabilities: Json = { tools: {}, logging: {} };
  instructions: unknown = "Look a parcel up by its id. Ids come from list_parcels.";
  eras: readonly Era[] = ["legacy", "modern"];
  tools: RawTool[] = [];
  /** How many tools a page of `tools/list` holds. */
  pageSize = 4;
  /** How many times the first page of `tools/list` was asked for. */
  listings = 0;

  initialize(params: Json, _asked: Asked): Json {
    const wanted = textOf(params["protocolVersion"]);
    const protocolVersion = LEGACY.includes(wanted) ? wanted : LEGACY[0];
    return {
      protocolVersion,
      capabilities: this.capabilities,
      serverInfo: this.info,
      instructions: this.instructions,
    };
  }

  discover(_params: Json, _asked: Asked): Json {
    return {
      supportedVersions: [MODERN],
      capabilities: this.capabilities,
      serverInfo: this.info,
      instructions: this.instructions,
      ...this.cacheHints(),
    };
  }

  cacheHints(): Json {
    return { ttlMs: 60_000, cacheScope: "public" };
  }

  listTools(params: Json, { era }: Asked): Json {
    const { cursor } = params;
    const start = cursor === undefined ? 0 : Number(/^after-(\d+)$/.exec(textOf(cursor))?.[1] ?? Number.NaN);
    if (Number.isNaN(start)) throw new RpcError(-32602, "Invalid params: this cursor is not one of ours");
    if (start === 0) this.listings += 1;
    const end = start + this.pageSize;
    return {
      tools: this.tools.slice(start, end).map(({ definition }) => definition),
      ...(end < this.tools.length ? { nextCursor: `after-${end}` } : {}),
      ...(era === "modern" ? this.cacheHints() : {}),
    };
  }

  callTool(params: Json, asked: Asked): Json | Promise<Json> {
    const tool = this.tools.find(({ definition }) => definition.name === params["name"]);
    if (tool === undefined) return this.unknownTool(textOf(params["name"]));
    const args = params["arguments"] ?? {};
    if (!isObject(args)) throw new RpcError(-32602, "Invalid params: arguments is not an object");
    this.tell(metaOf(params), asked);
    return tool.run(args, asked);
  }

  /** Logs each call, and reports progress to the client that asked for it. */
  tell(meta: Json, { era, send }: Asked): void {
    const { progressToken } = meta;
    if (era === "legacy" || meta[`${META}logLevel`] !== undefined) {
      send(notification("notifications/message", { level: "debug", data: "A tool is called." }));
    }
    if (progressToken !== undefined) {
      send(notification("notifications/progress", { progressToken, progress: 1, total: 2 }));
    }
  }

  unknownTool(name: string): Json {
    throw new RpcError(-32602, `Unknown tool: ${name}`);
  }

  ping(): Json {
    return {};
  }

  unknownMethod(method: string): Json {
    throw new RpcError(-32601, `Method not found: ${method}`);
  }

  /** What a text that is no JSON is answered with; undefined for nothing. */
  brokenLine(_line: string): Json | undefined {
    return { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } };
  }

  /** What JSON that is no request is answered with. */
  invalidMessage(_message: unknown): Json | undefined {
    return { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid Request" } };
  }

  /** What a notification is answered with. */
  notified(_message: Json): Json | undefined {
    return undefined;
  }

  /** The last word on a result before it is sent. */
  finish(result: Json, { era }: Asked, _method: string): Json {
    if (era === "legacy") return result;
    const meta = metaOf(result);
    return {
      resultType: "complete",
      ...result,
      _meta: { ...meta, [`${META}serverInfo`]: this.info },
    };
  }

  /** The last word on a whole response. */
  respond(response: Json, _method: string): Json {
    return response;
  }

  /** A message as the lines it is sent in. */
  write(message: Json): (string | Buffer)[] {
    return [JSON.stringify(message)];
  }

  /** What a process says on stdout before anything was asked. */
  banner(): string[] {
    return [];
  }

  answer(method: string, params: Json, asked: Asked): Json | Promise<Json> {
    if (asked.era === "legacy") {
      if (method === "initialize") return this.initialize(params, asked);
      if (method === "ping") return this.ping();
      if (method === "logging/setLevel") return {};
    } else if (method === "server/discover") return this.discover(params, asked);
    if (method === "tools/list") return this.listTools(params, asked);
    if (method === "tools/call") return this.callTool(params, asked);
    return this.unknownMethod(method);
  }

  /** The era that a request belongs to; throws where this server does not speak it. */
  eraOf(params: Json): Era {
    const version = metaOf(params)[`${META}protocolVersion`];
    const era = version === undefined ? "legacy" : "modern";
    if (era === "modern" && this.eras.includes("modern") && version !== MODERN) {
      const data = { supported: [MODERN], requested: version };
      throw new RpcError(-32022, "Unsupported protocol version", data);
    }
    return era;
  }
}
