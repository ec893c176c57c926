// Before the server lets us in, a client that asks for the modern era is told that the server speaks it. Once we are let
// in, the server itself is asked: if it does not, the connection must end, since neither side understands the other.

import { isJsonObject, jsonObjectIn } from "../../../core/json/json-value.ts";
import { MODERN_REVISION } from "../../../core/protocol/names.ts";
import { type HttpTarget, sendRequest } from "../../../engine/transport/http/http-target.ts";
import {
  type Outgoing,
  ParameterHeaders,
  modernHeaders,
} from "../../../engine/transport/http/message-headers.ts";
import { readAnswer } from "../../../engine/transport/http/read-answer.ts";

const ANSWER_MS = 10_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** Whether the server speaks the modern era; true also if it cannot be found out now. `asked`: the client's own question. */
export function speaksModern(target: HttpTarget, { bytes, message, key = "" }: Outgoing): Promise<boolean> {
  const headers = {
    "user-agent": "waybill",
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...modernHeaders(message, new ParameterHeaders()),
  };
  const sent = { method: "POST", headers, body: bytes, isRepeatable: true, answerTimeoutMs: ANSWER_MS };
  return new Promise((resolve) => {
    sendRequest(target, sent, {
      failed: () => resolve(true),
      response: (response) =>
        readAnswer(response, { key, maxBytes: MAX_ANSWER_BYTES }, (answer) => resolve(isModern(answer))),
    });
  });
}

function isModern(answer: Buffer | undefined): boolean {
  const result = jsonObjectIn(answer?.toString("utf8") ?? "")?.["result"];
  const versions = isJsonObject(result) ? result["supportedVersions"] : undefined;
  return Array.isArray(versions) && versions.includes(MODERN_REVISION);
}
