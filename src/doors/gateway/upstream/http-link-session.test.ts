import { describe, expect, it } from "vitest";
import { connect, call, good, json, stream } from "./http-link.fixture.ts";
import { type Handle, quick, sseOf } from "../../../engine/transport/http/raw-http-server.fixture.ts";

describe("a legacy session", () => {
  const greeting = {
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {} },
  };
  const agreed = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s" } };

  /** A sessionful server; `sessions` are those that it still knows. */
  function sessionful(
    answer: Handle,
    capabilities: () => object = () => agreed.capabilities,
    [status, body]: readonly [number, string] = [404, ""],
  ) {
    const sessions = new Set<string>();
    let made = 0;
    const handle: Handle = (heard, response, request) => {
      const { json: message, headers, method } = heard;
      if (message["method"] === "initialize") {
        const id = `session-${(made += 1)}`;
        sessions.add(id);
        const result = { ...agreed, capabilities: capabilities() };
        response.writeHead(200, { ...json, "mcp-session-id": id });
        return void response.end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], result }));
      }
      if (!sessions.has(String(headers["mcp-session-id"])))
        return void response.writeHead(status, json).end(body);
      if (method === "POST" && message["id"] === undefined) return void response.writeHead(202).end();
      return answer(heard, response, request);
    };
    return { sessions, handle };
  }

  const pong: Handle = ({ method, json: message }, response) => {
    if (method === "GET") return void response.writeHead(405).end();
    return void response
      .writeHead(200, json)
      .end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], result: {} }));
  };

  it("is named in every request, asked for its stream, and ended with a goodbye", async () => {
    const { sessions, handle } = sessionful(pong);
    const { send, heard, server, upstream } = await connect(handle);
    send(greeting);
    send({ method: "notifications/initialized" });
    send({ id: 1, method: "ping" });
    await expect.poll(() => heard.length, quick).toBe(2);
    await expect.poll(() => server.heard.length, quick).toBe(4);
    expect(server.heard[0]?.headers["mcp-session-id"]).toBeUndefined();
    const later = server.heard.slice(1);
    expect(later.map(({ headers }) => headers["mcp-session-id"])).toEqual(later.map(() => "session-1"));
    expect(later.map(({ headers }) => headers["mcp-protocol-version"])).toEqual(
      later.map(() => "2025-11-25"),
    );
    expect(sessions.size).toBe(1);
    await upstream.close();
    expect(server.heard.at(-1)?.method).toBe("DELETE");
  });

  it("gets its messages in the order they were sent in, however long each takes", async () => {
    const { handle } = sessionful(pong);
    const slow: Handle = (heard, response, request) =>
      void setTimeout(() => handle(heard, response, request), heard.json["id"] === undefined ? 30 : 0);
    const { send, heard, server } = await connect(slow);
    send(greeting);
    send({ method: "notifications/initialized" });
    send({ id: 1, method: "ping" });
    await expect.poll(() => heard.length, quick).toBe(2);
    const posted = server.heard.filter(({ method }) => method === "POST");
    expect(posted.map(({ body }) => (JSON.parse(body) as { method: string }).method)).toEqual([
      "initialize",
      "notifications/initialized",
      "ping",
    ]);
  });

  it("hears what the server says unasked, and asks again after the last event when the stream breaks", async () => {
    const told = (n: number): object => ({ jsonrpc: "2.0", method: "notifications/message", params: { n } });
    let streams = 0;
    const { handle } = sessionful((heard, response) => {
      if (heard.method !== "GET") return void response.writeHead(200, json).end();
      streams += 1;
      response.writeHead(200, stream).write(`retry: 50\n${sseOf(told(streams), `e${streams}`)}`);
      if (streams === 1) setTimeout(() => response.destroy(), 10);
      return undefined;
    });
    const { send, heard, server } = await connect(handle);
    send(greeting);
    send({ method: "notifications/initialized" });
    await expect.poll(() => heard.slice(1), quick).toEqual([told(1), told(2)]);
    const gets = server.heard.filter(({ method }) => method === "GET");
    expect(gets.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "e1"]);
  });

  it("gets an answer on a later stream, where the server ends the first one early", async () => {
    const { handle } = sessionful(({ method, headers }, response) => {
      if (method === "POST") return void response.writeHead(200, stream).end("id: p1\nretry: 50\ndata:\n\n");
      if (headers["last-event-id"] !== "p1") return void response.writeHead(405).end();
      return void response.writeHead(200, stream).end(sseOf(good, "p2"));
    });
    const { send, heard } = await connect(handle);
    send(greeting);
    await expect.poll(() => heard.length, quick).toBe(1);
    send(call);
    await expect.poll(() => heard[1], quick).toEqual(good);
  });

  it.each([
    [404, ""],
    [
      400,
      '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}',
    ],
  ])(
    "that the server has forgotten (%i) is opened again as it was, and nothing is lost",
    async (status, body) => {
      const { sessions, handle } = sessionful(pong, undefined, [status, body]);
      const { send, heard, restored, repeated, server } = await connect(handle);
      send(greeting);
      send({ method: "notifications/initialized" });
      send({ id: 1, method: "logging/setLevel", params: { level: "info" } });
      await expect.poll(() => heard.length, quick).toBe(2);
      sessions.clear();
      send({ id: 2, method: "ping" });
      send({ id: 3, method: "ping" });
      await expect
        .poll(() => heard.slice(2).map(({ id, result }) => [id, result]), quick)
        .toEqual(
          expect.arrayContaining([
            [2, {}],
            [3, {}],
          ]),
        );
      expect(restored).toEqual([true]);
      expect([...repeated].sort()).toEqual(["2", "3"]);
      const levels = server.heard.filter(({ body }) => body.includes("setLevel"));
      expect(levels.map(({ headers }) => headers["mcp-session-id"])).toEqual(["session-1", "session-2"]);
    },
  );

  it("ends when the server has forgotten it and is not what it was", async () => {
    let capabilities: object = agreed.capabilities;
    const { sessions, handle } = sessionful(pong, () => capabilities);
    const { send, heard, closed } = await connect(handle);
    send(greeting);
    await expect.poll(() => heard.length, quick).toBe(1);
    sessions.clear();
    capabilities = { prompts: {} };
    send({ id: 2, method: "ping" });
    await expect.poll(() => closed, quick).toEqual([expect.stringContaining("not the same as before")]);
  });
});
