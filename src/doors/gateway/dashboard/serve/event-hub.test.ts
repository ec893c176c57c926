import { type IncomingMessage, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../../engine/transport/until.fixture.ts";
import { EventHub } from "./live-feed.ts";

async function openHub() {
  let lastLeft = 0;
  const hub = new EventHub(() => (lastLeft += 1));
  const server = createServer((_request, response) => hub.open(response, "event: hello\ndata: 1\n\n"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    hub.close();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const join = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: "127.0.0.1", port, agent: false }, resolve).on("error", reject);
    });
  return { hub, join, lastLeft: () => lastLeft };
}

describe("the open pages", () => {
  it("lets a page go that does not read what it is sent, and keeps the others", async () => {
    const { hub, join } = await openHub();
    const [idle, reader] = [await join(), await join()];
    let isIdleOver = false;
    // What is not read does not show that it has ended before it is read.
    idle.on("error", () => undefined).on("close", () => (isIdleOver = true));
    let heard = 0;
    reader.on("data", (chunk: Buffer) => (heard += chunk.length));
    const event = `data: ${"x".repeat(1_000_000)}\n\n`;
    // The system takes some megabytes for a socket before anything waits here.
    let sent = 0;
    for (; sent < 30; sent++) {
      hub.send(event);
      await until(() => heard >= (sent + 1) * event.length);
    }
    idle.resume();
    await until(() => isIdleOver);
    expect(idle.complete).toBe(false);
    hub.send(event);
    await until(() => heard >= (sent + 1) * event.length);
    expect(reader.closed).toBe(false);
  });

  it("says when the last one has left, and takes no more than 32", async () => {
    const { hub, join, lastLeft } = await openHub();
    const pages = await Promise.all(Array.from({ length: 32 }, join));
    expect(hub.hasRoom).toBe(false);
    const [first, ...others] = pages;
    first?.destroy();
    await until(() => hub.hasRoom);
    expect(lastLeft()).toBe(0);
    for (const page of others) page.destroy();
    await until(() => lastLeft() === 1);
  });
});
