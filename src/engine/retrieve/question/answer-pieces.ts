// An answer on its way to the thread that asked. Parsing a long text would block that thread, so a long
// answer comes in pieces that are parsed one by one and joined.

import { jsonLengthAtLeast } from "../../../core/json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../../core/json/json-value.ts";

/** The approximate length of a piece's text, which is parsed in a millisecond or two. */
const PIECE_LENGTH = 128 * 1024;

export type AnswerPiece =
  /** A whole value. */
  | { readonly kind: "value"; readonly json: string }
  /** A text that is itself long; it is not parsed. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open"; readonly isList: boolean }
  /** Some of the items or members of the open list or object. */
  | { readonly kind: "inner"; readonly json: string }
  /** The key of the next value. */
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "close" };

function isShort(value: JsonValue): boolean {
  return jsonLengthAtLeast(value, PIECE_LENGTH) <= PIECE_LENGTH;
}

/** A value as pieces, made on demand: a piece that is never taken is never written. */
export function* piecesOf(value: JsonValue): Generator<AnswerPiece> {
  if (isShort(value)) yield { kind: "value", json: JSON.stringify(value) };
  else if (typeof value === "string") yield { kind: "text", text: value };
  else if (Array.isArray(value)) yield* piecesOfList(value as readonly JsonValue[]);
  else yield* piecesOfObject(value as JsonObject);
}

function* piecesOfList(items: readonly JsonValue[]): Generator<AnswerPiece> {
  yield { kind: "open", isList: true };
  let batch: JsonValue[] = [];
  let length = 0;
  for (const item of items) {
    const own = jsonLengthAtLeast(item, PIECE_LENGTH);
    if (batch.length > 0 && length + own > PIECE_LENGTH) {
      yield { kind: "inner", json: JSON.stringify(batch) };
      [batch, length] = [[], 0];
    }
    if (own > PIECE_LENGTH) yield* piecesOf(item);
    else {
      batch.push(item);
      length += own + 1;
    }
  }
  if (batch.length > 0) yield { kind: "inner", json: JSON.stringify(batch) };
  yield { kind: "close" };
}

function* piecesOfObject(object: JsonObject): Generator<AnswerPiece> {
  yield { kind: "open", isList: false };
  let batch: Record<string, JsonValue> = {};
  let length = 0;
  for (const [key, item] of Object.entries(object)) {
    const own = key.length + jsonLengthAtLeast(item, PIECE_LENGTH);
    if (length > 0 && length + own > PIECE_LENGTH) {
      yield { kind: "inner", json: JSON.stringify(batch) };
      [batch, length] = [{}, 0];
    }
    if (own > PIECE_LENGTH) {
      yield { kind: "key", key };
      yield* piecesOf(item);
    } else {
      setOwn(batch, key, item);
      length += own + 4;
    }
  }
  if (length > 0) yield { kind: "inner", json: JSON.stringify(batch) };
  yield { kind: "close" };
}

interface Open {
  readonly value: JsonValue[] | Record<string, JsonValue>;
  key: string;
}

/** Joins pieces; `add` returns the whole value with the last piece, and undefined before. */
export class PieceJoiner {
  readonly #open: Open[] = [];

  add(piece: AnswerPiece): JsonValue | undefined {
    const current = this.#open.at(-1);
    switch (piece.kind) {
      case "value":
        return this.#put(JSON.parse(piece.json) as JsonValue);
      case "text":
        return this.#put(piece.text);
      case "open":
        this.#open.push({ value: piece.isList ? [] : {}, key: "" });
        return undefined;
      case "key":
        if (current !== undefined) current.key = piece.key;
        return undefined;
      case "inner":
        if (current !== undefined) putAll(current.value, JSON.parse(piece.json) as JsonValue);
        return undefined;
      case "close":
        break;
    }
    return this.#put(this.#open.pop()?.value ?? null);
  }

  #put(value: JsonValue): JsonValue | undefined {
    const current = this.#open.at(-1);
    if (current === undefined) return value;
    if (Array.isArray(current.value)) current.value.push(value);
    else setOwn(current.value, current.key, value);
    return undefined;
  }
}

function putAll(target: JsonValue[] | Record<string, JsonValue>, inner: JsonValue): void {
  if (Array.isArray(target)) for (const item of inner as readonly JsonValue[]) target.push(item);
  else if (isJsonObject(inner)) for (const [key, value] of Object.entries(inner)) setOwn(target, key, value);
}
