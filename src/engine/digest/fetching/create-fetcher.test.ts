import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { createFetcher } from "./create-fetcher.ts";
import type { FetcherOptions } from "./fetch-settings.ts";
import { startServer } from "./loopback-server.fixture.ts";
import { selfSigned } from "./self-signed.fixture.ts";

const page = "<p>Grüße, 世界</p>".repeat(100);
const bodies: Readonly<Record<string, readonly [coding: string, body: Uint8Array]>> = {
  "/plain": ["identity", Buffer.from(page)],
  "/gzip": ["gzip", gzipSync(page)],
  "/x-gzip": ["X-GZip", gzipSync(page)],
  "/two-members": ["gzip", Buffer.concat([gzipSync(page.slice(0, 99)), gzipSync(page.slice(99))])],
  "/br": ["br", brotliCompressSync(page)],
  "/deflate": ["deflate", deflateSync(page)],
  "/deflate-raw": ["deflate", deflateRawSync(page)],
  "/listed": ["identity, gzip", gzipSync(page)],
};

const server = await startServer((request, response) => {
  const [coding, body] = bodies[request.url ?? ""] ?? [];
  if (coding !== undefined) {
    response
      .writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-encoding": coding,
        "content-length": body?.length,
      })
      .end(body);
  } else if (request.url === "/echo") {
    response.end(JSON.stringify(request.headers));
  } else if (request.url === "/away") {
    response.writeHead(301, { location: "gr%C3%BC%C3%9Fe/../moved#part" }).end("moved");
  } else if (request.url === "/moved") {
    response.writeHead(308, { location: "/plain" }).end();
  } else if (request.url === "/utf8") {
    response.writeHead(302, { location: Buffer.from("/ä").toString("latin1") }).end();
  } else {
    response
      .writeHead(request.url === "/204" ? 204 : 200)
      .end(request.url === "/204" ? undefined : request.url);
  }
});
afterAll(() => server.close());

const resolve = (): Promise<readonly string[]> => Promise.resolve(["127.0.0.1"]);
const base = `http://docs.test:${server.port}`;
const open: FetcherOptions = { allowPrivate: [`127.0.0.1:${server.port}`], resolve };
const fetchDocument = createFetcher(open);
const read = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe("createFetcher", () => {
  it.each(Object.keys(bodies))("unpacks %s and keeps the content type as it was sent", async (path) => {
    const { bytes, ...rest } = await fetchDocument(base + path);
    expect(read(bytes)).toBe(page);
    expect(rest).toEqual({ url: base + path, contentType: "text/html; charset=utf-8", redirects: [] });
  });

  it("follows redirects and says which", async () => {
    const { url, redirects, bytes } = await fetchDocument(`${base}/away#top`);
    expect({ url, redirects }).toEqual({
      url: `${base}/plain`,
      redirects: [`${base}/away`, `${base}/moved`],
    });
    expect(read(bytes)).toBe(page);
  });

  it("reads a location that is written in UTF-8", async () => {
    expect((await fetchDocument(`${base}/utf8`)).url).toBe(`${base}/%C3%A4`);
  });

  it("gives an empty document for an answer without content", async () => {
    expect(await fetchDocument(`${base}/204`)).toEqual({
      url: `${base}/204`,
      contentType: undefined,
      bytes: new Uint8Array(),
      redirects: [],
    });
  });

  it("sends no cookie, referrer or credentials, and the name of the host", async () => {
    const { bytes } = await createFetcher({ ...open, userAgent: "digest/1" })(
      `http://docs.test.:${server.port}/echo`,
    );
    expect(JSON.parse(read(bytes))).toEqual({
      host: `docs.test:${server.port}`,
      accept: expect.stringContaining("text/html"),
      "accept-encoding": "gzip, br, deflate",
      "user-agent": "digest/1",
      connection: "close",
    });
  });

  it("reports the bytes that travelled, of those promised", async () => {
    const steps: unknown[] = [];
    const onProgress = (...step: readonly unknown[]): unknown => steps.push(step);
    await fetchDocument(`${base}/gzip`, { onProgress });
    await fetchDocument(`${base}/other`, { onProgress });
    const length = bodies["/gzip"]?.[1].length;
    expect(steps).toEqual([
      [length, length],
      ["/other".length, undefined],
    ]);
  });

  it("passes on what its listener throws", async () => {
    const mistake = new TypeError("no such bar");
    const onProgress = (): never => {
      throw mistake;
    };
    await expect(fetchDocument(`${base}/plain`, { onProgress })).rejects.toBe(mistake);
  });

  it("tries the next address when one does not answer", async () => {
    const two = createFetcher({
      allowPrivate: ["127.0.0.0/8"],
      ports: [server.port],
      resolve: () => Promise.resolve(["127.0.0.7", "127.0.0.1"]),
    });
    expect(read((await two(`${base}/plain`)).bytes)).toBe(page);
  });

  it("ends with the caller's signal, for the caller's reason", async () => {
    const reason = new Error("no longer wanted");
    await expect(fetchDocument(base, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const slow = createFetcher({ resolve: () => new Promise(() => controller.abort(reason)) });
    await expect(slow("http://example.com/", { signal: controller.signal })).rejects.toBe(reason);
  });

  it.each([
    [["wiki.internal:PORT"], "wiki.internal"],
    [["localhost:PORT"], "localhost"],
    [["127.0.0.1:PORT"], "localhost"],
    [["127.0.0.1:PORT"], "127.1"],
  ])("reaches what %j permits: %s", async (allowPrivate, host) => {
    const permitted = allowPrivate.map((entry) => entry.replace("PORT", String(server.port)));
    const inner = createFetcher({ allowPrivate: permitted, resolve });
    expect((await inner(`http://${host}:${server.port}/plain`)).bytes.length).toBeGreaterThan(0);
  });
});

describe("https", async () => {
  const tls = selfSigned("docs.test");
  const secure = await startServer(
    (request, response) => {
      if (request.url === "/down") response.writeHead(302, { location: `${base}/plain` });
      response.end("over TLS");
    },
    { tls },
  );
  afterAll(() => secure.close());
  const allowPrivate = [`127.0.0.1:${secure.port}`, `127.0.0.1:${server.port}`];
  const trusting = createFetcher({ allowPrivate, resolve, ca: tls.cert });

  it("checks the certificate against the name, not the address", async () => {
    const { bytes } = await trusting(`https://docs.test:${secure.port}/`);
    expect(read(bytes)).toBe("over TLS");
  });

  it.each([
    ["a name the certificate does not hold", trusting, "other.test"],
    ["an address the certificate does not hold", trusting, "127.0.0.1"],
    ["an untrusted certificate", createFetcher({ allowPrivate, resolve }), "docs.test"],
  ])("refuses %s", async (_, fetcher, host) => {
    await expect(fetcher(`https://${host}:${secure.port}/`)).rejects.toMatchObject({
      code: "FORBIDDEN",
      details: { reason: "certificate" },
    });
    expect(secure.requests).not.toContain("/certificate");
  });

  it("does not follow a redirect down to http", async () => {
    await expect(trusting(`https://docs.test:${secure.port}/down`)).rejects.toMatchObject({
      code: "FORBIDDEN",
      details: { reason: "downgrade", redirect: 1 },
    });
  });
});
