import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createState } from "../../../engine/call/contract-state.ts";
import { turns, until } from "../../../engine/transport/until.fixture.ts";
import { openBridge } from "./bridge.ts";
import { MAX_WAITING_BYTES } from "./bridge-guards.ts";
import { StreamLink } from "../../../engine/transport/stream-link.ts";
import { linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { listenOnStdio } from "./stdio.ts";

const MEGABYTE = 1024 * 1024;

/** A bridge over four streams; what the other side of each does is left to the test. */
function open() {
  const streams = {
    fromClient: new PassThrough(),
    toClient: new PassThrough(),
    fromServer: new PassThrough(),
    toServer: new PassThrough(),
  };
  openBridge({
    state: createState({ logLevel: "silent", dialect: "response-v2" }),
    client: new StreamLink({ input: streams.fromClient, output: streams.toClient }),
    upstream: new StreamLink({ input: streams.fromServer, output: streams.toServer }),
  });
  return streams;
}

/** Writes lines of 1 MiB for as long as they are taken; gives how many were. */
async function flood(stream: PassThrough, lines: number): Promise<number> {
  const start = '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"';
  const line = `${start}${"x".repeat(MEGABYTE - start.length - 4)}"}}\n`;
  for (let count = 0; count < lines; count += 1) {
    if (!stream.write(line)) await turns(5);
    if (stream.writableLength > 2 * MEGABYTE) return count;
  }
  return lines;
}

describe("a side that does not read", () => {
  it.each([
    ["client", "fromServer", "toClient"],
    ["server", "fromClient", "toServer"],
  ] as const)("stops the other one: the %s", async (_, from, to) => {
    const streams = open();
    const taken = await flood(streams[from], 60);
    expect(taken).toBeLessThan(60);
    expect(streams[to].writableLength).toBeLessThan(MAX_WAITING_BYTES + 4 * MEGABYTE);
    let heard = 0;
    streams[to].on("data", (chunk: Buffer) => (heard += chunk.length));
    // What waited arrives whole once somebody reads, and the other side is read again.
    await until(() => streams[from].writableLength === 0 && heard >= taken * MEGABYTE);
    expect(heard % MEGABYTE).toBe(0);
    streams.fromClient.end();
  });
});

function start() {
  const [link, server] = linkPair();
  const upstream: Upstream = {
    name: "memory",
    connect: () => link,
    health: () => ({ state: "up", restarts: 0 }),
    close: async () => undefined,
  };
  const stdin = new PassThrough();
  const streams = { stdin, stdout: new PassThrough() };
  const listener = listenOnStdio({ upstream, link }, streams, undefined, (sides) =>
    openBridge({ ...sides, state: createState({ logLevel: "silent" }) }),
  );
  return { ...listener, stdin, server };
}

describe("the end of a gateway on stdio", () => {
  it("is the client's where its input ends", async () => {
    const { stdin, ended } = start();
    stdin.end();
    expect(await ended).toMatchObject({ by: "client" });
  });

  it("is the server's where that is gone for good", async () => {
    const { server, ended } = start();
    server.close();
    expect(await ended).toEqual({ by: "server", reason: "the other end closed" });
  });

  it("is our own where somebody closes it", async () => {
    const listener = start();
    await listener.close();
    expect(await listener.ended).toMatchObject({ by: "close" });
  });
});
