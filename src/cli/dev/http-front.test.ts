import { once } from "node:events";
import { type Server, type ServerResponse, Agent, createServer, request as askHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { HttpFront } from "./http-front.ts";

type Answer = (message: JsonObject, response: ServerResponse) => void;

/** A process of the server, as far as a front sees it; `end` is its death. */
async function startProcess(answer: Answer) {
  const heard: string[] = [];
  const server: Server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const message = JSON.parse(text === "" ? "{}" : text) as JsonObject;
      const { method } = message;
      heard.push(typeof method === "string" ? method : "no method");
      answer(message, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const end = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(end);
  return { port: (server.address() as AddressInfo).port, heard, end };
}

const says =
  (text: string): Answer =>
  ({ id }, response) =>
    void response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, result: { says: text } }));

const event = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

async function openFront() {
  const front = new HttpFront((error) => {
    throw error;
  });
  onTestFinished(() => front.close());
  const { port } = await front.listen(0, "127.0.0.1");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const sockets = new Set<number | undefined>();
  const post = (message: object) =>
    new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const asked = askHttp(
        { host: "127.0.0.1", port, method: "POST", path: "/mcp", agent, headers },
        (answer) => {
          sockets.add(answer.socket.localPort);
          let text = "";
          answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
          answer.on("end", () => resolve({ status: answer.statusCode, text }));
        },
      );
      asked.once("error", reject);
      asked.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
    });
  return { front, port, post, sockets };
}

const call = { id: 1, method: "tools/call", params: { name: "say" } };

describe("the front of a server whose process is replaced", () => {
  it("keeps a client's connection from process to process; requests wait between two", async () => {
    const { front, post, sockets } = await openFront();
    const first = await startProcess(says("one"));
    front.ready(first.port);
    expect((await post(call)).text).toContain('"one"');
    front.leave();
    first.end();
    const waiting = post(call);
    const second = await startProcess(says("two"));
    front.ready(second.port);
    expect((await waiting).text).toContain('"two"');
    expect((await post(call)).text).toContain('"two"');
    expect(sockets.size).toBe(1);
  });

  it("says of a call whose process is gone that it may have run", async () => {
    const { front, post } = await openFront();
    const [first, second] = [await startProcess(() => undefined), await startProcess(says("two"))];
    front.ready(first.port);
    const lost = post(call);
    await vi.waitFor(() => expect(first.heard).toEqual(["tools/call"]));
    front.leave();
    first.end();
    front.ready(second.port);
    const { status, text } = await lost;
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      id: 1,
      error: { message: "The server was started again while this ran.", data: { executed: "unknown" } },
    });
    expect(second.heard).toEqual([]);
  });

  it("says of a call whose process ended by itself how it ended", async () => {
    const { front, post } = await openFront();
    const first = await startProcess(() => undefined);
    front.ready(first.port);
    const lost = post(call);
    await vi.waitFor(() => expect(first.heard).toEqual(["tools/call"]));
    first.end();
    front.down("The server ended with exit code 1.");
    const { status, text } = await lost;
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      id: 1,
      error: { message: "The server ended with exit code 1.", data: { executed: "unknown" } },
    });
  });

  it("asks the next process for what changes nothing", async () => {
    const { front, post } = await openFront();
    const [first, second] = [await startProcess(() => undefined), await startProcess(says("two"))];
    front.ready(first.port);
    const list = post({ id: 2, method: "tools/list" });
    await vi.waitFor(() => expect(first.heard).toEqual(["tools/list"]));
    front.leave();
    first.end();
    front.ready(second.port);
    expect((await list).text).toContain('"two"');
  });

  it("ends a stream that a process left with an error that has the id of its call", async () => {
    const { front, post } = await openFront();
    const first = await startProcess((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(event({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } }));
    });
    front.ready(first.port);
    const lost = post(call);
    await vi.waitFor(() => expect(first.heard).toEqual(["tools/call"]));
    front.leave();
    first.end();
    const { text } = await lost;
    expect(text).toContain("notifications/progress");
    expect(text).toContain('"id":1,"error"');
  });

  it("takes a subscription up again, and its client sees neither an end nor a second beginning", async () => {
    const { front, post } = await openFront();
    const listen = { id: "s1", method: "subscriptions/listen", params: { notifications: {} } };
    const opened: ServerResponse[] = [];
    const subscribing: Answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(event({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged" }));
      opened.push(response);
    };
    const [first, second] = [await startProcess(subscribing), await startProcess(subscribing)];
    front.ready(first.port);
    const heard = post(listen);
    await vi.waitFor(() => expect(opened).toHaveLength(1));
    front.leave();
    // As a process that is asked to end does.
    opened[0]?.end(event({ jsonrpc: "2.0", id: "s1", result: { resultType: "complete" } }));
    // Half an edit: a process that cannot be started.
    front.down("The server ended with exit code 1.");
    front.leave();
    front.ready(second.port);
    await vi.waitFor(() => expect(opened).toHaveLength(2));
    opened[1]?.write(event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
    opened[1]?.end(event({ jsonrpc: "2.0", id: "s1", result: { resultType: "complete" } }));
    const { text } = await heard;
    expect(text.match(/acknowledged/g)).toHaveLength(1);
    expect(text.match(/list_changed/g)).toHaveLength(1);
    expect(text.match(/"complete"/g)).toHaveLength(1);
  });

  it("refuses requests while the server does not run", async () => {
    const { front, post } = await openFront();
    front.down("The server ended with exit code 1.");
    const { status, text } = await post(call);
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining("does not run") },
    });
  });

  it("passes on the method, the status and the headers", async () => {
    const { front, port } = await openFront();
    const first = await startProcess((_, response) => void response.writeHead(202, { "x-own": "1" }).end());
    front.ready(first.port);
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "DELETE" });
    expect([answer.status, answer.headers.get("x-own")]).toEqual([202, "1"]);
    expect(first.heard).toEqual(["no method"]);
  });
});
