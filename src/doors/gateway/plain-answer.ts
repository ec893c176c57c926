// Answers of a server that are clear, but not in a form that every client reads: with two ids, with both outcomes or
// none, with an `error` that is not an error, without `jsonrpc`. The client waits, so they are normalised. The server's
// values keep their bytes: numbers keep their digits, and no depth is too deep to be copied.

import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../core/json/json-value.ts";

import { glance, memberSpans, rawIdsIn } from "../../engine/transport/raw-message.ts";
import { type BridgeFault, unreadableAnswer } from "./bridge-faults.ts";
import { INTERNAL_ERROR } from "../../core/protocol/names.ts";

/** An answer, parsed and as bytes with the same meaning. */
export interface ServerAnswer {
  readonly message: JsonObject;
  readonly bytes: Buffer;
}

/** How many characters are quoted of an error that is not a JSON-RPC error. */
const SAID_CHARACTERS = 200;

function isProperError(error: unknown): boolean {
  return isJsonObject(error) && Number.isSafeInteger(error["code"]) && typeof error["message"] === "string";
}

/** What some libraries write if there is no error. */
function saysNothing(error: JsonValue | undefined): boolean {
  if (typeof error !== "object" || error === null) return !error;
  return Object.keys(error).length === 0;
}

/** True for what the strictest client reads: the version, an id and one outcome, and no other members. */
function isPlain(message: JsonObject): boolean {
  const { jsonrpc, result, error } = message;
  if (jsonrpc !== "2.0" || Object.keys(message).length !== 3) return false;
  return result !== undefined || isProperError(error);
}

function cut(text: string): string {
  if (text.length <= SAID_CHARACTERS) return text;
  // Half of a surrogate pair is not a character.
  return `${text.slice(0, SAID_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A JSON-RPC error that quotes an error which is not one. */
function wordedError(error: JsonValue, raw: string): BridgeFault {
  const { code, message } = isJsonObject(error) ? error : {};
  const own = typeof error === "string" ? error : code === undefined ? message : undefined;
  const said = typeof own === "string" && own !== "" ? own : undefined;
  return {
    code: Number.isSafeInteger(code) ? (code as number) : INTERNAL_ERROR,
    message: said === undefined ? `The server's error is no error of JSON-RPC: ${cut(raw)}` : cut(said),
  };
}

/** The outcome of an answer, as a member of its message and as the bytes of that member's value. */
interface Outcome {
  readonly name: "result" | "error";
  readonly value: JsonValue;
  readonly bytes: Buffer;
}

function ownError(fault: BridgeFault): Outcome {
  const text = JSON.stringify(fault);
  return { name: "error", value: JSON.parse(text) as JsonValue, bytes: Buffer.from(text) };
}

/** An error wins over a result beside it: missing a failure is worse than missing the result. */
function outcomeOf({ message, bytes }: ServerAnswer): Outcome {
  const { result, error } = message;
  const spans = memberSpans(bytes.toString("latin1"));
  const asWritten = (name: Outcome["name"], value: JsonValue): Outcome => {
    const span = spans.get(name);
    return { name, value, bytes: bytes.subarray(span?.start, span?.end) };
  };
  const isNoError = error === undefined || error === null;
  if (result !== undefined && (isNoError || (result !== null && saysNothing(error))))
    return asWritten("result", result);
  if (isNoError) return ownError(unreadableAnswer);
  const said = asWritten("error", error);
  return isProperError(error) ? said : ownError(wordedError(error, said.bytes.toString()));
}

/**
 * The answer with the one id that a request waits for, in a form that every client reads; unchanged if no request
 * waits. `seen` is the id found at its ends; JSON.parse reads the last id.
 */
export function plainAnswer(
  read: ServerAnswer,
  seen: unknown,
  isAwaited: (id: unknown) => boolean,
): ServerAnswer {
  const { message, bytes } = read;
  const last = message["id"];
  const isOne = seen === last && isPlain(message);
  // Searching for more ids takes as long as parsing; messages written by SDKs have one.
  if (isOne && isAwaited(last) && glance(bytes).kind === "response") return read;
  const ids = rawIdsIn(bytes);
  const id = [seen, last, ...ids.map(jsonIn)].find(isAwaited);
  if (id === undefined || (isOne && ids.length === 1)) return read;
  const { name, value, bytes: said } = outcomeOf(read);
  const rawId = ids.find((one) => jsonIn(one) === id) ?? JSON.stringify(id);
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"${name}":`);
  return {
    message: { jsonrpc: "2.0", id: id as string, [name]: value },
    bytes: Buffer.concat([head, said, Buffer.from("}")]),
  };
}
