import {
  Client as Client24,
  ClientCredentialsProvider as Provider24,
  StreamableHTTPClientTransport as Http24,
} from "@modelcontextprotocol/client";
import { ClientCredentialsProvider as Provider125 } from "mcp-sdk-1-25/client/auth-extensions.js";
import { Client as Client125 } from "mcp-sdk-1-25/client/index.js";
import { StreamableHTTPClientTransport as Http125 } from "mcp-sdk-1-25/client/streamableHttp.js";
import { ClientCredentialsProvider as Provider132 } from "mcp-sdk-1-32/client/auth-extensions.js";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { UrlUpstream } from "../../src/doors/gateway/gateway-options.ts";

const TOKEN = "the-token";
const WELL_KNOWN = "/.well-known/oauth-protected-resource/mcp";

interface SignInServer {
  readonly origin: string;
  /** What the authorization server was asked for tokens with. */
  readonly granted: URLSearchParams[];
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** A server with one tool that wants a token, its metadata, and the authorization server that gives tokens. */
async function serve(): Promise<SignInServer> {
  const granted: URLSearchParams[] = [];
  const json = (response: ServerResponse, body: object, status = 200): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    if (request.url === WELL_KNOWN)
      return json(response, {
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
        signed_metadata: "of.the.server",
        scopes_supported: ["read"],
      });
    if (request.url === "/.well-known/oauth-authorization-server")
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ["code"],
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic"],
      });
    if (request.url === "/token") {
      granted.push(new URLSearchParams(body));
      return json(response, { access_token: TOKEN, token_type: "Bearer", expires_in: 3_600 });
    }
    if (request.url !== "/mcp") return void response.writeHead(404).end();
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      const challenge = `Bearer error="invalid_token", resource_metadata="${origin}${WELL_KNOWN}", scope="read"`;
      return void response.writeHead(401, { "www-authenticate": challenge }).end();
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "safe", version: "1" },
      },
      "tools/list": { tools: [{ name: "read", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "signed in" }] },
    };
    if (id === undefined) return void response.writeHead(202).end();
    return json(response, { jsonrpc: "2.0", id, result: results[method] ?? {} });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return { origin, granted };
}

async function open(auth: UrlUpstream["auth"], trustProxy?: number) {
  const server = await serve();
  const gateway = createGateway({
    upstreams: { safe: { url: `${server.origin}/mcp`, auth } },
    http: { port: 0, trustProxy },
    store: "memory",
    logLevel: "silent",
  });
  onTestFinished(() => gateway.close());
  const { urls } = await gateway.listen();
  return { ...server, url: new URL(urls["safe"] ?? "") };
}

const clients = {
  "2.4.0": [Client24, Http24, Provider24],
  "1.32.2": [Client132, Http132, Provider132],
  "1.25.3": [Client125, Http125, Provider125],
} as const;

describe("signing in to the server behind the gateway", () => {
  it.each(Object.entries(clients))(
    "is possible for the client %s: it asks for a token for the address it calls",
    async (_version, [AnyClient, AnyHttp, AnyProvider]) => {
      const { url, granted, origin } = await open("passthrough");
      const authProvider = new AnyProvider({
        clientId: "c",
        clientSecret: "s",
        expectedIssuer: origin,
      });
      const Http = AnyHttp as unknown as new (to: URL, options: object) => Http24;
      const client = new (AnyClient as unknown as typeof Client24)({ name: "sign-in", version: "1" });
      await client.connect(new Http(url, { authProvider }));
      onTestFinished(() => client.close());
      const { content } = await client.callTool({ name: "read", arguments: {} });
      expect(content).toEqual([{ type: "text", text: "signed in" }]);
      expect(granted[0]?.get("resource")).toBe(url.href);
    },
  );

  it("begins with a challenge that leads to the gateway, and metadata of the address that was called", async () => {
    const { url, origin } = await open("passthrough", 1);
    const proxied = { "x-forwarded-proto": "https", host: url.host };
    const asked = await fetch(url, {
      method: "POST",
      headers: proxied,
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(asked.status).toBe(401);
    expect(asked.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", resource_metadata="https://${url.host}/.well-known/oauth-protected-resource/safe/mcp", scope="read"`,
    );
    const metadata = await fetch(new URL("/.well-known/oauth-protected-resource/safe/mcp", url));
    expect(await metadata.json()).toEqual({
      resource: url.href,
      authorization_servers: [origin],
      scopes_supported: ["read"],
    });
  });

  it("is no business of the gateway where no credentials pass: the challenge stays, and there is no metadata", async () => {
    const { url, origin } = await open("none");
    const asked = await fetch(url, { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
    expect(asked.headers.get("www-authenticate")).toContain(`resource_metadata="${origin}${WELL_KNOWN}"`);
    const metadata = await fetch(new URL("/.well-known/oauth-protected-resource/safe/mcp", url));
    expect(metadata.status).toBe(404);
  });
});
