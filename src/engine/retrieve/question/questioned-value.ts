import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { type JsonValue, setOwn, isJsonObject } from "../../../core/json/json-value.ts";
import { decodeTables } from "../../../core/json/table/decode-tables.ts";
import { sha256Hex } from "../../runtime/sha256-hex.ts";
import { WRAPPER, ownValue } from "./own-value.ts";
import type { SourceBytes } from "./question-messages.ts";
import { type ReadNotes, readQuestionedJson } from "./read-json.ts";
import type { Meter } from "./meter.ts";

/** The value of a question, and the length of its text. */
export interface ReadSource {
  readonly value: JsonValue;
  readonly bytes: number;
}

/** The value that came as pieces of JSON text. */
export function readTexts(texts: readonly string[], notes: ReadNotes): ReadSource {
  const text = texts.join("");
  return { value: readQuestionedJson(text, notes), bytes: text.length };
}

/** The value that came as bytes; throws a `ToolFault` if they do not match their hash. */
export function readQuestionedBytes(source: SourceBytes, notes: ReadNotes): ReadSource {
  const { bytes, sha256, hasTables, isText } = source;
  if (sha256 !== undefined && sha256Hex(bytes) !== sha256)
    throw new ToolFault("The archive's bytes do not have the hash they are stored under.", {
      errorCode: "NOT_FOUND",
      remediation: "Call the tool again: what was archived is damaged.",
      details: { reason: "hash_mismatch" },
    });
  const length = bytes.byteLength;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString("utf8");
  release(bytes.buffer);
  return { value: isText ? text : parse(text, hasTables, notes), bytes: length };
}

/** Frees memory that the collector would keep until much later: parsing the text comes next, and needs it. */
function release(buffer: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  // A buffer that is sent to a closed port is freed.
  port1.postMessage(undefined, [buffer]);
  port1.close();
}

/** A text that is not JSON after all stays a text. */
function parse(text: string, hasTables: boolean, notes: ReadNotes): JsonValue {
  try {
    const value = readQuestionedJson(text, notes);
    return hasTables ? decodeTables(value) : value;
  } catch {
    return text;
  }
}

/** The value of `@`, and the value around it with its key, if there is one. */
interface OwnQuestioned {
  readonly inner: JsonValue;
  readonly around?: { readonly key: string; readonly value: JsonValue } | undefined;
}

/** The value of `@`: the value itself if nothing is around it. */
export function unwrapped(value: JsonValue, notes: ReadNotes): OwnQuestioned {
  const own = ownValue(value);
  if (own !== value) return { inner: openText(own, notes), around: { key: WRAPPER, value } };
  const text = textInField(value, notes);
  if (text === undefined) return { inner: value };
  const around: Record<string, JsonValue> = {};
  setOwn(around, text.key, text.opened);
  return { inner: text.opened, around: { key: text.key, value: around } };
}

// Servers send JSON as text, whole or in a field such as `content`: a question is about the parsed text. Only
// a text that begins and ends like JSON is tried, and each text once.

/** How much white space is skipped at each end. */
const MAX_SPACE = 64;
/** A text is about this many times as long as the number of values in it. */
const TEXT_PER_VALUE = 8;
/** How many parsed texts are kept while a question is answered. */
const MAX_KEPT = 64;

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text.slice(0, MAX_SPACE)) && /[\]}]\s*$/.test(text.slice(-MAX_SPACE));
}

/** The parsed value of a text that is a JSON list or object; any other value unchanged. */
export function openText(value: JsonValue, notes: ReadNotes): JsonValue {
  if (typeof value !== "string" || !looksLikeJson(value)) return value;
  try {
    return readQuestionedJson(value, notes);
  } catch {
    return value;
  }
}

/** Opens texts inside a value when a question asks for something that texts do not have: a key, an item. */
export class InnerTexts {
  readonly #meter: Meter;
  readonly #kept = new Map<string, JsonValue>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  open(value: JsonValue): JsonValue {
    if (typeof value !== "string" || !looksLikeJson(value)) return value;
    const known = this.#kept.get(value);
    if (known !== undefined) return known;
    this.#meter.values(Math.ceil(value.length / TEXT_PER_VALUE));
    const opened = openText(value, this.#meter.notes);
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(value, opened);
    return opened;
  }
}

/** An object whose only value is a text of JSON. */
interface TextInField {
  readonly key: string;
  readonly opened: JsonValue;
}

/** The text of JSON under an object's only key, as in `{"content": "[…]"}`. */
function textInField(value: JsonValue, notes: ReadNotes): TextInField | undefined {
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value);
  const [key] = keys;
  if (key === undefined || keys.length !== 1) return undefined;
  const text = value[key] ?? null;
  const opened = openText(text, notes);
  return opened === text ? undefined : { key, opened };
}
