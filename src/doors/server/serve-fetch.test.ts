import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "mcp-sdk-1-32/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "mcp-sdk-1-32/client/streamableHttp.js";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { createContract } from "./create-contract.ts";
import { type FetchServer, type ServeFetchOptions, serveFetch } from "./serve-fetch.ts";

const inputSchema = z.object({});
const whoami = defineTool("whoami", { description: "Who calls", inputSchema }, (_args, ctx) => ({
  subject: ctx.auth?.subject ?? "nobody",
}));
const info = { name: "tasks", version: "1.0.0" } as const;
const base = { ...info, tools: [whoami], logLevel: "silent" } as const;
const address = "https://tools.example/mcp";
const open: FetchServer[] = [];

function start(options: Partial<ServeFetchOptions> = {}): FetchServer {
  const server = serveFetch({ ...base, ...options });
  open.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ close }) => close()));
});

interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const call = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "whoami" } });

function send(server: FetchServer, { method = "POST", url = address, headers, body = call }: Sent = {}) {
  const given = { "content-type": "application/json", accept: "application/json", ...headers };
  return server(new Request(url, { method, headers: given, ...(method === "POST" ? { body } : {}) }));
}

const through = (server: FetchServer) => async (url: string | URL, init?: RequestInit) =>
  server(new Request(url, init));

describe("serveFetch", () => {
  it("has resources, icons and the client's log as serve has them", async () => {
    const icons = [{ src: "https://tools.example/icon.png", mimeType: "image/png" }] as const;
    const server = start({
      icons,
      logging: true,
      register: (made) =>
        void made.registerResource("guide", "guides://one", {}, () => ({
          contents: [{ uri: "guides://one", text: "Begin here." }],
        })),
    });
    const client = new Client(
      { name: "new", version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { fetch: through(server) }));
    expect(client.getServerVersion()).toEqual({ ...info, icons });
    expect(client.getServerCapabilities()).toMatchObject({ logging: {}, resources: {} });
    const { contents } = await client.readResource({ uri: "guides://one" });
    expect(contents).toMatchObject([{ text: "Begin here." }]);
    await client.close();
  });

  it("answers clients of both eras under one name and version", async () => {
    const server = start({ title: "Tasks", instructions: "Ask for tasks." });
    const client = new Client(
      { name: "new", version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { fetch: through(server) }));
    expect([client.getServerVersion(), client.getInstructions()]).toEqual([
      { ...info, title: "Tasks" },
      "Ask for tasks.",
    ]);
    const answer = await client.callTool({ name: "whoami", arguments: {} });
    expect(answer.structuredContent).toMatchObject({ data: { subject: "nobody" } });
    await client.close();
    const old = new OldClient({ name: "old", version: "1.0.0" });
    await old.connect(new OldHttp(new URL(address), { fetch: through(server) }));
    expect((await old.listTools()).tools.map(({ name }) => name)).toContain("whoami");
    await old.close();
  });

  it("takes a contract that exists, and leaves it open", async () => {
    const contract = createContract(base);
    const server = serveFetch(contract, { auth: () => "ada" });
    expect(await (await send(server)).text()).toContain('"subject":"ada"');
    expect(server.contract).toBe(contract);
    await server.close();
    expect((await send(server)).status).toBe(503);
    const again = serveFetch(contract);
    expect((await send(again)).status).toBe(200);
    await again.close();
    await contract.close();
  });

  it("is a function that may be handed on, and lists the tools of its options", () => {
    const { contract } = start();
    expect(contract.tools.map(({ name }) => name)).toEqual(["whoami"]);
  });

  it("refuses what no tool should see", async () => {
    const server = start();
    expect((await send(server, { method: "PUT" })).status).toBe(405);
    expect((await send(server, { body: "{" })).status).toBe(400);
    expect((await send(server, { body: "x".repeat(4 * 1024 * 1024 + 1) })).status).toBe(413);
    expect((await send(server, { headers: { "content-length": "5000000" } })).status).toBe(413);
    const twoHosts = start({ allowedHosts: ["tools.example"] });
    expect((await send(twoHosts)).status).toBe(200);
    expect((await send(twoHosts, { url: "https://evil.example/mcp" })).status).toBe(403);
  });

  it("lets pages of this machine call, and others where they are named", async () => {
    const server = start({ allowedOrigins: ["app.example"] });
    const from = (origin: string) => ({ headers: { origin } });
    expect((await send(start(), from("http://localhost:5173"))).status).toBe(200);
    expect((await send(start(), from("https://tools.example"))).status).toBe(403);
    const answer = await send(server, from("https://app.example"));
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "https://app.example",
    ]);
    const asked = { origin: "https://app.example", "access-control-request-method": "POST" };
    const preflight = await send(server, { method: "OPTIONS", headers: asked });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([
      204,
      "GET, POST, DELETE",
    ]);
  });

  it("answers an error of its own with 500, and says in the log alone what it was", async () => {
    const logged: unknown[] = [];
    const note = (fields: object): void => void logged.push(fields);
    const auth = (): never => {
      throw new Error("the database of users is away");
    };
    const server = start({ auth, logLevel: "error", logger: { info: note, warn: note, error: note } });
    const answer = await send(server);
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining("database")]);
    expect(logged).toHaveLength(1);
  });
});

describe("sign-in behind a framework", () => {
  const jwt = { issuer: "https://id.example", audience: address, jwks: "https://id.example/keys" };

  it("tells a client where to sign in, by the address that it calls", async () => {
    const server = start({ auth: { jwt } });
    const refused = await send(server);
    const described = "https://tools.example/.well-known/oauth-protected-resource/mcp";
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="waybill", resource_metadata="${described}"`,
    ]);
    const metadata = await send(server, { method: "GET", url: described });
    expect(await metadata.json()).toEqual({
      resource: address,
      authorization_servers: [jwt.issuer],
      bearer_methods_supported: ["header"],
      resource_name: "tasks",
    });
    const other = "https://tools.example/.well-known/oauth-authorization-server";
    expect((await send(server, { method: "GET", url: other })).status).toBe(404);
  });
});

describe("the options of serveFetch", () => {
  const refusal = (make: () => unknown): string => {
    try {
      make();
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    [{ ...base, tools: [] }, 'serveFetch: "tools" is an empty list. Give at least one tool'],
    [{ ...base, alowedOrigins: [] }, '"alowedOrigins" is not a known key. Did you mean "allowedOrigins"?'],
    [{ ...base, http: 3000 }, '"http" is not a known key.'],
    [{ ...base, auth: true }, 'serveFetch: "auth" is true. Write a function'],
    [{ name: "tasks", tools: [whoami] }, 'serveFetch: "version" is missing.'],
  ])("refuse %j", (options, why) => {
    expect(refusal(() => serveFetch(options as never))).toContain(why);
  });

  it("need a name and a version of a contract, and a sign-in for scopes", () => {
    const nameless = createContract({ tools: [whoami], logLevel: "silent" });
    expect(refusal(() => serveFetch(nameless))).toContain("serveFetch: The contract has no name");
    const write = defineTool("write", { description: "Writes", scopes: ["w"] }, () => ({}));
    expect(refusal(() => serveFetch({ ...base, tools: [write] }))).toContain(
      "serveFetch: Tool write needs w, but no setting checks who calls over HTTP.",
    );
  });
});
