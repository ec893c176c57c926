// Asks a server behind a URL whether it is there, without a session: `server/discover` of the modern era, to which a
// server of the legacy era answers with an error. Any answer in the words of MCP shows that it can be called.

import { DISCOVER, MODERN_REVISION, mcpMeta } from "../../../core/protocol/names.ts";
import { mediaTypeOf } from "../../../engine/transport/http/http-body.ts";
import { type HttpFailure, lateAnswer } from "../../../engine/transport/http/http-failure.ts";
import {
  type HttpAnswer,
  type HttpTarget,
  type SentRequest,
  sendDirect,
} from "../../../engine/transport/http/http-target.ts";
import { isRefusal, lackOfLife } from "../../../engine/transport/http/sign-of-life.ts";
import { ParameterHeaders, modernHeaders } from "../../../engine/transport/http/message-headers.ts";

const ANSWER_MS = 10_000;
const EVENTS = "text/event-stream";

const clientInfo = { name: "waybill-probe", version: "1" };
const message = {
  jsonrpc: "2.0",
  id: "waybill-probe",
  method: DISCOVER,
  params: {
    _meta: {
      [mcpMeta.protocolVersion]: MODERN_REVISION,
      [mcpMeta.clientCapabilities]: {},
      [mcpMeta.clientInfo]: clientInfo,
    },
  },
};
const body = Buffer.from(JSON.stringify(message));

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly challenge: string | undefined;
  /** Why this is no sign of life; undefined if it is one. */
  readonly failure: HttpFailure | undefined;
}

/** The beginning of an answer; the rest is not read. */
function ask(
  target: HttpTarget,
  sent: Pick<SentRequest, "method" | "headers" | "body">,
  signal: AbortSignal,
): Promise<Answer | HttpFailure> {
  return new Promise((resolve) => {
    const settle = (found: Answer | HttpFailure): void => {
      signal.removeEventListener("abort", stop);
      resolve(found);
    };
    // Directly: what speaks for a server of the 2024 transport answers without asking it.
    const request = sendDirect(
      target,
      { ...sent, isRepeatable: true, answerTimeoutMs: ANSWER_MS },
      {
        failed: settle,
        response: (response) => {
          settle(answerOf(response));
          response.on("error", () => undefined);
          request.abort();
        },
      },
    );
    const stop = (): void => {
      request.abort();
      settle(lateAnswer());
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

function answerOf(response: HttpAnswer): Answer {
  const { statusCode: status = 0, headers } = response;
  const type = mediaTypeOf(response);
  return { status, type, challenge: headers["www-authenticate"], failure: lackOfLife(response) };
}

/** What a server behind a URL showed. */
export interface UrlFinding {
  /** Why it cannot be called; undefined if it answers. */
  readonly failure?: HttpFailure | undefined;
  /** It wants to know who asks. */
  readonly refusal?: { readonly status: number; readonly challenge: string | undefined } | undefined;
}

export async function probeUrl(target: HttpTarget, signal: AbortSignal): Promise<UrlFinding> {
  const headers = {
    "user-agent": clientInfo.name,
    accept: `application/json, ${EVENTS}`,
    "content-type": "application/json",
    ...modernHeaders(message, new ParameterHeaders()),
  };
  const answer = await ask(target, { method: "POST", headers, body }, signal);
  if (!("type" in answer)) return { failure: answer };
  const { status, challenge, failure } = answer;
  if (isRefusal(status)) return { failure, refusal: { status, challenge } };
  const isNowhere = failure !== undefined && (status === 404 || status === 405);
  return isNowhere && (await hasStream(target, signal)) ? {} : { failure };
}

/** A server of the 2024 transport takes no POST at the address of its stream. */
async function hasStream(target: HttpTarget, signal: AbortSignal): Promise<boolean> {
  const headers = { "user-agent": clientInfo.name, accept: EVENTS };
  const answer = await ask(target, { method: "GET", headers }, signal);
  return "type" in answer && (answer.type === EVENTS || isRefusal(answer.status));
}
