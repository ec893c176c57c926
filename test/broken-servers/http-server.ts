import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectServer } from "./connect-server.ts";
import type { RawServer } from "./raw-server.ts";

/** A server that listens on a loopback port. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a free loopback port; `close` leaves nothing open. */
export async function listenOn(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listening> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The statuses of a server; undefined where it does not look, and answers as usual. */
export interface HttpHabits {
  readonly get?: number | undefined;
  readonly origin?: number | undefined;
  readonly version?: number | undefined;
  readonly mismatch?: number | undefined;
  readonly brokenJson?: number | undefined;
  readonly notification?: number | undefined;
  readonly unknownMethod?: number | undefined;
  readonly noSession?: number | undefined;
  readonly endedSession?: number | undefined;
  /** Whether a legacy greeting opens a session, which every request then has to name. Default: false. */
  readonly hasSessions?: boolean | undefined;
}

const goodHabits: HttpHabits = {
  get: 405,
  origin: 403,
  version: 400,
  mismatch: 400,
  brokenJson: 400,
  notification: 202,
  unknownMethod: 404,
  noSession: 400,
  endedSession: 404,
};

const revisions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

function messageIn(body: string): { readonly id?: unknown; readonly method?: unknown } | undefined {
  try {
    return JSON.parse(body) as { readonly id?: unknown; readonly method?: unknown };
  } catch {
    return undefined;
  }
}

/** A raw server over Streamable HTTP: each POST is answered as JSON. */
class HttpServer {
  readonly #server: RawServer;
  readonly #habits: HttpHabits;
  readonly #sessions = new Set<string>();

  constructor(server: RawServer, habits: HttpHabits) {
    this.#server = server;
    this.#habits = habits;
  }

  /** Why a request is refused before it is heard; undefined if it is not. */
  refusal({ headers }: IncomingMessage, body: string): number | undefined {
    const { origin, version, mismatch, brokenJson, noSession, endedSession, hasSessions } = this.#habits;
    if (headers.origin?.includes("invalid") === true && origin !== undefined) return origin;
    const message = messageIn(body);
    if (message === undefined) return brokenJson;
    const revision = headers["mcp-protocol-version"];
    if (typeof revision === "string" && !revisions.includes(revision) && version !== undefined)
      return version;
    const method = headers["mcp-method"];
    if (method !== undefined && method !== message.method && mismatch !== undefined) return mismatch;
    if (hasSessions !== true || message.method === "initialize" || revision === revisions[0])
      return undefined;
    const session = headers["mcp-session-id"];
    if (session === undefined) return message.method === "server/discover" ? undefined : noSession;
    return this.#sessions.has(String(session)) ? undefined : endedSession;
  }

  hear(request: IncomingMessage, response: ServerResponse, body: string): void {
    const refused = this.refusal(request, body);
    if (refused !== undefined) return void response.writeHead(refused).end("no");
    const { notification = 202, unknownMethod, hasSessions } = this.#habits;
    const message = messageIn(body);
    const opens = hasSessions === true && message?.method === "initialize";
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (opens) {
      const session = `s-${this.#sessions.size + 1}`;
      this.#sessions.add(session);
      headers["Mcp-Session-Id"] = session;
    }
    const isModern = request.headers["mcp-method"] !== undefined;
    const connection = connectServer(this.#server, {
      // Without a stream there is one message in an answer: the response, which comes last.
      write: (line) => {
        const text = line.toString();
        if (!/"(?:result|error)"/.test(text) || response.headersSent) return;
        const isUnknown = isModern && text.includes('"code":-32601');
        response.writeHead(isUnknown ? (unknownMethod ?? 200) : 200, headers).end(line);
      },
      die: () => request.socket.destroy(),
    });
    connection.receive(body);
    response.on("close", () => connection.close());
    if (message !== undefined && message.id === undefined)
      response.writeHead(notification).end(notification === 200 ? "ok" : undefined);
    return undefined;
  }

  end(request: IncomingMessage, response: ServerResponse): void {
    const isOpen = this.#sessions.delete(String(request.headers["mcp-session-id"]));
    response.writeHead(isOpen ? 204 : 405).end();
  }
}

/** A raw server behind a URL, with these habits in place of the good ones. */
export function overHttp(server: RawServer, habits: HttpHabits = {}): Promise<Listening> {
  const own = { ...goodHabits, ...habits };
  const http = new HttpServer(server, own);
  return listenOn((request, response) => {
    if (request.method === "DELETE") return http.end(request, response);
    if (request.method !== "POST") return void response.writeHead(own.get ?? 405, { Allow: "POST" }).end();
    void bodyOf(request).then((body) => http.hear(request, response, body));
    return undefined;
  });
}
