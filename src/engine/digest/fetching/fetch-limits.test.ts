import type { Socket } from "node:net";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, vi, onTestFinished } from "vitest";
import { createFetcher } from "./create-fetcher.ts";
import type { FetchedDocument, FetcherOptions } from "./fetch-settings.ts";
import { drip, pour, startRawServer } from "./raw-server.fixture.ts";

const MIB = 1024 * 1024;

function answer(headers: readonly string[], body: string | Uint8Array = ""): Buffer {
  const head = ["HTTP/1.1 200 OK", ...headers, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

/** Fetches from a server that speaks like this, and sees that no connection is left behind. */
async function fetchFrom(
  speak: (socket: Socket) => void,
  options: FetcherOptions = {},
): Promise<FetchedDocument> {
  const server = await startRawServer(speak);
  try {
    return await createFetcher({ allowPrivate: [`127.0.0.1:${server.port}`], ...options })(server.url);
  } finally {
    await vi.waitFor(() => expect(server.open()).toBe(0));
    await server.close();
  }
}

const packed = [
  ["gzip", gzipSync],
  ["br", (data: Buffer) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ["deflate", deflateSync],
] as const;

describe("the limit on bytes", () => {
  it.each([
    [1_000, 999],
    [1_000, 1_000],
  ])("lets %i bytes through up to and with the last: %i", async (maxBytes, length) => {
    const body = "x".repeat(length);
    const { bytes } = await fetchFrom((socket) => socket.end(answer([`Content-Length: ${length}`], body)), {
      maxBytes,
    });
    expect(bytes).toHaveLength(length);
  });

  it("refuses a length that is announced before a byte of it is read", async () => {
    const speak = (socket: Socket): unknown => socket.write(answer(["Content-Length: 1001"]));
    await expect(fetchFrom(speak, { maxBytes: 1_000 })).rejects.toMatchObject({
      code: "TOO_LARGE",
      details: { reason: "bytes", limit_bytes: 1_000 },
    });
  });

  it.each([
    ["one byte too many", (socket: Socket) => socket.end(answer([], "x".repeat(1_001)))],
    ["a body without end", (socket: Socket) => pour(socket, answer([]), "x".repeat(1_000))],
  ])("stops at %s", async (_, speak) => {
    await expect(fetchFrom(speak, { maxBytes: 1_000 })).rejects.toMatchObject({
      details: { reason: "bytes" },
    });
  });

  it.each(packed)("holds for what %s becomes", async (coding, pack) => {
    const body = pack(Buffer.alloc(1_001, "abc"));
    const speak = (socket: Socket): unknown => socket.end(answer([`Content-Encoding: ${coding}`], body));
    await expect(fetchFrom(speak, { maxBytes: 1_000 })).rejects.toMatchObject({
      details: { reason: "bytes" },
    });
    expect((await fetchFrom(speak, { maxBytes: 1_001 })).bytes).toHaveLength(1_001);
  });
});

describe("a bomb", () => {
  it.each(packed)("of %s is put out at the ratio, long before the limit on bytes", async (coding, pack) => {
    const body = pack(Buffer.alloc(16 * MIB));
    const speak = (socket: Socket): unknown => socket.end(answer([`Content-Encoding: ${coding}`], body));
    await expect(fetchFrom(speak, { maxBytes: 1_024 * MIB })).rejects.toMatchObject({
      code: "TOO_LARGE",
      details: { reason: "ratio" },
    });
  });

  it("without end stops at the limit on bytes", async () => {
    const member = gzipSync(Buffer.alloc(50_000, "the quick brown fox "));
    const speak = (socket: Socket): void => pour(socket, answer(["Content-Encoding: gzip"]), member);
    await expect(fetchFrom(speak, { maxBytes: 8 * MIB, maxDecompressionRatio: 2_000 })).rejects.toMatchObject(
      {
        details: { reason: "bytes" },
      },
    );
  });

  it("that never goes off stops at the limit on bytes too", async () => {
    const speak = (socket: Socket): void => pour(socket, answer(["Content-Encoding: gzip"]), gzipSync(""));
    await expect(fetchFrom(speak, { maxBytes: MIB })).rejects.toMatchObject({ details: { reason: "bytes" } });
  });

  it("in a bomb is not unpacked", async () => {
    const body = gzipSync(gzipSync(Buffer.alloc(MIB)));
    const speak = (socket: Socket): unknown => socket.end(answer(["Content-Encoding: gzip, gzip"], body));
    await expect(fetchFrom(speak)).rejects.toMatchObject({
      code: "INVALID_FORMAT",
      details: { reason: "encoding" },
    });
  });

  it("is no short text of one letter", async () => {
    const body = gzipSync(Buffer.alloc(MIB, "a"));
    const { bytes } = await fetchFrom((socket) => socket.end(answer(["Content-Encoding: gzip"], body)));
    expect(bytes).toHaveLength(MIB);
  });
});

describe("the limits on time", () => {
  /** The start of a gzip whose file name follows, as far as the next zero byte. */
  const endlessName = Buffer.from("1f8b0808000000000003", "hex");
  const drippedHead = (socket: Socket): void => drip(socket, "HTTP/1.1 200 OK\r\n", "A: b\r\n");
  it.each([
    ["says nothing", () => undefined],
    ["stops in its head", (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\nServer: ")],
    ["stops in its body", (socket: Socket) => socket.write(answer([], "x"))],
  ])("end a server that %s", async (_, speak) => {
    await expect(fetchFrom(speak, { idleTimeoutMs: 150 })).rejects.toMatchObject({
      code: "TIMEOUT",
      details: { reason: "idle" },
    });
  });

  it.each([
    ["drips its head", drippedHead],
    ["drips its body", (socket: Socket) => drip(socket, answer([]), "x")],
    [
      "drips a packed body",
      (socket: Socket) => drip(socket, answer(["Content-Encoding: gzip"], endlessName), "x"),
    ],
  ])("end a server that %s", async (_, speak) => {
    await expect(fetchFrom(speak, { timeoutMs: 400 })).rejects.toMatchObject({
      code: "TIMEOUT",
      details: { reason: "total" },
    });
  });

  it("end a TLS handshake without an answer", async () => {
    const server = await startRawServer(() => undefined);
    onTestFinished(() => server.close());
    const fetcher = createFetcher({ connectTimeoutMs: 150, allowPrivate: [`127.0.0.1:${server.port}`] });
    await expect(fetcher(server.url.replace("http:", "https:"))).rejects.toMatchObject({
      code: "TIMEOUT",
      details: { reason: "connect" },
    });
  });

  it("end a resolver that does not answer", async () => {
    const fetcher = createFetcher({ timeoutMs: 100, resolve: () => new Promise(() => undefined) });
    await expect(fetcher("http://example.com/")).rejects.toMatchObject({ details: { reason: "total" } });
  });

  it("span all redirects together", async () => {
    let count = 0;
    const speak = (socket: Socket): void => {
      count += 1;
      const redirect = `HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /${count}\r\n\r\n`;
      setTimeout(() => socket.end(redirect), 90);
    };
    await expect(fetchFrom(speak, { timeoutMs: 400, maxRedirects: 20 })).rejects.toMatchObject({
      details: { reason: "total" },
    });
  });
});

describe("an answer that is not valid", () => {
  it.each([
    [
      "a head without end",
      (socket: Socket) => pour(socket, "HTTP/1.1 200 OK\r\n", `A: ${"b".repeat(500)}\r\n`),
      "TOO_LARGE",
      "headers",
    ],
    [
      "one header without end",
      (socket: Socket) => pour(socket, "HTTP/1.1 200 OK\r\nA: ", "b".repeat(500)),
      "TOO_LARGE",
      "headers",
    ],
    [
      "hints without end",
      (socket: Socket) => pour(socket, "", "HTTP/1.1 103 Early Hints\r\n\r\n"),
      "TOO_LARGE",
      "headers",
    ],
    ["no HTTP", (socket: Socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"), "UNAVAILABLE", "protocol"],
    [
      "a length and chunks at once",
      (socket: Socket) =>
        socket.end(answer(["Content-Length: 5", "Transfer-Encoding: chunked"], "0\r\n\r\n")),
      "UNAVAILABLE",
      "protocol",
    ],
    [
      "another protocol",
      (socket: Socket) => socket.write("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
      "UNAVAILABLE",
      "connection",
    ],
    ["nothing", (socket: Socket) => socket.end(), "UNAVAILABLE", "connection"],
    [
      "less than its length",
      (socket: Socket) => socket.end(answer(["Content-Length: 50"], "short")),
      "UNAVAILABLE",
      "connection",
    ],
    [
      "half a chunk",
      (socket: Socket) => socket.end(answer(["Transfer-Encoding: chunked"], "20\r\nshort")),
      "UNAVAILABLE",
      "connection",
    ],
    [
      "a body that is torn off",
      (socket: Socket) =>
        socket.write(answer([], "x".repeat(99)), () => setTimeout(() => socket.resetAndDestroy(), 50)),
      "UNAVAILABLE",
      "connection",
    ],
    [
      "half a gzip",
      (socket: Socket) => socket.end(answer(["Content-Encoding: gzip"], gzipSync("whole").subarray(0, 12))),
      "INVALID_FORMAT",
      "encoding",
    ],
    [
      "no gzip",
      (socket: Socket) => socket.end(answer(["Content-Encoding: gzip"], "plain")),
      "INVALID_FORMAT",
      "encoding",
    ],
    [
      "no brotli",
      (socket: Socket) => socket.end(answer(["Content-Encoding: br"], "plain text")),
      "INVALID_FORMAT",
      "encoding",
    ],
    [
      "a coding that was not asked for",
      (socket: Socket) => socket.end(answer(["Content-Encoding: zstd"], "x")),
      "INVALID_FORMAT",
      "encoding",
    ],
  ] as const)("%s", async (_, speak, code, reason) => {
    const error: unknown = await fetchFrom(speak).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "ToolFault", code, details: { reason } });
    expect((error as Error).message).not.toMatch(/127|HPE|parse|socket|ECONN/i);
  });

  it("more than its length is cut to its length", async () => {
    const { bytes } = await fetchFrom((socket) =>
      socket.end(answer(["Content-Length: 5"], "short and more")),
    );
    expect(new TextDecoder().decode(bytes)).toBe("short");
  });

  it.each(packed)("%s with a tail is cut to what was packed", async (coding, pack) => {
    const body = Buffer.concat([pack(Buffer.from("packed")), Buffer.alloc(99_999)]);
    const { bytes } = await fetchFrom((socket) => socket.end(answer([`Content-Encoding: ${coding}`], body)));
    expect(new TextDecoder().decode(bytes)).toBe("packed");
  });

  it("byte by byte is joined", async () => {
    const chunk = "1\r\nx\r\n".repeat(5_000);
    const { bytes } = await fetchFrom((socket) =>
      socket.end(answer(["Transfer-Encoding: chunked"], `${chunk}0\r\n\r\n`)),
    );
    expect(bytes).toEqual(new Uint8Array(5_000).fill(120));
  });
});
