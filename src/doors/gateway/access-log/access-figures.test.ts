import { describe, expect, it, onTestFinished, vi } from "vitest";
import { loadCounter } from "../../../core/tokens/token-counter.ts";
import { serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { createGateway } from "../create-gateway.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { answer, ask, call, later, tools } from "../reverse-proxy/proxy-http.fixture.ts";
import type { AccessLine } from "./access-line.ts";

const listed = answer({ tools });

/** A gateway over HTTP in front of a server whose one tool gives this result; what it says of the call. */
async function sayOf(result: object, more: Partial<GatewayOptions> = {}) {
  const server = await serveRaw((heard, response, request) => {
    const isList = heard.json["method"] === "tools/list";
    return (isList ? listed : answer(result))(heard, response, request);
  });
  later(server.close);
  const lines: AccessLine[] = [];
  const debugged: object[] = [];
  const log = (fields: object): void => void debugged.push(fields);
  const gateway = createGateway({
    upstreams: { files: { url: server.url, probe: "off" } },
    http: { port: 0 },
    store: "memory",
    accessLog: (line) => lines.push(line),
    logLevel: "debug",
    logger: { debug: log, info: log, warn: log, error: log },
    ...more,
  });
  onTestFinished(() => gateway.close());
  const { urls } = await gateway.listen();
  const { text } = await ask(urls["files"] ?? "", { body: call }).answer;
  return { gateway, lines, debugged, text };
}

const word = "größer, ";
const textOf = (bytes: number): string => word.repeat(Math.ceil(bytes / Buffer.byteLength(word)));
const blocksOf = (...texts: readonly string[]) => ({
  content: texts.map((text) => ({ type: "text", text })),
});

describe("the bytes of a result in the access log and in the lines of debug", () => {
  it.each<[string, readonly string[], Partial<GatewayOptions>]>([
    ["of one text below a MiB", [textOf(492_923)], {}],
    ["of one text beyond it, which is cut in a thread", [textOf(1_248_958)], {}],
    ["of one that passes as it is", [textOf(1_248_958)], { budget: { tokens: 2_000_000, bytes: 8_000_000 } }],
    ["of forty texts", Array.from({ length: 40 }, () => textOf(30_000)), {}],
  ])("are those that the server sent: %s", async (_, texts, more) => {
    const { lines, debugged, text } = await sayOf(blocksOf(...texts), more);
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    const bytes = texts.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
    const { content } = (JSON.parse(text) as { result: { content: { text: string }[] } }).result;
    const sent = content.reduce((sum, one) => sum + Buffer.byteLength(one.text), 0);
    expect(lines).toMatchObject([{ bytes_in: bytes, bytes_out: sent }]);
    expect(debugged).toContainEqual(expect.objectContaining({ bytes_in: bytes, bytes_out: sent }));
  });
});

const refusal = "MCP error -32602: Tool nope not found";
const refused = { ...blocksOf(refusal), isError: true };

describe("a result that refuses an unknown tool", () => {
  it("has its bytes and tokens in the access log", async () => {
    const { lines } = await sayOf(refused);
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    const tokens = (await loadCounter()).count(refusal);
    expect(lines).toMatchObject([
      { outcome: "failure", code: "NOT_FOUND", bytes_in: refusal.length, tokens_in: tokens },
    ]);
  });

  it("has its tokens in the summary of a gateway without an access log", async () => {
    const { gateway } = await sayOf(refused, { accessLog: undefined });
    const tokens = (await loadCounter()).count(refusal);
    expect(await gateway.summary()).toMatchObject({ calls: 1, tokensIn: tokens });
  });
});
