// One line of the access log: a call that ended, or an HTTP request that was refused before it became a call. A line
// says who called what and what it cost. It never has arguments or results.

import { roundMs } from "../../../engine/call/call-events.ts";
import { HTTP_REFUSAL, type Refusal } from "../../../engine/transport/http/refusal.ts";
import {
  type AnsweredCall,
  type CallTimes,
  PassedThrough,
  type Readable,
  bytesOfTexts,
  isForTheClient,
  readableTexts,
  resultOfServer,
} from "../../../engine/call/answered-call.ts";
import type { ToolCall } from "../../../engine/call/called-tool.ts";
import { hashCredential } from "../../../engine/request/call-request.ts";
import { isJsonObject } from "../../../core/json/json-value.ts";
import type { RefusedRequest } from "../listen/http-listener.ts";
import type { Outcome } from "../../../core/contract/outcome.ts";
import type { TokenCounter } from "../../../core/tokens/token-counter.ts";
import { URL_ELICITATION_REQUIRED } from "../../../core/protocol/names.ts";

/**
 * success, failure: the tool answered. refused: it was not asked. cancelled: the client gave up. unfinished: the server
 * asks the client for something first, or goes on in a task. error: an error of the protocol, passed on as it came.
 */
type AccessOutcome = "success" | "failure" | "refused" | "cancelled" | "unfinished" | "error";

/** The keys are written in this order. A key without a value is left out. */
export interface AccessLine {
  /** When the call ended: ISO 8601, UTC. */
  readonly time: string;
  readonly request_id?: string | undefined;
  /** `sub:` and the verified subject, or `token:` and a hash of the token; absent for a caller without a name. */
  readonly caller?: string | undefined;
  /** A hash of the session's id: the id itself opens the session. */
  readonly session?: string | undefined;
  /** What the client calls itself. */
  readonly client?: string | undefined;
  /** The row of `waybill clients` that decided the form of the result. */
  readonly reader?: string | undefined;
  readonly upstream?: string | undefined;
  readonly tool?: string | undefined;
  readonly outcome: AccessOutcome;
  /** The error code of a failure, or the number of a protocol error. */
  readonly code?: string | number | undefined;
  /** The HTTP status of a request that was refused before it became a call. */
  readonly status?: number | undefined;
  /** The method and path of the same request; a query is left out. */
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  /** Bytes of text that the server sent, and that went out. */
  readonly bytes_in?: number | undefined;
  readonly bytes_out?: number | undefined;
  readonly tokens_in?: number | undefined;
  readonly tokens_out?: number | undefined;
  /** A text was too long to be counted to its end. */
  readonly tokens_estimated?: true | undefined;
  readonly cut?: true | undefined;
  /** The handle under which the whole is kept; "failed" if it could not be kept. */
  readonly archive?: string | undefined;
  /** From the arrival of the call until its answer, and the server's part of it. */
  readonly duration_ms?: number | undefined;
  readonly server_ms?: number | undefined;
  /** How often the call was sent to the server once more: it wanted a sign-in, or had forgotten the session. */
  readonly retries?: number | undefined;
}

export type LineTokens = Pick<AccessLine, "tokens_in" | "tokens_out" | "tokens_estimated">;

/** What the texts of a call weigh; the counting can wait until the answer is sent. */
type CountTokens = (counter: TokenCounter) => LineTokens;

export interface CallLine {
  readonly line: AccessLine;
  readonly count?: CountTokens | undefined;
}

/** The line of a call that was answered. */
export function lineOfAnswer(
  upstream: string,
  call: ToolCall,
  answered: AnsweredCall,
  times: CallTimes | undefined,
): CallLine {
  const { arrival, result, outcome, isUntouched } = answered;
  const sent = readableTexts(result);
  const arrived = resultOfServer(arrival);
  const came = isUntouched ? sent : arrived === undefined ? [] : readableTexts(arrived);
  const bytesOut = bytesOfTexts(result);
  const bytesIn = isUntouched ? bytesOut : arrived === undefined ? 0 : bytesOfTexts(arrived);
  const line = {
    ...factsOf(upstream, call),
    outcome: outcomeOf(answered),
    code: outcome?.ok === false ? outcome.fault.code : undefined,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
    ...cutOf(outcome),
    ...timesOf(times),
    ...retriesOf(call),
  };
  return { line, count: (counter) => countBoth(came, sent, counter) };
}

