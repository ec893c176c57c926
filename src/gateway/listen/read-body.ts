import type { IncomingMessage } from "node:http";

/** What the SDKs' own servers read at most: 4 MiB. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Reads the body of a request, up to a limit: what says itself that it is longer is not read at all, and what turns out
 * to be is read no further. Nothing is called for a client that leaves in the middle.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Buffer | "too-large") => void,
): void {
  if (Number(request.headers["content-length"]) > maxBytes) {
    done("too-large");
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= maxBytes) {
      chunks.push(chunk);
      return;
    }
    request.off("data", take).off("end", finish);
    done("too-large");
  };
  const finish = (): void => {
    const [only] = chunks;
    done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
  };
  // A connection that breaks is the business of its response.
  request.on("error", () => undefined);
  request.on("data", take).on("end", finish);
}
