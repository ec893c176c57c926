// The end of a session, of the proxy, and of a client that leaves before its answer.

import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../engine/archive/memory-store.ts";
import { quick, sseOf } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { ask, call, json, later, long, open, said, stream } from "./proxy-http.fixture.ts";

describe("what was kept for a session", () => {
  it("goes when the session ends, and not before", async () => {
    const store = memoryStore();
    const { url } = await open(
      ({ method, json: { id } }, response) => {
        if (method === "DELETE") return void response.writeHead(200).end();
        const result = { jsonrpc: "2.0", id, result: said(long) };
        return void response.writeHead(200, json).end(JSON.stringify(result));
      },
      {},
      { store },
    );
    const kept = async (): Promise<number> => {
      const entries = [];
      for await (const entry of store.list()) entries.push(entry);
      return entries.length;
    };
    const headers = { "mcp-session-id": "s1" };
    // The first one is kept for no session: the server has not accepted the session's name yet.
    await ask(url, { body: call, headers }).answer;
    await ask(url, { body: call, headers }).answer;
    expect(await kept()).toBe(2);
    await ask(url, { method: "DELETE", headers: { "mcp-session-id": "s2" } }).answer;
    expect(await kept()).toBe(2);
    await ask(url, { method: "DELETE", headers }).answer;
    await expect.poll(kept, quick).toBe(1);
  });
});

describe("a proxy that closes", () => {
  it("lets a call that runs have its answer, and takes no other", async () => {
    const running: (() => void)[] = [];
    const { url, proxy } = await open(({ json: { id } }, response) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id, result: said("done") });
      running.push(() => void response.writeHead(200, json).end(body));
    });
    const first = ask(url, { body: { id: 1, method: "ping" } }).answer;
    await expect.poll(() => running.length, quick).toBe(1);
    const closed = proxy.close();
    expect((await ask(url, { body: { id: 2, method: "ping" } }).answer).status).toBe(503);
    for (const finish of running) finish();
    expect(await first).toMatchObject({ status: 200 });
    await closed;
  });
});

describe("a client that leaves", () => {
  const meta = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };

  it("closes its request at the server too, before and after the first event", async () => {
    for (const begin of [true, false]) {
      const gone: true[] = [];
      const { url, calls } = await open((_heard, response) => {
        if (begin) response.writeHead(200, stream).write(": open\n\n");
        response.on("close", () => gone.push(true));
      });
      const { leave, heard } = ask(url, { body: { ...call, params: { ...call.params, ...meta } } });
      await expect.poll(() => calls().length, quick).toBe(1);
      await expect.poll(heard, quick).toContain(begin ? "open" : "");
      leave();
      await expect.poll(() => gone, quick).toEqual([true]);
    }
  });

  it("of the legacy era gets the answer on a later stream, under the contract", async () => {
    const { url, calls } = await open(({ method, headers }, response) => {
      if (method === "POST") return void response.writeHead(200, stream).write("id: p1\ndata:\n\n");
      expect(headers["last-event-id"]).toBe("p1");
      return void response
        .writeHead(200, stream)
        .end(sseOf({ jsonrpc: "2.0", id: 1, result: said(long) }, "p2"));
    });
    const session = { "mcp-session-id": "s1" };
    const { leave, heard } = ask(url, { body: call, headers: session });
    await expect.poll(heard, quick).toContain("p1");
    leave();
    expect(calls()).toHaveLength(1);
    const resumed = await ask(url, { method: "GET", headers: { ...session, "last-event-id": "p1" } }).answer;
    expect(resumed.text).toContain("id: p2");
    expect(resumed.text).toContain("CONTENT_TRUNCATED");
    expect(resumed.text.length).toBeLessThan(20_000);
  });

  it("that is slow does not make the proxy hold what it has not taken", async () => {
    let written = 0;
    const piece = `: ${"x".repeat(65_000)}\n\n`;
    const { url } = await open((_heard, response) => {
      response.writeHead(200, stream);
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) written += piece.length;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const { request } = await import("node:http");
    const slow = request(url, { method: "GET", headers: { accept: "text/event-stream" } }).end();
    later(() => void slow.destroy());
    // The client does not read the response.
    await new Promise<void>(
      (resolve) => void slow.on("response", (response) => resolve(void response.pause())),
    );
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = before === written;
          before = written;
          return isStill;
        },
        { ...quick, interval: 150 },
      )
      .toBe(true);
    expect(written).toBeLessThan(40_000_000);
  });
});
