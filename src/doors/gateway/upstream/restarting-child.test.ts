import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { turns, until } from "../../../engine/transport/until.fixture.ts";
import type { ChildLink } from "../../../engine/transport/child-process.ts";
import { type LinkEnd, linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import { childUpstream } from "./child-upstream.ts";
import { RestartingChild } from "./restarting-child.ts";
import { scriptedServer } from "../../../engine/transport/scripted-server.fixture.ts";
import type { Upstream } from "./upstream.ts";

const open: { readonly upstream: Upstream; readonly folder: string }[] = [];

afterEach(async () => {
  for (const { upstream, folder } of open.splice(0)) {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

function connect(later = "", options: { readonly startTimeoutMs?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "waybill-restart-"));
  const starts = join(folder, "starts");
  const notes: string[] = [];
  const upstream = childUpstream(
    "scripted",
    { ...scriptedServer, env: { STARTS: starts, LATER: later }, ...options },
    { note: (line) => notes.push(line), firstPauseMs: 5 },
  );
  open.push({ upstream, folder });
  const heard: JsonObject[] = [];
  const events: string[] = [];
  const link = upstream.connect({ principal: "local" });
  link.listen({
    message: (bytes) => heard.push(JSON.parse(bytes.toString()) as JsonObject),
    oversized: () => undefined,
    closed: (why) => events.push(`closed: ${why}`),
    interrupted: ({ reason }) => events.push(`interrupted: ${reason}`),
    restored: () => events.push("restored"),
  });
  const send = (message: object): void => link.send(Buffer.from(JSON.stringify(message)));
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<JsonObject> => {
    id += 1;
    const asked = id;
    send({ jsonrpc: "2.0", id: asked, method, params });
    await until(() => heard.some((message) => message["id"] === asked && message["method"] === undefined));
    return heard.find((message) => message["id"] === asked) ?? {};
  };
  const call = (name: string): void =>
    send({ jsonrpc: "2.0", id: 1_000, method: "tools/call", params: { name, arguments: {} } });
  const greet = async (): Promise<void> => {
    await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} });
    send({ jsonrpc: "2.0", method: "notifications/initialized" });
  };
  return {
    upstream,
    link,
    heard,
    events,
    notes,
    send,
    ask,
    call,
    greet,
    starts: () => readFileSync(starts).length,
  };
}

describe("a server that dies", () => {
  it("is started again and hears what the old process had heard", async () => {
    const { ask, call, greet, events, heard, upstream, starts } = connect();
    await greet();
    await ask("logging/setLevel", { level: "debug" });
    await ask("logging/setLevel", { level: "error" });
    await ask("resources/subscribe", { uri: "a:1" });
    await ask("resources/subscribe", { uri: "a:2" });
    await ask("resources/unsubscribe", { uri: "a:1" });
    await ask("tools/list");
    call("crash");
    await until(() => events.includes("restored"));
    expect(events).toEqual(["interrupted: the server stopped (exit code 3)", "restored"]);
    expect(upstream.health()).toMatchObject({ state: "up", restarts: 1 });
    const { result } = await ask("tools/call", { name: "seen" });
    expect(
      JSON.parse(((result as JsonObject)["content"] as readonly { text: string }[])[0]?.text ?? ""),
    ).toEqual([
      "initialize",
      "notifications/initialized",
      "logging/setLevelerror",
      "resources/subscribea:2",
      "tools/list",
    ]);
    expect(starts()).toBe(2);
    // The same tools as before, so no client is told; and no answer to what was said again.
    expect(heard.filter((message) => message["method"] !== undefined)).toEqual([]);
    expect(heard.filter(({ id }) => typeof id === "string")).toEqual([]);
  });

  it("tells that its tools have changed where the new process lists others", async () => {
    const { ask, call, greet, heard } = connect("tools");
    await greet();
    await ask("tools/list");
    call("crash");
    await until(() => heard.some(({ method }) => method !== undefined));
    expect(heard.at(-1)).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  });

  it("ends the connection where the new process greets in another way", async () => {
    const { call, greet, events } = connect("other");
    await greet();
    call("crash");
    await until(() => events.length === 2);
    expect(events[1]).toBe("closed: the server came back with another version, capabilities or instructions");
  });

  it("never gets the answer to a request of the process before it", async () => {
    const { ask, call, greet, events, heard, send } = connect();
    await greet();
    call("ask");
    await until(() => heard.some(({ method }) => method === "roots/list"));
    const first = heard.find(({ method }) => method === "roots/list")?.["id"];
    call("crash");
    await until(() => events.includes("restored"));
    call("ask");
    await until(() => heard.filter(({ method }) => method === "roots/list").length === 2);
    const second = heard.findLast(({ method }) => method === "roots/list")?.["id"];
    expect(first).toBe(1);
    expect(second).not.toBe(1);
    send({ jsonrpc: "2.0", id: first, result: { roots: ["old"] } });
    send({ jsonrpc: "2.0", id: second, result: { roots: ["new"] } });
    await until(() => heard.some(({ id, result }) => id === 1_000 && result !== undefined));
    expect(JSON.stringify(heard.find(({ id, result }) => id === 1_000 && result !== undefined))).toContain(
      "new",
    );
    const { result } = await ask("tools/call", { name: "seen" });
    expect(JSON.stringify(result)).not.toContain("old");
  });

  it("again and again is waited for longer each time", async () => {
    const { call, greet, events, notes } = connect("dead");
    await greet();
    call("crash");
    await until(() => events.length >= 3);
    const pauses = notes.flatMap((note) => /again in (\d+) ms/.exec(note)?.[1] ?? []);
    expect(pauses.slice(0, 3)).toEqual(["5", "10", "20"]);
  });
});

