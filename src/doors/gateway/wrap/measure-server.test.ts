import { describe, expect, it } from "vitest";
import { linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import { askServer } from "./measure-server.ts";

type Request = {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly cursor?: string; readonly _meta?: object };
};
type Answer = { readonly result: object } | { readonly error: object } | undefined;

/** Asks a server in memory that answers as told. */
async function ask(answer: (request: Request) => Answer, timeoutMs = 5_000) {
  const [client, server] = linkPair();
  const seen: Request[] = [];
  server.listen({
    message: (bytes) => {
      const request = JSON.parse(bytes.toString()) as Request;
      seen.push(request);
      const answered = request.id === undefined ? undefined : answer(request);
      if (answered !== undefined)
        server.send(JSON.stringify({ jsonrpc: "2.0", id: request.id, ...answered }));
    },
    oversized: () => undefined,
    closed: () => undefined,
  });
  try {
    return { lists: await askServer(client, { version: "1.0.0", timeoutMs }), seen };
  } catch (error) {
    return { failed: (error as Error).message, seen };
  }
}

const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });

describe("asking a server for its tools", () => {
  it("greets it, says so, and follows every page", async () => {
    const { lists, seen } = await ask(({ method, params }) => {
      if (method === "initialize") return { result: { instructions: "be kind" } };
      return {
        result:
          params?.cursor === undefined ? { tools: [tool("a")], nextCursor: "2" } : { tools: [tool("b")] },
      };
    });
    expect(lists).toEqual({ tools: [tool("a"), tool("b")], instructions: "be kind" });
    expect(seen.map(({ method }) => method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/list",
    ]);
  });

  it("asks a modern server in its own way", async () => {
    const { lists, seen } = await ask(({ method }) => {
      if (method === "initialize") return { error: { code: -32022, message: "unsupported version" } };
      return { result: method === "server/discover" ? { instructions: "modern" } : { tools: [tool("a")] } };
    });
    expect(lists).toEqual({ tools: [tool("a")], instructions: "modern" });
    expect(seen.at(-1)?.params?._meta).toMatchObject({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    });
  });

  it("takes a server that knows no tools/list for one without tools", async () => {
    const { lists } = await ask(({ method }) =>
      method === "initialize" ? { result: {} } : { error: { code: -32601, message: "no" } },
    );
    expect(lists).toEqual({ tools: [], instructions: "" });
  });

  it("does not wait for ever, nor follow pages without end", async () => {
    expect(await ask(() => undefined, 20)).toMatchObject({ failed: "it did not answer within 0.02 s" });
    const { seen } = await ask(() => ({ result: { tools: [], nextCursor: "again" } }));
    expect(seen.length).toBeLessThan(70);
  });

  it("says why it was refused, and that the server went away", async () => {
    expect(await ask(() => ({ error: { code: 1, message: "not today" } }))).toMatchObject({
      failed: "it refused initialize: not today",
    });
    const [client, server] = linkPair();
    server.listen({ message: () => server.close(), oversized: () => undefined, closed: () => undefined });
    await expect(askServer(client, { version: "1", timeoutMs: 5_000 })).rejects.toThrow(
      "the other end closed",
    );
  });
});
