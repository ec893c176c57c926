import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { FetchSettings } from "./fetch-settings.ts";
import { faults } from "../../../core/contract/faults.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";

const FIRST_CAPACITY_BYTES = 64 * 1024;

/**
 * Joins incoming bytes. They are copied at once: a server may send a body byte by byte, and a list of such
 * small buffers takes a hundred times its content. `check` gets the new size before that much is kept.
 */
async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  check: (size: number) => void,
): Promise<Uint8Array> {
  let bytes = new Uint8Array(FIRST_CAPACITY_BYTES);
  let size = 0;
  for await (const chunk of chunks) {
    const next = size + chunk.length;
    check(next);
    if (next > bytes.length) {
      const larger = new Uint8Array(Math.max(next, bytes.length * 2));
      larger.set(bytes.subarray(0, size));
      bytes = larger;
    }
    bytes.set(chunk, size);
    size = next;
  }
  return bytes.slice(0, size);
}

/** Below this size no ratio is an attack: a short text of one letter compresses a thousandfold. */
const FREE_BYTES = 1024 * 1024;

/** Honest servers never send several codings, which could be a bomb inside a bomb. */
function readCoding(header = ""): string {
  const words = header.split(",").map((word) => word.trim().toLowerCase());
  const [coding = "identity", ...more] = words.filter((word) => word !== "" && word !== "identity");
  if (more.length > 0) throw fetchFault("encoding");
  return coding;
}

/** `deflate` means zlib, but some servers omit zlib's header. */
function unpackerFor(coding: string, firstByte: number): Transform | undefined {
  switch (coding) {
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw fetchFault("encoding");
  }
}

async function* resume(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Reads a body to its end, decompressed, with limits on the compressed and the decompressed size. */
export async function readFetchedBody(
  response: IncomingMessage,
  { maxBytes, maxDecompressionRatio }: Pick<FetchSettings, "maxBytes" | "maxDecompressionRatio">,
  onProgress: (done: number, total?: number) => void,
): Promise<Uint8Array> {
  const promised = response.headers["content-length"];
  const total = promised === undefined ? undefined : Number(promised);
  let wireBytes = 0;

  const checkLength = (bytes: number): void => {
    if (bytes > maxBytes) throw fetchFault("bytes", { limitBytes: maxBytes });
  };
  const checkUnpacked = (bytes: number): void => {
    checkLength(bytes);
    if (bytes > FREE_BYTES && bytes > wireBytes * maxDecompressionRatio) throw fetchFault("ratio");
  };
  async function* travelled(): AsyncGenerator<Buffer> {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      wireBytes += chunk.length;
      checkLength(wireBytes);
      onProgress(wireBytes, total);
      yield chunk;
    }
  }

  checkLength(total ?? 0);
  const coding = readCoding(response.headers["content-encoding"]);
  const chunks = travelled();
  const first = await chunks.next();
  if (first.done === true) return new Uint8Array();
  const unpacker = unpackerFor(coding, first.value[0] ?? 0);
  const body = resume(first.value, chunks);
  if (unpacker === undefined) return collectBytes(body, checkLength);
  let whole: Uint8Array | undefined;
  const unpacking = pipeline(body, unpacker, async (unpacked: AsyncIterable<Buffer>) => {
    whole = await collectBytes(unpacked, checkUnpacked);
  });
  // Bytes after the end of compressed data are ignored; Node 20 reports them as an error, Node 24 does not.
  await unpacking.catch((error: unknown) => {
    if (whole === undefined) throw error;
  });
  return whole ?? new Uint8Array();
}

const ITSELF = "Give the URL of the document itself.";
const ELSEWHERE = "Give a URL of another host.";
const COPY = "Give a URL of another copy of the document.";

/** Why a URL is refused: a stable word, what is wrong with the URL, what to do. The code is FORBIDDEN. */
export const urlRefusals = {
  scheme: ["it is neither http nor https", "Give a URL that begins with http:// or https://."],
  credentials: ["it holds a name or a password", "Leave out the part between // and @."],
  port: ["its port is not allowed", "Give a URL on port 80 or 443, or ask the operator to allow the port."],
  host_not_allowed: [
    "its host is not on the operator's list",
    "Give a URL of an allowed host, or ask the operator to add this one.",
  ],
  local_name: ["its host is a name of a local network", "Give a URL with a full public host name."],
  private_address: [
    "its host is not on the public internet",
    "Give a public URL; only the operator can permit an internal host.",
  ],
  certificate: ["its host shows a certificate that is not trusted", ELSEWHERE],
  downgrade: ["it leads from https to http", "If you trust it, give the http URL itself."],
  redirect_target: ["it redirects to nowhere", ITSELF],
  redirect_loop: ["it redirects in a circle", ITSELF],
  redirect_limit: ["it redirects too often", ITSELF],
} as const;

