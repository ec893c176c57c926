// Lets a client sign in to the server behind the gateway: the server's metadata (RFC 9728), rewritten for the address
// that the client calls. Clients refuse metadata for any other address.

import type { ServerResponse } from "node:http";
import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { collectBody } from "../../../engine/transport/http/http-body.ts";
import { type HttpTarget, sendDirect } from "../../../engine/transport/http/http-target.ts";

import {
  type CalledAddress,
  calledScheme,
  metadataAddress,
} from "../../../engine/request/sign-in/protected-resource.ts";
import type { RequestHeaders } from "../../../engine/request/sign-in/verdict.ts";
import { type Refusal, refuse } from "../../../engine/transport/http/refusal.ts";
import { CONNECTION_CLOSED } from "../../../core/protocol/names.ts";

const MAX_METADATA_BYTES = 65_536;
const ANSWER_TIMEOUT_MS = 10_000;

/** The Host header is already checked; the scheme is known only if the operator runs a proxy in front. */
export function calledAddress(headers: RequestHeaders, path: string, isBehindProxy: boolean): CalledAddress {
  const scheme = calledScheme(headers["x-forwarded-proto"], isBehindProxy);
  return { origin: `${scheme}://${headers["host"] ?? ""}`, path };
}

/** The server's challenge, pointing to the metadata here instead of its own. */
export function challengeFor(called: CalledAddress, challenge: string): string {
  const own = `resource_metadata="${metadataAddress(called)}"`;
  return challenge.replace(/\bresource_metadata=(?:"[^"]*"|[^\s,]+)/gi, () => own);
}

const none: Refusal = {
  status: 404,
  code: CONNECTION_CLOSED,
  message: "Not Found: the server behind has no metadata for signing in",
};

/** Where a server may publish its metadata: below the path of its own address, else at the root. */
function placesOf({ pathname, origin }: URL): URL[] {
  const paths = new Set([pathname.replace(/\/$/, ""), ""]);
  return [...paths].map((path) => new URL(metadataAddress({ origin, path })));
}

/** Asks the server itself, without credentials; metadata is public. */
function askServer(target: HttpTarget, url: URL, tell: (metadata: JsonObject | undefined) => void): void {
  const sent = {
    method: "GET",
    headers: { accept: "application/json" },
    isRepeatable: true,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  };
  sendDirect({ ...target, url, headers: {} }, sent, {
    failed: () => tell(undefined),
    response: (response) =>
      collectBody(response, MAX_METADATA_BYTES, {
        bytes: (bytes) => {
          const metadata = response.statusCode === 200 ? jsonIn(bytes.toString("utf8")) : undefined;
          tell(isJsonObject(metadata) ? metadata : undefined);
        },
        tooLarge: () => tell(undefined),
        broken: () => tell(undefined),
      }),
  });
}

/** Answers with the server's metadata, with `resource` set to the address that the client calls. */
export function describeResource(
  target: HttpTarget,
  { origin, path }: CalledAddress,
  response: ServerResponse,
): void {
  const resource = `${origin}${path}`;
  const places = placesOf(target.url);
  const next = (): void => {
    const url = places.shift();
    if (url === undefined) return refuse(response, none);
    return askServer(target, url, (metadata) => {
      if (metadata === undefined) return next();
      // The server's signature covers its own address.
      const { signed_metadata: _signed, ...open } = metadata;
      const body = JSON.stringify({ ...open, resource });
      response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
      response.end(body);
      return undefined;
    });
  };
  next();
}
