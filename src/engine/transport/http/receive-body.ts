import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyTooLarge, failedRefusal, refusalBody, refuse } from "./refusal.ts";

type Refused = ReturnType<typeof refusalBody>;

/** The limit of the SDKs' own servers: 4 MiB. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** How long a client that sends too much may continue, so that it can read its answer. */
const SEND_ON_MS = 1_000;

/**
 * Answers 413, then closes the connection. Incoming data is dropped meanwhile: closing a connection while
 * data comes in would lose the answer.
 */
function refuseBody(request: IncomingMessage, response: ServerResponse, refused: Refused): void {
  const { status, headers, body } = refused;
  response.writeHead(status, { ...headers, connection: "close" });
  // The body is complete with this write; the connection closes with the end of the response.
  response.write(body);
  const timer = setTimeout(() => request.destroy(), SEND_ON_MS);
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => response.end()).resume();
}

export interface BodyFaults {
  /** The answer to a body that is too long. Default: a JSON-RPC error. */
  readonly refused?: (() => Refused) | undefined;
  /** Answers if `done` throws. Default: with status 500 and a JSON-RPC error. */
  readonly failed?: ((error: unknown) => void) | undefined;
}

/**
 * Reads the body of a request, up to a limit. A body whose announced length is above the limit is not read,
 * and a longer one is not read further; both are refused here, with a JSON-RPC error unless `refused` gives
 * another answer. If the client disconnects before the end, nothing is called.
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
  // A broken connection is handled by its response.
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
    // The caller has returned: an exception here would end the process, not the request.
    try {
      done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
    } catch (error) {
      failed(error);
    }
  };
  request.on("data", take).on("end", finish);
  return undefined;
}
