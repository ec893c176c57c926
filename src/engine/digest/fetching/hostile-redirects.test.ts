import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createFetcher } from "./create-fetcher.ts";
import { startServer } from "./loopback-server.fixture.ts";

const victim = await startServer((_, response) => response.end("secret"));

/** Sends everybody to where the query says, byte by byte as it is. */
const origin = await startServer((request, response) => {
  const location = decodeURIComponent(request.url?.split("?to=")[1] ?? "");
  response.writeHead(Number(request.url?.slice(1, 4)), location === "" ? {} : { location }).end();
});
afterAll(() => Promise.all([victim.close(), origin.close()]));

let lookUps: string[] = [];
beforeEach(() => {
  lookUps = [];
});

/** The origin's name is honest the first time only, like one whose owner changes its answer between two questions. */
function resolve(host: string): Promise<readonly string[]> {
  lookUps.push(host);
  const isAgain = lookUps.filter((name) => name === host).length > 1;
  const known: Readonly<Record<string, readonly string[]>> = {
    "origin.test": ["127.0.0.1"],
    "turning.test": [isAgain ? "127.0.0.2" : "127.0.0.1"],
    "victim.test": ["127.0.0.3"],
    "two-faced.test": ["127.0.0.1", "10.0.0.1"],
    localhost: ["127.0.0.3"],
    "metadata.google.internal": ["169.254.169.254"],
  };
  return Promise.resolve(known[host] ?? []);
}

const at = `origin.test:${origin.port}`;
const fetchDocument = createFetcher({
  allowPrivate: [`127.0.0.1:${origin.port}`],
  ports: [80, 443, victim.port],
  resolve,
});

const targets = [
  [`http://127.0.0.1:${victim.port}/`, "private_address"],
  [`//127.0.0.1:${victim.port}/`, "private_address"],
  [`http://2130706433:${victim.port}/`, "private_address"],
  [`http://0177.0.0.1:${victim.port}/`, "private_address"],
  [`http://0x7f.1:${victim.port}/`, "private_address"],
  [`http://0:${victim.port}/`, "private_address"],
  [`http://[::1]:${victim.port}/`, "private_address"],
  [`http://[::ffff:127.0.0.1]:${victim.port}/`, "private_address"],
  [`http://[64:ff9b::127.0.0.1]:${victim.port}/`, "private_address"],
  [`http://[2002:7f00:1::]:${victim.port}/`, "private_address"],
  [`http://victim.test:${victim.port}/`, "private_address"],
  [`http://two-faced.test:${victim.port}/`, "private_address"],
  [`http://localhost:${victim.port}/`, "private_address"],
  [`https://127.0.0.1:${victim.port}/`, "private_address"],
  [`\\\\127.0.0.1:${victim.port}\\`, "private_address"],
  ["http://169.254.169.254/latest/meta-data/", "private_address"],
  ["http://metadata.google.internal/computeMetadata/v1/", "private_address"],
  ["http://[fd00:ec2::254]/", "private_address"],
  ["http://10.0.0.1/", "private_address"],
  [`http://127.0.0.1:${origin.port + 1}/`, "port"],
  ["http://127.0.0.1:6379/", "port"],
  [`http://name:word@${at}/`, "credentials"],
  ["file:///etc/passwd", "scheme"],
  ["data:text/plain,hello", "scheme"],
  ["ftp://origin.test/", "scheme"],
  ["gopher://127.0.0.1:6379/_", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["http://", "redirect_target"],
  ["http://[::1", "redirect_target"],
  ["http://../", "redirect_target"],
  ["", "redirect_target"],
] as const;

describe("a redirect is checked like a first URL", () => {
  it.each(targets)("to %s is refused: %s", async (target, reason) => {
    const url = `http://${at}/302?to=${encodeURIComponent(target)}`;
    const error: unknown = await fetchDocument(url).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "ToolFault", code: "FORBIDDEN", details: { reason } });
    expect(JSON.stringify((error as { fault: unknown }).fault)).not.toMatch(
      /127\.0|169\.254|::1|origin\.test/,
    );
    expect(victim.connections()).toBe(0);
  });

  it.each([301, 302, 303, 307, 308])("with status %i too, and says which redirect it was", async (status) => {
    const inner = `http://${at}/${status}?to=${encodeURIComponent(`http://127.0.0.1:${victim.port}/`)}`;
    const url = `http://${at}/${status}?to=${encodeURIComponent(inner)}`;
    await expect(fetchDocument(url)).rejects.toMatchObject({
      details: { reason: "private_address", redirect: 2 },
    });
    expect(victim.connections()).toBe(0);
  });

  it("to a URL that is too long is refused", async () => {
    const endless = await startServer((_, response) => {
      response.writeHead(302, { location: `/${"a".repeat(9_000)}` }).end();
    });
    const fetchEndless = createFetcher({ allowPrivate: [`127.0.0.1:${endless.port}`] });
    await expect(fetchEndless(`http://127.0.0.1:${endless.port}/`)).rejects.toMatchObject({
      details: { reason: "redirect_target" },
    });
    await endless.close();
  });

  it("must stay on the hosts of the list", async () => {
    const listed = createFetcher({
      allowHosts: ["origin.test"],
      allowPrivate: [`127.0.0.1:${origin.port}`],
      resolve,
    });
    const to = encodeURIComponent(`http://turning.test:${origin.port}/`);
    await expect(listed(`http://${at}/302?to=${to}`)).rejects.toMatchObject({
      details: { reason: "host_not_allowed", redirect: 1 },
    });
    expect(lookUps).toEqual(["origin.test"]);
  });
});

describe("a name whose answer changes", () => {
  it("is asked once for a request, and the checked answer is the one connected to", async () => {
    await expect(fetchDocument(`http://turning.test:${origin.port}/404`)).rejects.toMatchObject({
      code: "NOT_FOUND",
      details: { reason: "status" },
    });
    expect(lookUps).toEqual(["turning.test"]);
  });

  it("is checked anew when it redirects to itself", async () => {
    const seen = origin.connections();
    await expect(fetchDocument(`http://turning.test:${origin.port}/302?to=/404`)).rejects.toMatchObject({
      details: { reason: "private_address", redirect: 1 },
    });
    expect(lookUps).toEqual(["turning.test", "turning.test"]);
    expect(origin.connections()).toBe(seen + 1);
  });
});

describe("redirects without end", () => {
  it("in a circle are refused when a URL comes again", async () => {
    const loop = await startServer((request, response) => {
      response.writeHead(302, { location: request.url === "/a" ? "/b" : "/a" }).end();
    });
    const fetchLoop = createFetcher({ allowPrivate: [`127.0.0.1:${loop.port}`], resolve });
    await expect(fetchLoop(`http://127.0.0.1:${loop.port}/a`)).rejects.toMatchObject({
      details: { reason: "redirect_loop", redirect: 2 },
    });
    expect(loop.requests).toEqual(["/a", "/b"]);
    await loop.close();
  });

  it.each([
    [undefined, 6],
    [0, 1],
    [2, 3],
  ])("are followed as often as allowed: %s", async (maxRedirects, requests) => {
    const chain = await startServer((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    const fetchChain = createFetcher({
      allowPrivate: [`127.0.0.1:${chain.port}`],
      ...(maxRedirects === undefined ? {} : { maxRedirects }),
    });
    await expect(fetchChain(`http://127.0.0.1:${chain.port}/`)).rejects.toMatchObject({
      code: "FORBIDDEN",
      details: { reason: "redirect_limit" },
    });
    expect(chain.requests).toHaveLength(requests);
    await chain.close();
  });
});
