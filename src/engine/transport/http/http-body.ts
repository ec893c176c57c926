import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import zlib from "node:zlib";

/** Gets the pieces of a body, then exactly one call of `end` or `broken`. */
export interface BodyListener {
  readonly chunk: (chunk: Buffer) => void;
  readonly end: () => void;
  /** The connection broke, or the body cannot be decompressed. */
  readonly broken: () => void;
}

/** The first part of a content type, in lower case. */
export function mediaTypeOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const [essence = ""] = (headers["content-type"] ?? "").split(";");
  return essence.trim().toLowerCase();
}

function unpackerOf(encoding: string): (Readable & NodeJS.WritableStream) | undefined {
  if (encoding === "gzip" || encoding === "x-gzip" || encoding === "deflate") return zlib.createUnzip();
  return encoding === "br" ? zlib.createBrotliDecompress() : undefined;
}

/** The compression of a body, although the gateway never asks for one, or undefined. */
function encodingOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase();
  return encoding === "" || encoding === "identity" ? undefined : encoding;
}

/**
 * Reads a body as it comes, decompressed. The returned stream can be paused and resumed; to end early, the
 * caller aborts the request.
 */
export function readResponseBody(response: IncomingMessage, listener: BodyListener): Readable {
  let isOver = false;
  const once = (run: () => void): void => {
    if (isOver) return;
    isOver = true;
    guard(run);
  };
  // The listener runs in events of a stream, where an exception would end the process. Instead, the body
  // counts as broken.
  const guard = (run: () => void): void => {
    try {
      run();
    } catch {
      isOver = true;
      response.destroy();
      if (run !== listener.broken) guard(listener.broken);
    }
  };
  const encoding = encodingOf(response);
  const unpacker = encoding === undefined ? undefined : unpackerOf(encoding);
  if (encoding !== undefined && unpacker === undefined) {
    response.on("error", () => undefined).resume();
    process.nextTick(() => once(listener.broken));
    return response;
  }
  const body: Readable = unpacker === undefined ? response : response.pipe(unpacker);
  body.on("data", (chunk: Buffer) => {
    if (!isOver) guard(() => listener.chunk(chunk));
  });
  body.on("end", () => once(listener.end));
  body.on("error", () => once(listener.broken));
  // If a connection ends too early, only the response emits the error, not a stream piped from it.
  response.on("error", () => once(listener.broken));
  response.on("close", () => {
    if (!response.complete) once(listener.broken);
  });
  return body;
}

export interface Collected {
  readonly bytes: (bytes: Buffer) => void;
  /** More than `maxBytes` bytes came; reading has stopped. */
  readonly tooLarge: () => void;
  readonly broken: () => void;
}

/** The whole body, up to a limit. A body whose announced length is too large is not read at all. */
export function collectBody(response: IncomingMessage, maxBytes: number, collected: Collected): void {
  const pieces: Buffer[] = [];
  let length = 0;
  let body: Readable | undefined;
  const giveUp = (): void => {
    pieces.length = 0;
    length = Number.POSITIVE_INFINITY;
    response.destroy();
    body?.destroy();
    collected.tooLarge();
  };
  if (encodingOf(response) === undefined && Number(response.headers["content-length"] ?? 0) > maxBytes) {
    response.on("error", () => undefined);
    giveUp();
    return;
  }
  body = readResponseBody(response, {
    chunk: (chunk) => {
      if (length > maxBytes) return;
      length += chunk.length;
      if (length > maxBytes) giveUp();
      else pieces.push(chunk);
    },
    end: () => {
      const [only = Buffer.alloc(0), ...more] = pieces;
      if (length <= maxBytes) collected.bytes(more.length === 0 ? only : Buffer.concat(pieces));
    },
    broken: () => {
      if (length <= maxBytes) collected.broken();
    },
  });
}
