// Numbers that no double keeps, from a server in a process or behind a URL to a client on stdio or HTTP: byte for byte.
import { type AddressInfo } from "node:net";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { GatewayOptions } from "../../src/doors/gateway/gateway-options.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { LineClient } from "./gateway-recorder.fixture.ts";
import { gatewayArgs } from "./published-servers.fixture.ts";

/** Answers one message with the text of its answer; it runs in a process of its own too, so it needs nothing around it. */
function answerTo(line: string): string | undefined {
  const { id, method, params } = JSON.parse(line) as {
    id?: unknown;
    method: string;
    params?: { name?: string };
  };
  if (id === undefined) return undefined;
  const rows = Array.from(
    { length: 300 },
    (_, at) => `{"id":${9007199254740993n + BigInt(at) * 2n},"row":${at}}`,
  );
  const structure =
    params?.name === "fail" ? '{"order":9007199254740993}' : `{"rows":[${rows.join(",")}],"most":1e400}`;
  const tools = ["list", "fail"].map((name) => ({ name, inputSchema: { type: "object" } }));
  const results: Record<string, string> = {
    initialize:
      '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"exact","version":"1"}}',
    "tools/list": JSON.stringify({ tools }),
    "tools/call": `{"content":[],"isError":${params?.name === "fail"},"structuredContent":${structure}}`,
  };
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${results[method] ?? "{}"}}`;
}

const program = `${answerTo.toString()}
let rest = "";
process.stdin.on("data", (data) => {
  const lines = (rest + data).split("\\n");
  rest = lines.pop();
  for (const line of lines) { const answer = line && answerTo(line); if (answer) process.stdout.write(answer + "\\n"); }
});`;
const command = [process.execPath, "-e", program] as const;

async function urlUpstream(): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const answer = request.method === "POST" ? answerTo(body) : undefined;
      response.writeHead(answer === undefined ? (request.method === "POST" ? 202 : 405) : 200, {
        "content-type": "application/json",
      });
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

type Ask = (method: string, params: JsonObject) => Promise<string>;

async function overHttp(upstream: GatewayOptions["upstreams"][string]): Promise<Ask> {
  const gateway = createGateway({
    upstreams: { exact: upstream },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
    budget: { tokens: 600 },
  });
  onTestFinished(() => gateway.close().then(() => undefined));
  const { urls } = await gateway.listen();
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const send = async (message: JsonObject): Promise<string> => {
    const response = await fetch(urls["exact"] ?? "", {
      method: "POST",
      headers,
      body: JSON.stringify(message),
    });
    const session = response.headers.get("mcp-session-id");
    if (session !== null) headers["mcp-session-id"] = session;
    return response.text();
  };
  const clientInfo = { name: "journey", version: "1" };
  const greeting = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await send({ jsonrpc: "2.0", id: 0, method: "initialize", params: greeting });
  headers["mcp-protocol-version"] = "2025-06-18";
  await send({ jsonrpc: "2.0", method: "notifications/initialized" });
  let id = 0;
  return (method, params) => send({ jsonrpc: "2.0", id: ++id, method, params });
}

async function overStdio(): Promise<Ask> {
  const args = gatewayArgs(["--store", "memory", "--budget", "600"], command);
  const client = new LineClient({ command: process.execPath, args, env: {} });
  onTestFinished(() => client.close());
  await client.initialize();
  return async (method, params) => (await client.request(method, params)).raw;
}

const doors: Readonly<Record<string, () => Promise<Ask>>> = {
  "a process, for a client on stdio": overStdio,
  "a process, for a client over HTTP": () => overHttp({ command: command[0], args: command.slice(1) }),
  "a URL, for a client over HTTP": async () => overHttp({ url: await urlUpstream() }),
};

/** The 300 ids are odd numbers beyond 2^53, which are all rounded to even ones. */
const evenIdsIn = (raw: string): readonly string[] => raw.match(/\b9007199254\d{5}[02468]\b/g) ?? [];

describe.each(Object.keys(doors))("long numbers of a server in %s", (door) => {
  it("are exact in a cut, in its archive, in what is asked of it, and in a failure", async () => {
    const ask = (await doors[door]?.()) ?? (() => Promise.resolve(""));
    const call = (name: string, args: JsonObject = {}) => ask("tools/call", { name, arguments: args });
    const cut = await call("list");
    expect(cut).toContain("9007199254740993");
    const archive = /sha256:([0-9a-f]{64})/.exec(cut)?.[1] ?? "";
    const answers = [
      await ask("resources/read", { uri: `waybill://archive/${archive}` }),
      await call("waybill_retrieve", { archive, pointer: "/rows/299" }),
      await call("waybill_retrieve", { archive, match: { row: 299 } }),
      await call("waybill_retrieve", { archive, ids: ["9007199254741591"] }),
      await call("waybill_retrieve", { archive, select: "rows[-1].id" }),
    ];
    expect(answers.map((answer) => answer.includes("9007199254741591"))).toEqual(answers.map(() => true));
    const failed = await call("fail");
    expect(failed).toContain("9007199254740993");
    expect([cut, ...answers, failed].flatMap(evenIdsIn)).toEqual([]);
  });
});
