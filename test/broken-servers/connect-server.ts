import { type Asked, type Json, NoAnswer, type RawServer, RpcError, isObject } from "./raw-server.ts";

/** One connection to a server: lines in, lines out. */
export interface Connection {
  receive(line: string): void;
  close(): void;
}

/** What a connection does to the world around it. */
export interface Outside {
  /** Hears each line that the server says. */
  readonly write: (line: string | Buffer) => void;
  /** Ends the server as a crash would. */
  readonly die: () => void;
}

function errorOf(error: unknown): Json {
  if (!(error instanceof RpcError)) return { code: -32603, message: "Internal error" };
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

class RawConnection implements Connection {
  readonly #server: RawServer;
  readonly #outside: Outside;
  readonly #open = new Map<unknown, AbortController>();

  constructor(server: RawServer, outside: Outside) {
    this.#server = server;
    this.#outside = outside;
    for (const line of server.banner()) outside.write(line);
  }

  receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#send(this.#server.brokenLine(line));
      return;
    }
    if (isObject(message) && typeof message["method"] === "string")
      void this.#hear(message, message["method"]);
    else if (isObject(message) && ("result" in message || "error" in message)) return;
    else this.#send(this.#server.invalidMessage(message));
  }

  close(): void {
    for (const call of this.#open.values()) call.abort();
  }

  #send(message: Json | undefined): void {
    if (message !== undefined) for (const line of this.#server.write(message)) this.#outside.write(line);
  }

  async #hear(message: Json, method: string): Promise<void> {
    const { id } = message;
    const params = isObject(message["params"]) ? message["params"] : {};
    if (id === undefined) {
      if (method === "notifications/cancelled") this.#open.get(params["requestId"])?.abort();
      this.#send(this.#server.notified(message));
      return;
    }
    const response = await this.#respond(method, params, id);
    if (response !== undefined) {
      this.#send(this.#server.respond({ jsonrpc: "2.0", id, ...response }, method));
    }
  }

  async #respond(method: string, params: Json, id: unknown): Promise<Json | undefined> {
    const call = new AbortController();
    this.#open.set(id, call);
    try {
      const era = this.#server.eraOf(params);
      if (!this.#server.eras.includes(era)) return { error: errorOf(notSpoken(method, era)) };
      const asked: Asked = {
        id,
        era,
        signal: call.signal,
        requestState: params["requestState"],
        send: (own) => this.#send(own),
        die: () => this.#outside.die(),
      };
      const result = await this.#server.answer(method, params, asked);
      return { result: this.#server.finish(result, asked, method) };
    } catch (error) {
      return error instanceof NoAnswer ? undefined : { error: errorOf(error) };
    } finally {
      this.#open.delete(id);
    }
  }
}

/** A legacy server does not know the modern methods; a modern one names the versions it speaks. */
function notSpoken(method: string, era: string): RpcError {
  if (era === "modern") return new RpcError(-32601, `Method not found: ${method}`);
  return new RpcError(-32022, "Unsupported protocol version", { supported: ["2026-07-28"] });
}

/** A server that answers a client. */
export function connectServer(server: RawServer, outside: Outside): Connection {
  return new RawConnection(server, outside);
}
