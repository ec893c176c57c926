import { describe, expect, it, vi } from "vitest";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { type LinkEnd, linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { type KnownEra, modernFace } from "./modern-face.ts";

const greeting = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "old", version: "1" },
};
const unknown = { code: -32601, message: "Method not found" };

/** A scripted server, and what a client hears of it through its modern face. */
function open(answers: Readonly<Record<string, object>>, era: KnownEra = { era: undefined }) {
  const asked: JsonObject[] = [];
  const ends: LinkEnd[] = [];
  const upstream = {
    name: "old",
    connect: (): Link => {
      const [ours, theirs] = linkPair();
      ends.push(theirs);
      theirs.listen({
        message: (bytes) => {
          const message = JSON.parse(bytes.toString()) as JsonObject;
          asked.push(message);
          const { id, method } = message;
          const answer = typeof method === "string" ? answers[method] : undefined;
          if (id !== undefined && answer !== undefined)
            theirs.send(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
        },
        oversized: () => undefined,
        closed: () => undefined,
      });
      return ours;
    },
    health: () => ({ state: "up", restarts: 0 }) as const,
    close: async () => undefined,
  };
  const face = modernFace(upstream, era, "1.0.0").connect({ principal: "anyone" });
  const heard: string[] = [];
  face.listen({
    message: (bytes) => void heard.push(bytes.toString()),
    oversized: () => undefined,
    closed: (why) => void heard.push(`closed: ${why}`),
  });
  const ask = async (id: number, method: string, params: object = {}): Promise<JsonObject> => {
    face.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const find = (): string | undefined => heard.find((line) => line.includes(`"id":${id},`));
    await vi.waitFor(() => expect(find()).toBeDefined());
    return JSON.parse(find() ?? "{}") as JsonObject;
  };
  return { face, heard, asked, ask, era, ends };
}

const old = { "server/discover": { error: unknown }, initialize: { result: greeting } };
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  traceparent: "00-1",
};

describe("a server of the legacy era as clients of the modern era see it", () => {
  it("answers server/discover with what it said to its greeting", async () => {
    const { ask, asked, era } = open(old);
    expect(await ask(1, "server/discover", { _meta: meta })).toMatchObject({
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        ttlMs: 0,
      },
    });
    expect(asked.map(({ method }) => method)).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
    ]);
    expect(era.era).toBe("legacy");
  });

  it("gets requests without what only the modern era knows, and its answers get what that era must say", async () => {
    const page = { result: { tools: [{ name: "a", big: 1 }], _meta: {} } };
    const { ask, asked } = open({ ...old, "tools/list": page, "tools/call": { result: {} } });
    expect(await ask(1, "tools/list", { _meta: meta })).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { resultType: "complete", ttlMs: 0, cacheScope: "private", ...page.result },
    });
    expect(await ask(2, "tools/call", { name: "a", _meta: meta })).toMatchObject({
      result: { resultType: "complete" },
    });
    const params = asked.at(-1)?.["params"];
    expect(isJsonObject(params) && params["_meta"]).toEqual({ traceparent: "00-1" });
  });

  it("says of a resource that is not there what the modern era says", async () => {
    const missing = { code: -32002, message: "Resource not found", data: { uri: "a://b" } };
    const { ask } = open({ ...old, "resources/read": { error: missing } });
    expect(await ask(1, "resources/read", { uri: "a://b" })).toMatchObject({
      error: { ...missing, code: -32602 },
    });
  });

  it("tells news on the stream of those who listen, and of what they asked for", async () => {
    const { face, heard, ends } = open(old);
    const listen = (id: number, notifications: object): void =>
      face.send(
        JSON.stringify({ jsonrpc: "2.0", id, method: "subscriptions/listen", params: { notifications } }),
      );
    listen(7, { toolsListChanged: true });
    listen(8, { promptsListChanged: true });
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    ends[0]?.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
    await vi.waitFor(() => expect(heard).toHaveLength(3));
    expect(JSON.parse(heard[2] ?? "")).toEqual({
      jsonrpc: "2.0",
      method: "notifications/tools/list_changed",
      params: { _meta: { "io.modelcontextprotocol/subscriptionId": 7 } },
    });
    face.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
    ends[0]?.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/prompts/list_changed" }));
    await vi.waitFor(() => expect(heard).toHaveLength(4));
    expect(heard[3]).toContain('"io.modelcontextprotocol/subscriptionId":8');
  });

  it("is closed where it refuses to be greeted", async () => {
    const { heard } = open({ ...old, initialize: { error: unknown } });
    await vi.waitFor(() => expect(heard).toEqual(["closed: the server refuses to be greeted"]));
  });
});

describe("a server of the modern era", () => {
  it("is left as it is, byte for byte, and is asked only once whether it is one", async () => {
    const raw = { result: { supportedVersions: ["2026-07-28"] } };
    const era: KnownEra = { era: undefined };
    const first = open({ "server/discover": raw, "tools/call": { result: { content: [] } } }, era);
    expect(await first.ask(1, "tools/call", { _meta: meta })).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { content: [] },
    });
    expect(first.asked.map(({ method }) => method)).toEqual(["server/discover", "tools/call"]);
    expect(first.asked[1]).toMatchObject({ params: { _meta: meta } });
    const second = open({ "tools/call": { result: {} } }, era);
    await second.ask(1, "tools/call");
    expect(second.asked.map(({ method }) => method)).toEqual(["tools/call"]);
  });
});
