import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type GatewayProcess, startGateway } from "../deploy/gateway-process.fixture.ts";
import { curl, hasCurl } from "../services/curl.fixture.ts";
import { makeFolder } from "./published-servers.fixture.ts";

const [ADA, BEN] = ["ada-token-0123456789", "ben-token-0123456789"];
const everything = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const pid = resolve("test/journeys/pid-server.fixture.ts");
const auth = { gateway: { tokens: { ada: ADA, ben: BEN } } };

const config = {
  http: { port: 0, allowed_hosts: ["gateway.example"] },
  store: "memory",
  upstreams: {
    everything: { command: process.execPath, args: [everything, "stdio"], max_processes: 2, auth },
    pid: { command: process.execPath, args: ["--import", "tsx", pid], auth, budget: { tokens: 300 } },
  },
};

const both = ["-H", "Content-Type: application/json", "-H", "Accept: application/json, text/event-stream"];
const as = (token: string): string[] => ["-H", `Authorization: Bearer ${token}`];
const rpc = (method: string, params: object = {}, id: number | undefined = 1): string[] => [
  "-d",
  JSON.stringify({ jsonrpc: "2.0", id, method, params }),
];

const greeting = rpc("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "curl", version: "1" },
});

const version = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "curl", version: "1" },
};
const modern = (method: string, params: Record<string, unknown> = {}): string[] => [
  "-H",
  `MCP-Protocol-Version: ${version}`,
  "-H",
  `Mcp-Method: ${method}`,
  ...(typeof params["name"] === "string" ? ["-H", `Mcp-Name: ${params["name"]}`] : []),
  ...rpc(method, { ...params, _meta: meta }),
];

/** The last message of a body that is JSON or events. */
function messageIn(body: string): { result?: Record<string, unknown>; error?: { code: number } } {
  const events = body.split("\n").filter((line) => line.startsWith("data: {"));
  return JSON.parse(events.at(-1)?.slice("data: ".length) ?? body) as { result?: Record<string, unknown> };
}