/** The line of a call that got no answer from here: an error of the protocol, or a server that asks first. */
export function lineOfThrown(upstream: string, call: ToolCall, thrown: unknown, times: CallTimes): CallLine {
  const isUnfinished = PassedThrough.isInstance(thrown) ? thrown.isUnfinished : isForTheClient(thrown);
  const code = PassedThrough.isInstance(thrown)
    ? thrown.code
    : isUnfinished
      ? URL_ELICITATION_REQUIRED
      : undefined;
  const outcome = isUnfinished ? "unfinished" : "error";
  return { line: { ...factsOf(upstream, call), outcome, code, ...timesOf(times), ...retriesOf(call) } };
}

/** The line of an HTTP request that was refused before it became a call. */
export function lineOfRefusal({ status, code, data }: Refusal, known: RefusedRequest): AccessLine {
  const named = isJsonObject(data) ? data["error_code"] : undefined;
  // The number of every refusal by HTTP says less than its status.
  const own = code === HTTP_REFUSAL ? undefined : code;
  const { caller, upstream, tool, method, path, durationMs } = known;
  return {
    time: new Date().toISOString(),
    caller,
    upstream,
    tool,
    outcome: "refused",
    code: typeof named === "string" ? named : own,
    status,
    method,
    path,
    duration_ms: roundMs(durationMs),
  };
}

function factsOf(upstream: string, { tool, identity, request, contract }: ToolCall) {
  const { sessionId, client } = request;
  return {
    time: new Date().toISOString(),
    request_id: identity.requestId,
    caller: identity.principal,
    session: sessionId === undefined ? undefined : hashCredential(sessionId).slice(0, SESSION_DIGITS),
    client,
    reader: contract.reader?.id,
    upstream,
    tool: tool.name,
  };
}

const SESSION_DIGITS = 12;

function outcomeOf({ arrival, outcome, dialect, isRefused }: AnsweredCall): AccessOutcome {
  if (arrival.kind === "thrown" && arrival.isCancelled === true) return "cancelled";
  if (dialect === undefined) return "unfinished";
  if (isRefused === true) return "refused";
  return outcome?.ok === false ? "failure" : "success";
}

const HANDLE_DIGITS = 12;

function cutOf(outcome: Outcome | undefined): Pick<AccessLine, "cut" | "archive"> {
  const { fidelity, warnings = [] } = outcome?.notes ?? {};
  if (fidelity === undefined || fidelity.level === "full") return {};
  const [hash] = Object.values(fidelity.archives);
  if (hash !== undefined) {
    const digits = hash.slice(hash.indexOf(":") + 1);
    return { cut: true, archive: digits.slice(0, HANDLE_DIGITS) };
  }
  const isLost = warnings.some(({ code }) => code === "ARCHIVE_WRITE_FAILED");
  return isLost ? { cut: true, archive: "failed" } : { cut: true };
}

function timesOf(times: CallTimes | undefined): Pick<AccessLine, "duration_ms" | "server_ms"> {
  if (times === undefined) return {};
  const { openedAt, askedAt, arrivedAt } = times;
  return { duration_ms: roundMs(performance.now() - openedAt), server_ms: roundMs(arrivedAt - askedAt) };
}

function retriesOf({ notes: { repeats } }: ToolCall): Pick<AccessLine, "retries"> {
  return repeats === 0 ? {} : { retries: repeats };
}

/** A longer text is counted to here, and the rest by the same rate. */
const MAX_COUNTED_CHARS = 32_768;

function countBoth(
  came: readonly Readable[],
  sent: readonly Readable[],
  counter: TokenCounter,
): ReturnType<CountTokens> {
  const before = countTexts(came, counter);
  const after = sent === came ? before : countTexts(sent, counter);
  const isEstimated = before.isEstimated || after.isEstimated;
  return {
    tokens_in: before.tokens,
    tokens_out: after.tokens,
    ...(isEstimated ? { tokens_estimated: true } : {}),
  };
}

function countTexts(texts: readonly Readable[], counter: TokenCounter) {
  let [tokens, isEstimated] = [0, false];
  for (const text of texts) {
    if (text.length === 0) continue;
    const head = text.slice(0, MAX_COUNTED_CHARS);
    tokens += (counter.count(head) * text.length) / head.length;
    isEstimated ||= head.length < text.length;
  }
  return { tokens: Math.round(tokens), isEstimated };
}
