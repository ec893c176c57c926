import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import zlib from "node:zlib";

/** What comes of a body: pieces, then exactly one of `end` and `broken`. */
export interface BodyListener {
  readonly chunk: (chunk: Buffer) => void;
  readonly end: () => void;
  /** The connection broke, or what came does not unpack. */
  readonly broken: () => void;
}

/** The first part of a content type, lower case. */
export function mediaTypeOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const [essence = ""] = (headers["content-type"] ?? "").split(";");
  return essence.trim().toLowerCase();
}

function unpackerOf(encoding: string): (Readable & NodeJS.WritableStream) | undefined {
  if (encoding === "gzip" || encoding === "x-gzip" || encoding === "deflate") return zlib.createUnzip();
  return encoding === "br" ? zlib.createBrotliDecompress() : undefined;
}

/** How a body is packed, though the gateway never asks for that; undefined where it is not. */
function encodingOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase();
  return encoding === "" || encoding === "identity" ? undefined : encoding;
}

/**
 * Reads a body as it comes, unpacked. The stream it gives can be paused and resumed; ending early is the caller's
 * business, by aborting the request.
 */
export function readBody(response: IncomingMessage, listener: BodyListener): Readable {
  let isOver = false;
  const once = (run: () => void): void => {
    if (isOver) return;
    isOver = true;
    guard(run);
  };
  // It runs in events of a stream, where what is thrown would end the process: to whoever waits, the body is broken.
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
  // A connection that ends too early tells the response only, not what is piped from it.
  response.on("error", () => once(listener.broken));
  response.on("close", () => {
    if (!response.complete) once(listener.broken);
  });
  return body;
}

export interface Collected {
  readonly bytes: (bytes: Buffer) => void;
  /** More than `maxBytes` came; reading has stopped. */
  readonly tooLarge: () => void;
  readonly broken: () => void;
}

/** The whole body, up to a limit. A body that is announced as too large is not read at all. */
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
  body = readBody(response, {
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
