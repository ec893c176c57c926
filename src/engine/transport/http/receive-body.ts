import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyTooLarge, failedRefusal, refusalBody, refuse } from "./refusal.ts";

type Refused = ReturnType<typeof refusalBody>;

/** What the SDKs' own servers read at most: 4 MiB. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** How long a client that sends too much may go on sending, so that it gets to read its answer. */
const SEND_ON_MS = 1_000;

/**
 * Answers 413, then closes the connection. What is still coming is dropped meanwhile: a connection that closes while
 * data comes in would take the answer with it.
 */
function refuseBody(request: IncomingMessage, response: ServerResponse, refused: Refused): void {
  const { status, headers, body } = refused;
  response.writeHead(status, { ...headers, connection: "close" });
  // Complete for whoever reads it; the connection closes with the end of the response.
  response.write(body);
  const timer = setTimeout(() => request.destroy(), SEND_ON_MS);
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => response.end()).resume();
}

export interface BodyFaults {
  /** What a body that is too long gets. Default: a JSON-RPC error. */
  readonly refused?: (() => Refused) | undefined;
  /** Answers where `done` throws. Default: with status 500 and a JSON-RPC error. */
  readonly failed?: ((error: unknown) => void) | undefined;
}

/**
 * Reads the body of a request, up to a limit: what says itself that it is longer is not read at all, and what turns out
 * to be is read no further; both are refused here, with a JSON-RPC error unless `refused` says it otherwise. Nothing is
 * called for a client that leaves in the middle.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  done: (body: Buffer) => void,
  {
    refused = () => refusalBody(bodyTooLarge(maxBytes)),
    failed = () => refuse(response, failedRefusal),
  }: BodyFaults = {},
): void {
  // A connection that breaks is the business of its response.
  request.on("error", () => undefined);
  if (Number(request.headers["content-length"]) > maxBytes) return refuseBody(request, response, refused());
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= maxBytes) {
      chunks.push(chunk);
      return;
    }
    request.off("data", take).off("end", finish);
    refuseBody(request, response, refused());
  };
  const finish = (): void => {
    const [only] = chunks;
    // Whoever called this has returned: what is thrown here would end the process, not the request.
    try {
      done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
    } catch (error) {
      failed(error);
    }
  };
  request.on("data", take).on("end", finish);
  return undefined;
}
