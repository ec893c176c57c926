// A server of one's own that takes the tokens of a real authorization server: a client without a token finds its way, and
// a call that needs more than was granted is refused until a person has granted it.

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import {
  Client,
  type OAuthClientProvider,
  type OAuthClientMetadata,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  auth as signIn,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool, serve, type Served } from "../../src/doors/server/index.ts";
import {
  type AuthorizationServer,
  browse,
  startAuthorizationServer,
} from "./authorization-server.fixture.ts";

const CALLBACK = "http://127.0.0.1:9/callback";
const desk = { client_id: "desk" };
const inputSchema = z.object({});
const tools = [
  defineTool("whoami", { description: "Who calls", inputSchema }, (_args, ctx) => ({
    subject: ctx.auth?.subject ?? "nobody",
    scopes: [...(ctx.auth?.scopes ?? [])].sort(),
  })),
  defineTool("issued", { description: "What the issuer says of the caller" }, (_args, ctx) => ({
    claims: { ...ctx.auth?.claims },
    tenant: ctx.tenant ?? "",
  })),
  defineTool("task_create", { description: "A new task", inputSchema, scopes: ["tasks:write"] }, () => ({
    created: "t-1",
  })),
];

/** A port on which nothing listens at the moment: tokens are for an address that must be known before the start. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

let authorization: AuthorizationServer;
let served: Served;
let url = "";
const logged: string[] = [];

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  authorization = await startAuthorizationServer({
    resource: () => url,
    accessSeconds: 60,
    tokens: "jwt",
    scope: "tasks:read tasks:write",
    // A client that registers itself gets no other scopes than those it registers with.
    clients: [{ ...desk, redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" }],
  });
  const issuer = authorization.origin;
  const note = (line: unknown): void => void logged.push(JSON.stringify(line));
  served = await serve({
    name: "tasks",
    version: "1.0.0",
    title: "Tasks",
    tools,
    config: false,
    logLevel: "debug",
    logger: { debug: note, info: note, warn: note, error: note },
    http: port,
    tenant: ({ auth }) => auth?.claims && `client:${JSON.stringify(auth.claims["client_id"])}`,
    auth: { jwt: { issuer, jwks: `${issuer}/jwks`, audience: url } },
  });
});
afterAll(async () => {
  await served?.close();
  await authorization?.close();
});

/** A person with a browser, and what a client keeps for them. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: "journey",
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: "none",
  };
  /** The scopes of each request for consent. */
  readonly asked: (string | null)[] = [];
  answer = new URLSearchParams();
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;

  /** Without a client, one is registered. */
  constructor(client?: StoredOAuthClientInformation) {
    this.#client = client;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }
  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
  async redirectToAuthorization(address: URL): Promise<void> {
    this.asked.push(address.searchParams.get("scope"));
    const { addresses } = await browse(address.href, (next) => next.startsWith(CALLBACK));
    this.answer = new URL(addresses.at(-1) ?? "").searchParams;
  }
}

async function connect(
  person: Person,
): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: person });
  const client = new Client({ name: "journey", version: "1.0.0" });
  await client.connect(transport);
  return { client, transport };
}

/** A person who has signed in, and granted these scopes. */
async function signedIn(scope: string): Promise<Person> {
  const person = new Person(desk);
  expect(await signIn(person, { serverUrl: url, scope })).toBe("REDIRECT");
  const [authorizationCode, iss] = [person.answer.get("code") ?? "", person.answer.get("iss") ?? ""];
  expect(await signIn(person, { serverUrl: url, scope, authorizationCode, iss })).toBe("AUTHORIZED");
  return person;
}

const dataOf = (result: { structuredContent?: unknown }): unknown =>
  (result.structuredContent as { data?: unknown } | undefined)?.data;

function post(token: string | undefined, name: string): Promise<Response> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name, arguments: {} },
  });
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return fetch(url, { method: "POST", headers, body });
}

