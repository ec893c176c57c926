import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { GuardedFetchError, guardedFetch } from "./guarded-fetch.ts";

type Answer = Parameters<typeof createServer>[1];

async function serve(answer: Answer): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("guardedFetch", () => {
  it("posts a form, and gives status, headers and body", async () => {
    const origin = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () =>
        response.writeHead(400, { "x-a": "b" }).end(`${request.headers["content-type"]} ${body}`),
      );
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const form = { method: "POST", headers, body: new URLSearchParams({ a: "1" }) };
    const answer = await guardedFetch(origin)(`${origin}/token`, form);
    expect([answer.status, answer.headers.get("x-a"), await answer.text()]).toEqual([
      400,
      "b",
      "application/x-www-form-urlencoded a=1",
    ]);
  });

  it.each([
    ["http://127.0.0.1:1/", "is an address of this machine"],
    ["http://[::1]:1/", "is an address of this machine"],
    ["http://localhost:1/", "is an address of this machine"],
    ["https://10.0.0.1/", "is an address of this network"],
    ["https://[fd00::1]/", "is an address of this network"],
    ["http://169.254.169.254/latest", "nothing may connect to"],
    ["https://[::ffff:127.0.0.1]/", "nothing may connect to"],
    ["https://0.0.0.0/", "nothing may connect to"],
    ["http://192.0.2.1.nip.invalid/", "was not found"],
    ["http://93.184.216.34/", "over http, where https belongs"],
    ["https://me:pw@93.184.216.34/", "with a password in it"],
    ["file:///etc/passwd", "not one of http or https"],
    ["nothing", "that is no URL"],
  ])("does not go from a server on the internet to %s", async (address, why) => {
    const failure = guardedFetch("https://93.184.216.34/mcp")(address);
    await expect(failure).rejects.toThrow(GuardedFetchError);
    await expect(failure).rejects.toThrow(why);
  });

  it("ends at a body that is too large, an answer that never comes, and one that breaks off", async () => {
    const large = await serve((_request, response) => response.end("x".repeat(300_000)));
    await expect(guardedFetch(large)(large)).rejects.toThrow("more than 262144 bytes");
    const silent = await serve(() => undefined);
    await expect(guardedFetch(silent, 50)(silent)).rejects.toThrow("did not answer in 0.05 s");
    const slow = await serve((_request, response) => void response.writeHead(200).write("a"));
    await expect(guardedFetch(slow, 50)(slow)).rejects.toThrow("did not answer in 0.05 s");
    const broken = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "10" }).write("a");
      setTimeout(() => response.destroy(), 5);
    });
    await expect(guardedFetch(broken)(broken)).rejects.toThrow(GuardedFetchError);
  });

  it("never goes from a server on the internet to an address over http, whichever it is", async () => {
    const fetch = guardedFetch("https://93.184.216.34/mcp");
    const address = fc.oneof(
      fc.ipV4().map((ip) => `http://${ip}/`),
      fc.ipV6().map((ip) => `http://[${ip}]/`),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(address, async (url) => {
        await expect(fetch(url)).rejects.toThrow(GuardedFetchError);
      }),
      lawRuns(1_000),
    );
  });
});
