import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { type McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { StreamableHTTPServerTransport as Http118 } from "mcp-sdk-1-18/server/streamableHttp.js";
import { StreamableHTTPServerTransport as Http125 } from "mcp-sdk-1-25/server/streamableHttp.js";
import { StreamableHTTPServerTransport as Http132 } from "mcp-sdk-1-32/server/streamableHttp.js";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { type ServerKind, exampleServer } from "./attach-example.fixture.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

interface Session {
  readonly sessionId?: string;
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** v1 servers keep one server object and transport a session. */
function sessionful(
  kind: Exclude<ServerKind, "2.4.0">,
  build: () => ReturnType<typeof exampleServer>,
): Handle {
  const Transport = { "1.32.2": Http132, "1.25.3": Http125, "1.18.2": Http118 }[kind];
  const sessions = new Map<string, Session>();
  return async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    if (known !== undefined) return known.handleRequest(request, response);
    const session: Session = new (Transport as new (options: object) => Session)({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id: string) => void sessions.set(id, session),
    });
    await build().connect(session as never);
    return session.handleRequest(request, response);
  };
}

export interface ExampleHttp {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

/** The example server under a contract, over HTTP on loopback, served as its SDK's examples do it. */
export function serveExample(kind: ServerKind): Promise<ExampleHttp> {
  const contract = createContract({ name: "example", logLevel: "silent", dialect: "response-v2" });
  return serveBuilt(kind, () => attachContract(exampleServer(kind), contract));
}

/** Whatever server objects of an SDK version `build` makes, over HTTP on loopback. */
export async function serveBuilt(
  kind: ServerKind,
  build: () => ReturnType<typeof exampleServer>,
): Promise<ExampleHttp> {
  const handleModern = toNodeHandler(createMcpHandler(() => build() as unknown as McpServer));
  const handle: Handle =
    kind === "2.4.0"
      ? (request, response) => handleModern(request as NodeIncomingMessageLike, response)
      : sessionful(kind, build);
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
