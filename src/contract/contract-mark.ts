// What a result says of the contract it was written under, in `_meta["waybill/contract"]`. Some clients show `_meta` to
// their models, so in `minimal` it is one short text: `"response-v2"`, or `"plain as_sent"`. Every other profile has to
// be named and writes an object. Readers take both forms.

import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { AS_SENT, CONTRACT_META_KEY, NOTES_META_KEY } from "./wire-names.ts";

/** The profile that the short form stands for. */
export const SHORT_PROFILE = "minimal";

/** The mark of a result. `isAsSent`: its blocks are those of the server, and only notes follow them. */
export function contractMark(dialect: string, profile: string, isAsSent: boolean): JsonValue {
  if (profile === SHORT_PROFILE) return isAsSent ? `${dialect} ${AS_SENT}` : dialect;
  return isAsSent ? { dialect, profile, content: AS_SENT } : { dialect, profile };
}

/** A mark as an object, whichever form it has; undefined for anything else. */
export function readMark(mark: unknown): JsonObject | undefined {
  if (typeof mark !== "string") return isJsonObject(mark) ? mark : undefined;
  const [dialect = "", content] = mark.split(" ", 2);
  if (dialect === "") return undefined;
  const named = { dialect, profile: SHORT_PROFILE };
  return content === undefined ? named : { ...named, content };
}

/** The mark in a result's, or a request's, `_meta`. */
export function markIn(meta: unknown): JsonObject | undefined {
  return isJsonObject(meta) ? readMark(meta[CONTRACT_META_KEY]) : undefined;
}

/** `_meta` of a server's result without the notes of its own contract: they are about the call behind this one. */
export function withoutNotes(meta: JsonObject): JsonObject {
  if (meta[NOTES_META_KEY] === undefined) return meta;
  const { [NOTES_META_KEY]: _notes, ...others } = meta;
  return others;
}