describe("a server that never worked", () => {
  it("is not started again: the link closes and says why", async () => {
    const { upstream, events } = (() => {
      const heard: string[] = [];
      const made = childUpstream("none", { command: "/no/such/command" }, { note: () => undefined });
      open.push({ upstream: made, folder: mkdtempSync(join(tmpdir(), "waybill-restart-")) });
      made.connect({ principal: "local" }).listen({
        message: () => undefined,
        oversized: () => undefined,
        closed: (why) => heard.push(why),
      });
      return { upstream: made, events: heard };
    })();
    await until(() => events.length === 1);
    await turns();
    expect(events).toEqual(["the server could not be started: its command was not found"]);
    expect(upstream.health().state).toBe("down");
  });

  it("does not make its upstream count as down while another connection is up", async () => {
    const { greet, upstream } = connect("dead");
    await greet();
    const closed: string[] = [];
    upstream.connect({ principal: "local" }).listen({
      message: () => undefined,
      oversized: () => undefined,
      closed: (why) => closed.push(why),
    });
    await until(() => closed.length === 1);
    expect(upstream.health()).toEqual({ state: "up", restarts: 0 });
  });

  it("has some time for its first answer, and no more", async () => {
    const { call, events } = connect("", { startTimeoutMs: 300 });
    call("hang");
    await until(() => events.length === 1);
    expect(events).toEqual(["closed: the server did not answer within 300 ms"]);
  });
});

interface Started {
  readonly server: LinkEnd;
  readonly gone: () => void;
}

/** Processes in memory: each is asked to end by `close` or `stop`, and is gone when the test says so. */
function inMemory() {
  const starts: Started[] = [];
  const asked: string[] = [];
  const start = (): ChildLink => {
    const [ours, server] = linkPair();
    let gone = (): void => undefined;
    const ended = new Promise<void>((resolve) => (gone = resolve));
    starts.push({ server, gone: () => gone() });
    return {
      ended,
      send: (message) => ours.send(message),
      listen: (listener) => ours.listen(listener),
      close: () => ours.close(),
      stop: () => asked.push("stop"),
    };
  };
  return { starts, asked, start };
}

