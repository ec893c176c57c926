import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createState } from "../../../engine/call/contract-state.ts";
import { openBridge } from "./bridge.ts";
import { linkPair } from "../../../engine/transport/link-pair.fixture.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { listenOnStdio } from "./stdio.ts";

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
