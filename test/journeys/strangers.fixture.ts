// Servers over HTTP on loopback, under a contract by either door, served in each way the SDKs know. Every call of a
// tool makes a secret of its own, so that a caller who is shown it twice was shown another caller's.
import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { McpServer as McpServer118 } from "mcp-sdk-1-18/server/mcp.js";
import { StreamableHTTPServerTransport as Http118 } from "mcp-sdk-1-18/server/streamableHttp.js";
import { McpServer as McpServer125 } from "mcp-sdk-1-25/server/mcp.js";
import { SSEServerTransport } from "mcp-sdk-1-25/server/sse.js";
import { StreamableHTTPServerTransport as Http125 } from "mcp-sdk-1-25/server/streamableHttp.js";
import { McpServer as McpServer132 } from "mcp-sdk-1-32/server/mcp.js";
import { StreamableHTTPServerTransport as Http132 } from "mcp-sdk-1-32/server/streamableHttp.js";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { type Contract, createContract } from "../../src/doors/server/create-contract.ts";

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

interface AnyServer {
  connect(transport: never): Promise<void>;
  registerTool(name: string, config: never, handler: never): unknown;
}

let made = 0;

/** Far over the budget, and with a secret in the part that is left out. */
function privateRecords(): { readonly records: readonly object[] } {
  made += 1;
  const secret = `secret-${made}-${randomUUID()}`;
  const records = Array.from({ length: 300 }, (_, at) => ({
    id: `r-${at}`,
    text: `Plain text number ${at}`,
  }));
  return { records: [...records, { id: "r-private", text: secret }] };
}

const info = { name: "strangers", version: "1.0.0" };

function builtServer(contract: Contract): AnyServer {
  const server = contract.server(new McpServer(info));
  server.registerTool("records", { description: "Private records" }, () => privateRecords());
  server.registerTool("book", { description: "Books, and shows the booking" }, () => {
    made += 1;
    return { booking: `secret-${made}-${randomUUID()}` };
  });
  return server;
}

/** As an author leaves it who knows nothing of Waybill. */
function foreignServer(server: AnyServer): AnyServer {
  const answer = (data: object) => ({ content: [{ type: "text", text: JSON.stringify(data) }] });
  server.registerTool(
    "records",
    { description: "Private records" } as never,
    (() => answer(privateRecords())) as never,
  );
  server.registerTool(
    "book",
    { description: "Books, and shows the booking" } as never,
    (() => {
      made += 1;
      return answer({ booking: `secret-${made}-${randomUUID()}` });
    }) as never,
  );
  return server;
}

interface Transport {
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
}
type TransportClass = new (options: object) => Transport;

const stateless =
  (build: () => AnyServer, Http: TransportClass): Handle =>
  async (request, response) => {
    const transport = new Http({ sessionIdGenerator: undefined });
    await build().connect(transport as never);
    return transport.handleRequest(request, response);
  };

function sessionful(build: () => AnyServer, Http: TransportClass): Handle {
  const sessions = new Map<string, Transport>();
  return async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new Http({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id: string) => void sessions.set(id, transport),
    });
    await build().connect(transport as never);
    return transport.handleRequest(request, response);
  };
}

/** The transport before Streamable HTTP: one stream of events for what the server says, requests for what it hears. */
function overSse(build: () => AnyServer): Handle {
  const sessions = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      sessions.set(transport.sessionId, transport);
      return build().connect(transport as never);
    }
    const { searchParams } = new URL(request.url ?? "/", "http://localhost");
    const transport = sessions.get(searchParams.get("sessionId") ?? "");
    if (transport === undefined) return void response.writeHead(404).end();
    return transport.handlePostMessage(request, response);
  };
}

function perRequest(build: () => AnyServer): Handle {
  const handle = toNodeHandler(createMcpHandler(() => build() as unknown as McpServer));
  return (request, response) => handle(request as NodeIncomingMessageLike, response);
}

const Http24 = NodeStreamableHTTPServerTransport as unknown as TransportClass;
const V118 = Http118 as unknown as TransportClass;
const V125 = Http125 as unknown as TransportClass;
const V132 = Http132 as unknown as TransportClass;
const attached = (contract: Contract, Server: new (about: typeof info) => unknown) => (): AnyServer =>
  attachContract(foreignServer(new Server(info) as AnyServer), contract);

/** Every way to be served over HTTP; `era` is what its client speaks. */
export const setups = [
  { name: "built, a server object a request, modern", era: "modern", isSession: false },
  { name: "built, a server object a request, legacy", era: "legacy", isSession: false },
  { name: "built, sessions", era: "legacy", isSession: true },
  { name: "attached 2.4.0, a server object a request, modern", era: "modern", isSession: false },
  { name: "attached 2.4.0, sessions", era: "legacy", isSession: true },
  { name: "attached 1.32.2, stateless", era: "legacy", isSession: false },
  { name: "attached 1.32.2, sessions", era: "legacy", isSession: true },
  { name: "attached 1.25.3, stateless", era: "legacy", isSession: false },
  { name: "attached 1.25.3, SSE", era: "legacy", isSession: true },
  { name: "attached 1.18.2, stateless", era: "legacy", isSession: false },
] as const;
export type Setup = (typeof setups)[number];

function handlerOf({ name, isSession }: Setup, contract: Contract): Handle {
  const built = (): AnyServer => builtServer(contract);
  if (name.startsWith("built")) return isSession ? sessionful(built, Http24) : perRequest(built);
  if (name.startsWith("attached 2.4.0")) {
    const build = attached(contract, McpServer);
    return isSession ? sessionful(build, Http24) : perRequest(build);
  }
  if (name.endsWith("SSE")) return overSse(attached(contract, McpServer125));
  if (name.startsWith("attached 1.25.3")) return stateless(attached(contract, McpServer125), V125);
  if (name.startsWith("attached 1.18.2")) return stateless(attached(contract, McpServer118), V118);
  const build = attached(contract, McpServer132);
  return isSession ? sessionful(build, V132) : stateless(build, V132);
}

export interface Served {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

/** A handler listening on loopback. */
export async function listen(handle: Handle): Promise<Served> {
  const http = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => void http.close(resolve));
    },
  };
}

export function strangersContract(options: Parameters<typeof createContract>[0] = {}): Contract {
  // Without a name: contracts with one name would share their limits.
  return createContract({ logLevel: "silent", dialect: "response-v2", budget: { tokens: 800 }, ...options });
}

export function serveSetup(setup: Setup, contract: Contract = strangersContract()): Promise<Served> {
  return listen(handlerOf(setup, contract));
}

/** The built server, one object a request, as the docs' recipe serves it. */
export function servePerRequest(contract: Contract): Handle {
  return perRequest(() => builtServer(contract));
}
