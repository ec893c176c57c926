// An MCP server of the official SDK that wants a token: of 1.32 with sessions for the legacy era, of 2.4 without for the
// modern one.

import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import {
  McpServer,
  OAuthError,
  OAuthErrorCode,
  bearerAuthChallengeResponse,
  createMcpHandler,
  verifyBearerToken,
} from "@modelcontextprotocol/server";
import { McpServer as McpServer132 } from "mcp-sdk-1-32/server/mcp.js";
import { SSEServerTransport as Sse132 } from "mcp-sdk-1-32/server/sse.js";
import { StreamableHTTPServerTransport as Http132 } from "mcp-sdk-1-32/server/streamableHttp.js";
import type { Provider } from "oidc-provider";
import type { Era } from "./attach-clients.fixture.ts";

export interface GuardedServerOptions {
  readonly era: Era;
  readonly provider: () => Provider;
  readonly authorizationServers: () => readonly string[];
  /** Answers a request in its place; false leaves it to the server. */
  readonly before?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** It speaks HTTP+SSE, the transport of 2024, and refuses a POST to the address of its stream. */
  readonly isOld?: boolean | undefined;
}

export interface GuardedServer {
  readonly url: string;
  /** Tokens with which tools were called, in their order. */
  readonly shown: readonly string[];
  close(): Promise<void>;
}

const LARGE_LINES = 20_000;

function addTools(server: McpServer | McpServer132): void {
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  const plain = server as McpServer;
  plain.registerTool("read", { description: "Reads" }, () => text("read by ada"));
  plain.registerTool("write", { description: "Writes" }, () => text("written by ada"));
  plain.registerTool("large", { description: "A lot" }, () =>
    text(Array.from({ length: LARGE_LINES }, (_, at) => `line ${at} of the report`).join("\n")),
  );
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: unknown) => Promise<void>;

const MESSAGES = "/mcp/messages";

function legacyHandler(): Handler {
  const sessions = new Map<string, Http132>();
  return async (request, response, body) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    if (known !== undefined) return known.handleRequest(request, response, body);
    const transport: Http132 = new Http132({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new McpServer132({ name: "guarded", version: "1" });
    addTools(server);
    await server.connect(transport);
    return transport.handleRequest(request, response, body);
  };
}

/** HTTP+SSE: a GET opens a stream, which names the address for messages. */
function oldHandler(): Handler {
  const streams = new Map<string, Sse132>();
  return async (request, response, body) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    if (request.method === "GET") {
      const transport = new Sse132(MESSAGES, response);
      streams.set(transport.sessionId, transport);
      const server = new McpServer132({ name: "guarded", version: "1" });
      addTools(server);
      return server.connect(transport);
    }
    const transport = streams.get(searchParams.get("sessionId") ?? "");
    if (pathname !== MESSAGES || transport === undefined) return void response.writeHead(404).end();
    return transport.handlePostMessage(request, response, body);
  };
}

export async function startGuardedServer({
  era,
  isOld = false,
  provider,
  authorizationServers,
  before,
}: GuardedServerOptions): Promise<GuardedServer> {
  const shown: string[] = [];
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const url = `${origin}/mcp`;
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const verifier = {
    verifyAccessToken: async (token: string) => {
      const found = await provider().AccessToken.find(token);
      if (found === undefined || found.isExpired)
        throw new OAuthError(OAuthErrorCode.InvalidToken, "unknown");
      const { clientId, scope = "", exp } = found;
      return { token, clientId, scopes: scope.split(" "), expiresAt: exp, resource: new URL(url) };
    },
  };
  const modern = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: "guarded", version: "1" });
      addTools(server);
      return server;
    }),
  );
  const legacy = isOld ? oldHandler() : legacyHandler();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (before?.(request, response) === true) return;
    if (request.url === new URL(metadataUrl).pathname) {
      const metadata = {
        resource: url,
        authorization_servers: authorizationServers(),
        scopes_supported: ["read"],
      };
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(metadata));
    }
    const [path = ""] = request.url?.split("?") ?? [];
    if (path !== "/mcp" && path !== MESSAGES) return void response.writeHead(404).end();
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body =
      text === "" ? undefined : (JSON.parse(text) as { method?: string; params?: { name?: string } });
    const isWrite = body?.method === "tools/call" && body.params?.name === "write";
    const requiredScopes = isWrite ? ["read", "write"] : ["read"];
    try {
      const { token } = await verifyBearerToken(request.headers.authorization, { verifier, requiredScopes });
      if (body?.method === "tools/call") shown.push(token);
    } catch (error) {
      const refusal = bearerAuthChallengeResponse(error, {
        requiredScopes,
        resourceMetadataUrl: metadataUrl,
      });
      response.writeHead(refusal.status, Object.fromEntries(refusal.headers));
      return void response.end(await refusal.text());
    }
    return era === "legacy"
      ? legacy(request, response, body)
      : modern(request as NodeIncomingMessageLike, response, body);
  };
  return {
    url,
    shown,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => void http.close(resolve));
    },
  };
}
