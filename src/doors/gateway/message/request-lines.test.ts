import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { bridgeTo } from "../bridge/bridge.fixture.ts";
import { createGateway } from "../create-gateway.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { ask, json } from "../reverse-proxy/proxy-http.fixture.ts";

type Line = Record<string, unknown>;

/** A logger that keeps debug lines. */
function listening() {
  const lines: Line[] = [];
  const other: string[] = [];
  const quiet = (): void => undefined;
  const debug = (fields: object, event: string): void => {
    if (event === "request") lines.push(fields as Line);
    else other.push(event);
  };
  return { lines, logger: { debug, info: quiet, warn: quiet, error: quiet } };
}

const secretWord = "periwinkle";
const long = `The word is ${secretWord}. `.repeat(4_000);

/** A server at a URL: it cuts nothing itself, and knows no resources. */
async function gatewayTo(logLevel: GatewayOptions["logLevel"]) {
  const server = await serveRaw(({ json: { id, method, params } }, response) => {
    const tool = (params as { name?: string } | undefined)?.name;
    const outcome =
      method === "tools/list"
        ? { result: { tools: [{ name: "read", inputSchema: { type: "object" } }] } }
        : method === "tools/call"
          ? { result: { content: [{ type: "text", text: tool === "read" ? long : "short" }] } }
          : { error: { code: -32601, message: `no ${secretWord}` } };
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  });
  onTestFinished(server.close);
  const { lines, logger } = listening();
  const gateway = createGateway({
    upstreams: { notes: { url: server.url, probe: "off" } },
    http: { port: 0 },
    store: "memory",
    budget: { tokens: 1_000 },
    logger,
    ...(logLevel === undefined ? {} : { logLevel }),
  });
  onTestFinished(() => gateway.close());
  const { urls } = await gateway.listen();
  const send = (body: object) => ask(urls["notes"] ?? "", { body }).answer;
  return { lines, send };
}

const call = (name: string) => ({
  id: 1,
  method: "tools/call",
  params: { name, arguments: { about: secretWord } },
});

describe("the lines of --log-level debug", () => {
  it("tell each request with its outcome, and of a call what was changed, without what was said", async () => {
    const { lines, send } = await gatewayTo("debug");
    await send({ id: 7, method: "resources/list", params: { cursor: secretWord } });
    await send(call("read"));
    await send(call("peek"));
    await vi.waitFor(() => expect(lines.filter(({ method }) => method === "tools/call")).toHaveLength(2));
    const [list] = lines.filter(({ method }) => method === "resources/list");
    expect(list).toEqual({
      method: "resources/list",
      upstream: "notes",
      outcome: "error",
      code: -32601,
      duration_ms: expect.any(Number),
    });
    const [cut, small] = lines.filter(({ method }) => method === "tools/call");
    expect(cut).toMatchObject({ upstream: "notes", tool: "read", outcome: "success" });
    expect(cut?.["changed"]).toMatch(/fit: .*; archive: /);
    expect(cut).toMatchObject({ duration_ms: expect.any(Number), server_ms: expect.any(Number) });
    expect(small).toMatchObject({ tool: "peek", changed: "nothing" });
    expect(JSON.stringify(lines)).not.toContain(secretWord);
  });

  it.each(["info", undefined] as const)("are not written where the level is %s", async (level) => {
    const { lines, send } = await gatewayTo(level);
    await send({ id: 7, method: "resources/list" });
    await send(call("peek"));
    expect(lines).toEqual([]);
  });

  it("tell a request to a command when it is answered, and no notification", async () => {
    const { lines, logger } = listening();
    const { client } = bridgeTo(
      ({ id, method }) => (method === "ping" ? { jsonrpc: "2.0", id: id ?? null, result: {} } : undefined),
      { name: "files", logger, logLevel: "debug" },
    );
    client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    client.send('{"jsonrpc":"2.0","id":"a","method":"ping"}');
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(lines).toEqual([
      { method: "ping", upstream: "files", outcome: "success", duration_ms: expect.any(Number) },
    ]);
  });
});