describe("a server that takes the tokens of an authorization server", () => {
  it("tells a client without a token where to sign in", async () => {
    const refused = await post(undefined, "whoami");
    const { origin, pathname } = new URL(url);
    const described = `${origin}/.well-known/oauth-protected-resource${pathname}`;
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="waybill", resource_metadata="${described}"`,
    ]);
    const metadata = await fetch(described);
    expect([metadata.status, await metadata.json()]).toEqual([
      200,
      {
        resource: url,
        authorization_servers: [authorization.origin],
        bearer_methods_supported: ["header"],
        scopes_supported: ["tasks:write"],
        resource_name: "Tasks",
      },
    ]);
  });

  it("lets a client of the SDK sign a person in from nothing but its address", async () => {
    const person = new Person();
    const first = new StreamableHTTPClientTransport(new URL(url), { authProvider: person });
    const lost = new Client({ name: "journey", version: "1.0.0" });
    await expect(lost.connect(first)).rejects.toThrow(UnauthorizedError);
    await first.finishAuth(person.answer);
    await lost.close();
    const { client } = await connect(person);
    const answer = await client.callTool({ name: "whoami", arguments: {} });
    expect(dataOf(answer)).toEqual({ subject: "ada", scopes: ["tasks:write"] });
    await client.close();
  });

  it("refuses a call whose scope was not granted, and answers it once it is", async () => {
    const person = await signedIn("tasks:read");
    const { client, transport } = await connect(person);
    expect(dataOf(await client.callTool({ name: "whoami", arguments: {} }))).toEqual({
      subject: "ada",
      scopes: ["tasks:read"],
    });
    // The client asks for consent by itself: to what it had, and to what the refusal names.
    await expect(client.callTool({ name: "task_create", arguments: {} })).rejects.toThrow(UnauthorizedError);
    expect(person.asked.at(-1)?.split(" ").sort()).toEqual(["tasks:read", "tasks:write"]);
    await transport.finishAuth(person.answer);
    expect(dataOf(await client.callTool({ name: "task_create", arguments: {} }))).toEqual({ created: "t-1" });
    await client.close();
  });

  it("says over HTTP which scope is missing, and to a model what to do", async () => {
    const token = (await signedIn("tasks:read")).tokens()?.access_token ?? "";
    const refused = await post(token, "task_create");
    const challenge = refused.headers.get("www-authenticate") ?? "";
    expect(refused.status).toBe(403);
    expect(challenge).toContain(
      'error="insufficient_scope", scope="tasks:write", resource_metadata="http://',
    );
    expect(await refused.json()).toEqual({
      jsonrpc: "2.0",
      id: 7,
      error: {
        code: -32000,
        message: "Forbidden: task_create needs the scope tasks:write, which this sign-in does not have",
        data: {
          error_code: "FORBIDDEN",
          error_type: "authorization",
          remediation:
            "Ask the user to sign in again and to grant the scope tasks:write, or go on without task_create.",
          details: { required_scopes: ["tasks:write"], missing_scopes: ["tasks:write"] },
          required_permission: "tasks:write",
          executed: "no",
        },
      },
    });
    expect((await post(token, "whoami")).status).toBe(200);
  });

  it("gives handlers and settings the verified claims of the token, and logs none", async () => {
    const person = await signedIn("tasks:read");
    const { client } = await connect(person);
    const answer = await client.callTool({ name: "issued", arguments: {} });
    const said = dataOf(answer) as { claims: Record<string, unknown>; tenant: string };
    const { origin: iss } = authorization;
    expect(said.claims).toMatchObject({ iss, aud: url, sub: "ada", client_id: "desk", scope: "tasks:read" });
    expect(said.tenant).toBe(`client:"desk"`);
    expect(said.claims["jti"]).toMatch(/^.{8}/);
    expect(logged.join("\n")).not.toContain(said.claims["jti"]);
    await client.close();
  });

  it("refuses a token that was changed on its way, and logs no token at all", async () => {
    const token = (await signedIn("tasks:write")).tokens()?.access_token ?? "";
    const [head = "", claims = "", signature = ""] = token.split(".");
    const other = Buffer.from(claims, "base64url").toString().replace('"ada"', '"eve"');
    const forged = [head, Buffer.from(other).toString("base64url"), signature].join(".");
    expect(other).toContain("eve");
    const refused = await post(forged, "whoami");
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
    expect(await refused.text()).not.toContain(forged);
    for (const secret of [token, forged, ...authorization.secrets])
      expect(logged.join("\n")).not.toContain(secret);
  });
});