/** Why an allowed fetch failed: a stable word, the code, the message, what to do. */
export const failures = {
  url: [
    "INVALID_FORMAT",
    "The URL cannot be read",
    "Give one whole URL, as in https://example.com/report.pdf.",
  ],
  encoding: ["INVALID_FORMAT", "The document is compressed in a way that cannot be read", COPY],
  host: ["NOT_FOUND", "The host of the URL does not exist", "Check the host name in the URL."],
  dns: ["UNAVAILABLE", "The host of the URL cannot be looked up at the moment", "Try again later."],
  connection: ["UNAVAILABLE", "The server cannot be reached, or it hung up", "Try again later."],
  protocol: ["UNAVAILABLE", "The server does not answer with valid HTTP", ELSEWHERE],
  headers: ["TOO_LARGE", "The header of the server's answer is too long", ELSEWHERE],
  bytes: ["TOO_LARGE", "The document is too long", "Give a URL of a shorter document, or of a part of it."],
  ratio: ["TOO_LARGE", "The document becomes too large when it is unpacked", COPY],
} as const;

interface FaultOptions {
  /** How many redirects came before. */
  readonly redirect?: number;
  readonly limitBytes?: number;
  /** For the log only. */
  readonly cause?: unknown;
}

/**
 * A fault for the caller. It repeats neither the URL nor an address: the target of a redirect may be a secret
 * of this network.
 */
export function fetchFault(
  reason: keyof typeof urlRefusals | keyof typeof failures,
  { redirect = 0, limitBytes, cause }: FaultOptions = {},
): ToolFault {
  const details = {
    reason,
    ...(redirect === 0 ? {} : { redirect }),
    ...(limitBytes === undefined ? {} : { limit_bytes: limitBytes }),
  };
  if (reason in failures) {
    const [errorCode, message, remediation] = failures[reason as keyof typeof failures];
    return new ToolFault(message, { errorCode, remediation, details, cause });
  }
  const [says, remediation] = urlRefusals[reason as keyof typeof urlRefusals];
  const subject = redirect === 0 ? "The URL" : "What the URL redirects to";
  return faults.forbidden(`${subject} is not fetched: ${says}`, { remediation, details, cause });
}

/** One of the time limits was reached. */
export function waitFault(waitedMs: number, reason: "total" | "connect" | "idle"): ToolFault {
  const remediation = "Try again later, or give a URL of a faster host.";
  return faults.timeout(waitedMs, { remediation, details: { reason } });
}

/** The codes of OpenSSL and Node for an untrusted chain or name. */
const UNTRUSTED =
  /^(CERT_|CRL_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_)/;

/** Compressed data that does not match its header, or ends too early. */
const UNREADABLE = /^(Z_|ERR__ERROR_|ERR_BROTLI_)/;

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The fault for a failed connection or a broken answer. */
export function connectionFault(cause: unknown, redirect: number): ToolFault {
  if (ToolFault.isInstance(cause)) return cause;
  const code = codeOf(cause);
  if (UNTRUSTED.test(code)) return fetchFault("certificate", { redirect, cause });
  if (UNREADABLE.test(code)) return fetchFault("encoding", { redirect, cause });
  if (code === "HPE_HEADER_OVERFLOW") return fetchFault("headers", { redirect, cause });
  return fetchFault(code.startsWith("HPE_") ? "protocol" : "connection", { redirect, cause });
}

const DAY_SECONDS = 24 * 60 * 60;
const USUAL_WAIT_SECONDS = 60;

/** Begins with a day of the week; Date.parse alone accepts "-5" as a date. */
const HTTP_DATE = /^[A-Z][a-z]+,? /;

/** The header's seconds, or its date as seconds from now; undefined if it is neither. */
function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((dateMs - nowMs) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), DAY_SECONDS);
}

/** The fault for an answer without a document. It does not repeat the answer's text, which is untrusted. */
export function statusFault({ statusCode = 0, headers }: IncomingMessage): ToolFault {
  const details = { reason: "status", http_status: statusCode };
  const remediation = "Check the URL, or give another one.";
  const retryAfterSeconds = readRetryAfter(headers["retry-after"], Date.now());
  switch (statusCode) {
    case 401:
    case 407:
      return faults.unauthorized("The server requires a login", {
        remediation: "Give a URL that can be read without signing in.",
        details,
      });
    case 403:
    case 451:
      return faults.forbidden("The server refuses to give this document", { remediation, details });
    case 404:
    case 410:
      return new ToolFault("The server has no document at this URL", {
        errorCode: "NOT_FOUND",
        remediation,
        details,
      });
    case 429:
      return faults.rateLimited({ retryAfterSeconds: retryAfterSeconds ?? USUAL_WAIT_SECONDS, details });
    default:
      break;
  }
  if (statusCode >= 400 && statusCode < 500 && statusCode !== 408) {
    return faults.validation("The server does not accept a request for this URL", { remediation, details });
  }
  return faults.unavailable("The server does not give a document at the moment", {
    details,
    retryAfterSeconds,
  });
}