describe.runIf(isFullRun && hasCurl())("curl in front of the gateway", () => {
  let gateway: GatewayProcess;
  const at = (path: string): string => `${gateway.origin}${path}`;
  beforeAll(async () => {
    gateway = await startGateway(["gateway", "--config", "FILE"], config, {});
  }, 60_000);
  afterAll(async () => {
    await gateway.stop();
  });

  const greet = async (token: string): Promise<string[]> => {
    const { status, headers } = await curl(...both, ...as(token), ...greeting, at("/everything/mcp"));
    expect(status).toBe(200);
    const session = ["-H", `Mcp-Session-Id: ${headers["mcp-session-id"]}`, ...as(token)];
    const notice = ["-d", '{"jsonrpc":"2.0","method":"notifications/initialized"}'];
    expect((await curl(...both, ...session, ...notice, at("/everything/mcp"))).status).toBe(202);
    return session;
  };

  it("speaks a session of the legacy era: greeting, list, call, progress, stream, end", async () => {
    const session = await greet(ADA);
    const url = at("/everything/mcp");
    const listed = messageIn((await curl(...both, ...session, ...rpc("tools/list"), url)).body);
    expect(JSON.stringify(listed)).toContain('"waybill_retrieve"');
    const echo = rpc("tools/call", { name: "echo", arguments: { message: "hi" } });
    const plain = await curl(...both, ...session, ...echo, url);
    expect(plain.headers["content-type"]).toBe("application/json");
    expect(messageIn(plain.body).result).toEqual({ content: [{ type: "text", text: "Echo: hi" }] });
    const long = rpc("tools/call", {
      name: "trigger-long-running-operation",
      arguments: { duration: 0.2, steps: 2 },
      _meta: { progressToken: "p" },
    });
    const streamed = await curl(...both, ...session, ...long, url);
    expect(streamed.headers["content-type"]).toBe("text/event-stream");
    expect(streamed.body).toMatch(/"notifications\/progress"[^]*"id":1/);
    const [, last = ""] = /^id: (\S+)$/m.exec(streamed.body) ?? [];
    const again = ["-H", "Accept: text/event-stream", "-H", `Last-Event-ID: ${last}`];
    expect((await curl(...session, ...again, url)).body).toContain('"id":1');
    expect((await curl(...session, "-X", "DELETE", url)).status).toBe(200);
    expect((await curl(...both, ...session, ...echo, url)).status).toBe(404);
  });

  it("is answered where it sends JSON on several lines, in either era", async () => {
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "curl", version: "1" } },
    };
    const pretty = ["--data-binary", JSON.stringify(message, undefined, 2).replaceAll("\n", "\r\n")];
    const greeted = await curl(...both, ...as(ADA), ...pretty, at("/everything/mcp"));
    expect([greeted.status, messageIn(greeted.body).result]).toMatchObject([200, { serverInfo: {} }]);
    const session = ["-H", `Mcp-Session-Id: ${greeted.headers["mcp-session-id"]}`, ...as(ADA)];
    expect((await curl(...session, "-X", "DELETE", at("/everything/mcp"))).status).toBe(200);
    const called = modern("tools/call", { name: "echo", arguments: { text: "two\u2028lines", ms: 0 } });
    const onLines = [
      ...called.slice(0, -1),
      JSON.stringify(JSON.parse(called.at(-1) ?? ""), undefined, "\t"),
    ];
    const said = await curl(
      ...both,
      ...as(ADA),
      ...onLines.with(onLines.length - 2, "--data-binary"),
      at("/pid/mcp"),
    );
    expect(messageIn(said.body).result).toMatchObject({ content: [{ text: "two\u2028lines" }] });
  });

  it("speaks requests of the modern era, whose results are cut to the budget and come back", async () => {
    const url = at("/pid/mcp");
    const call = (name: string, args: object): string[] => modern("tools/call", { name, arguments: args });
    const said = await curl(...both, ...as(ADA), ...call("echo", { text: "hi", ms: 0 }), url);
    expect(messageIn(said.body).result).toMatchObject({ content: [{ type: "text", text: "hi" }] });
    const text = "So it is written. ".repeat(500);
    const cut = await curl(...both, ...as(ADA), ...call("echo", { text, ms: 0 }), url);
    expect(cut.body.length).toBeLessThan(text.length);
    const [archive = ""] = /[0-9a-f]{64}/.exec(cut.body) ?? [];
    const rest = call("waybill_retrieve", { archive });
    expect((await curl(...both, ...as(ADA), ...rest, url)).body).toContain("So it is written.");
    expect((await curl(...both, ...as(BEN), ...rest, url)).body).toContain("NOT_FOUND");
    const unknown = await curl(...both, ...as(ADA), ...modern("no/such"), url);
    expect([unknown.status, messageIn(unknown.body).error?.code]).toEqual([404, -32601]);
    const wrong = modern("tools/list").with(3, "Mcp-Method: ping");
    expect((await curl(...both, ...as(ADA), ...wrong, url)).status).toBe(400);
  });

  it("is told what is wrong: no token, another host, another page, no path, too much, no JSON", async () => {
    const url = at("/pid/mcp");
    const ping = [...both, ...modern("ping")];
    const asked = await curl(...ping, url);
    expect([asked.status, asked.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="waybill"']);
    const mine = [...ping, ...as(ADA)];
    expect((await curl(...mine, "-H", "Host: evil.example", url)).status).toBe(403);
    expect((await curl(...mine, "-H", "Host: 10.0.0.9", url)).status).toBe(403);
    expect((await curl(...mine, "-H", "Host: gateway.example", url)).status).not.toBe(403);
    expect((await curl(...mine, "-H", "Origin: https://evil.example", url)).status).toBe(403);
    expect((await curl(...mine, at("/none/mcp"))).status).toBe(404);
    const large = join(makeFolder(), "large.json");
    writeFileSync(large, "x".repeat(5_000_000));
    const refused = await curl(...both, ...as(ADA), "--data-binary", `@${large}`, url);
    expect([refused.status, refused.headers["connection"]]).toEqual([413, "close"]);
    const broken = await curl(...both, ...as(ADA), "-d", "{oops", url);
    expect([broken.status, messageIn(broken.body).error?.code]).toEqual([400, -32700]);
    expect((await curl("-X", "PUT", ...as(ADA), url)).status).toBe(405);
  });

  it("is refused a process beyond its share, with the time to wait, while another caller gets one", async () => {
    // Two processes, so one for each of two callers. A stream keeps the first one in use.
    const session = await greet(ADA);
    const stream = curl(
      ...session,
      "-H",
      "Accept: text/event-stream",
      "--max-time",
      "6",
      at("/everything/mcp"),
    );
    await new Promise((done) => setTimeout(done, 500));
    const second = await curl(...both, ...as(ADA), ...greeting, at("/everything/mcp"));
    expect([second.status, second.headers["retry-after"]]).toEqual([503, "5"]);
    expect(second.body).toContain('"error_code":"UNAVAILABLE"');
    await greet(BEN);
    await curl(...session, "-X", "DELETE", at("/everything/mcp"));
    expect((await stream).status).toBe(200);
    await greet(ADA);
  });

  it("watches the gateway by any address: health, readiness, metrics", async () => {
    const byAddress = ["-H", "Host: 10.0.0.9:3333"];
    for (const path of ["/healthz", "/readyz", "/metrics"])
      expect((await curl(...byAddress, at(path))).status).toBe(200);
    expect((await curl("-H", "Host: evil.example", at("/metrics"))).status).toBe(403);
    expect((await curl(...byAddress, "-H", "Origin: https://evil.example", at("/metrics"))).status).toBe(403);
  });
});