describe("a server whose process takes its time to end", () => {
  it("is not started again beside it", async () => {
    const { starts, start } = inMemory();
    const child = new RestartingChild({ start, firstPauseMs: 1, note: () => undefined });
    const heard: string[] = [];
    child.listen({
      message: () => heard.push("message"),
      oversized: () => undefined,
      closed: () => undefined,
      interrupted: () => heard.push("interrupted"),
    });
    starts[0]?.server.send('{"jsonrpc":"2.0","method":"notifications/message"}');
    await until(() => heard.length === 1);
    starts[0]?.server.close();
    await until(() => heard.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(starts).toHaveLength(1);
    starts[0]?.gone();
    await until(() => starts.length === 2);
    child.close();
    starts[1]?.gone();
  });
});

describe("a server that writes the members of its messages in the order of the alphabet", () => {
  it("is known again after a restart, as are its requests", async () => {
    const { starts, start } = inMemory();
    const heard: string[] = [];
    const child = new RestartingChild({ start, firstPauseMs: 1, note: () => undefined });
    child.listen({
      message: (bytes) => heard.push(bytes.toString()),
      oversized: () => undefined,
      closed: () => undefined,
      restored: () => heard.push("restored"),
    });
    const server = (at: number): LinkEnd | undefined => starts[at]?.server;
    child.send('{"jsonrpc":"2.0","id":1,"method":"initialize"}');
    server(0)?.send('{"id":1,"jsonrpc":"2.0","result":{}}');
    await until(() => heard.length === 1);
    server(0)?.close();
    starts[0]?.gone();
    await until(() => server(1)?.heard.length === 1);
    server(1)?.send('{"id":"waybill-replay-greeting","jsonrpc":"2.0","result":{}}');
    server(1)?.send('{"id":7,"jsonrpc":"2.0","method":"roots/list"}');
    await until(() => heard.length === 3);
    expect(heard.slice(1)).toEqual([
      "restored",
      '{"id":"waybill-process-2-7","jsonrpc":"2.0","method":"roots/list"}',
    ]);
    child.close();
    starts[1]?.gone();
  });
});

describe("a server whose code is edited", () => {
  function edit() {
    const { starts, asked, start } = inMemory();
    const heard: unknown[] = [];
    const notes: string[] = [];
    const child = new RestartingChild({ start, isEdited: true, note: (text) => notes.push(text) });
    child.listen({
      message: (bytes) => heard.push(bytes.toString()),
      oversized: () => undefined,
      closed: () => heard.push("closed"),
      interrupted: ({ retryInMs }) => heard.push(["interrupted", retryInMs]),
      restored: () => heard.push("restored"),
    });
    const end = (at: number): void => {
      starts[at]?.server.close();
      starts[at]?.gone();
    };
    return { child, starts, asked, heard, notes, end };
  }

  it("is restarted once for all that ask before its old process has ended, and again for who asks later", async () => {
    const { child, starts, asked, heard, end } = edit();
    for (let at = 0; at < 3; at++) child.restart();
    expect(asked).toEqual(["stop"]);
    starts[0]?.server.send("{}");
    await until(() => heard.length === 1);
    end(0);
    await until(() => starts.length === 2);
    expect(heard).toEqual(["{}", ["interrupted", 0], "restored"]);
    child.restart();
    expect(asked).toEqual(["stop", "stop"]);
    end(1);
    await until(() => starts.length === 3);
    end(2);
  });

  it("is not started again after it was closed", async () => {
    const { child, starts, end } = edit();
    child.restart();
    child.close();
    child.restart();
    end(0);
    await child.ended();
    await turns();
    expect(starts).toHaveLength(1);
  });

  it("waits for the next edit if it dies, however soon, and may then greet differently", async () => {
    const { child, starts, heard, notes, end } = edit();
    const greeting = (id: unknown, version: string): string =>
      JSON.stringify({ jsonrpc: "2.0", id, result: { serverInfo: { name: "s", version } } });
    child.send('{"jsonrpc":"2.0","id":1,"method":"initialize"}');
    starts[0]?.server.send(greeting(1, "1"));
    await until(() => heard.length === 1);
    end(0);
    await until(() => heard.length === 2);
    expect(heard[1]).toEqual(["interrupted", undefined]);
    await turns();
    child.restart();
    await until(() => starts[1]?.server.heard.length === 1);
    expect(starts[1]?.server.heard[0]).toMatchObject({ id: "waybill-replay-greeting", method: "initialize" });
    starts[1]?.server.send(greeting("waybill-replay-greeting", "2"));
    await until(() => heard.length === 3);
    expect(heard[2]).toBe("restored");
    expect(notes).toEqual(["the server greets differently now; a client sees that when it connects again"]);
    child.close();
    end(1);
  });
});
