// The gateway's own requests beside a client's: with the client's credentials, and invisible to the client.

import type { IncomingMessage } from "node:http";
import { type JsonObject, jsonObjectIn } from "../../../core/json/json-value.ts";
import { readAnswer } from "../../../engine/transport/http/read-answer.ts";
import { mediaTypeOf } from "../../../engine/transport/http/http-body.ts";
import { type HttpFailure, brokenOff, errorFor } from "../../../engine/transport/http/http-failure.ts";
import { type HttpTarget, sendRequest } from "../../../engine/transport/http/http-target.ts";
import { type ForwardedHeaders, headersOfOwnMessage } from "./proxy-headers.ts";

/** The server behind a proxy. */
export interface ProxyDoor {
  readonly target: HttpTarget;
  readonly maxMessageBytes: number;
  /** How long the answer to a greeting may take. */
  readonly startTimeoutMs: number;
  /** How long any request other than a greeting or a tool call may take. */
  readonly requestTimeoutMs: number;
  readonly report: (failure: HttpFailure | undefined) => void;
}

/** How long the server may take to list its tools for the gateway; the session stops waiting earlier. */
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** Whether a body is the JSON-RPC response to a request with this id. */
export function answers(bytes: Buffer, id: unknown): boolean {
  const json = jsonObjectIn(bytes.toString("utf8"));
  return (
    json !== undefined && json["id"] === id && (json["error"] !== undefined || json["result"] !== undefined)
  );
}

/** Posts a message. `answered` may read the body; the unread rest is discarded. */
export function postOwnMessage(
  { target }: ProxyDoor,
  headers: ForwardedHeaders,
  asked: JsonObject,
  answered: (response: IncomingMessage | undefined) => void,
): void {
  const { method } = asked;
  const own = headersOfOwnMessage(headers, typeof method === "string" ? method : "");
  sendRequest(
    target,
    {
      method: "POST",
      headers: { ...own, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(asked)),
      isRepeatable: true,
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
    },
    {
      response: (response) => {
        answered(response);
        response.on("error", () => undefined).resume();
      },
      failed: () => answered(undefined),
    },
  );
}

/** Requests a page of the server's tools; `tell` receives the answer, or an error instead. */
export function listBeside(
  door: ProxyDoor,
  headers: ForwardedHeaders,
  asked: JsonObject,
  tell: (answer: Buffer) => void,
): void {
  const key = JSON.stringify(asked["id"]);
  const none = Buffer.from(errorFor(key, brokenOff()));
  postOwnMessage(door, headers, asked, (response) => {
    const { statusCode = 0 } = response ?? {};
    const isGood = statusCode >= 200 && statusCode < 300;
    // In the modern era a protocol error has its own HTTP status.
    const isJson = response !== undefined && mediaTypeOf(response) === "application/json";
    if (response === undefined || !(isGood || isJson)) return tell(none);
    return readAnswer(response, { key, maxBytes: MAX_LIST_BYTES }, (answer) =>
      tell(answer !== undefined && answers(answer, asked["id"]) ? answer : none),
    );
  });
}
