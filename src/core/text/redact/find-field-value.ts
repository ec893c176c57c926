import { type Finder, isMasked } from "./mask.ts";
import { readName } from "./read-pair.ts";
import { labelOfName } from "./secret-name.ts";
import { isPlaceholder } from "./stand-in.ts";
import { bareEnd, quotedEnd } from "./value-end.ts";

/** A tag is read so far to either side. */
const MAX_TAG = 1_024;
const tagStart = /<(?:input|add|param|property|setting|entry)\b(?![^]*[<>])/i;
const escapedStart = /\\u003[cC](?:input|add|param|property|setting|entry)\b(?![^]*(?:[<>]|\\u003[ceCE]))/i;
const namingAttribute = /[\s"'](?:type|name|key|id)\s{0,2}=\s{0,2}\\{0,7}["']?$/i;
const valueAttribute = /[\s"']value\s{0,2}=\s{0,2}(?:(?<slashes>\\{0,7})(?<quote>["']))?/gi;

/** Finds the value of `<input type="password" value="…">`, in either order, and of `<add key="Password" value="…"/>`. */
export const findFieldValue: Finder = (text, at, end, from) => {
  const name = readName(text, at, end, from);
  if (!namingAttribute.test(text.slice(Math.max(from, name.start - 24), name.start))) return undefined;
  const label = labelOfName(name.text);
  if (label === undefined) return undefined;
  const floor = Math.max(from, name.start - MAX_TAG);
  const before = text.slice(floor, name.start);
  const opened = tagStart.exec(before) ?? escapedStart.exec(before);
  if (opened === null) return undefined;
  const tagAt = floor + opened.index;
  const behind = text.slice(name.end, name.end + MAX_TAG);
  const close = behind.search(/>|\\u003[eE]/);
  const tag = text.slice(tagAt, close < 0 ? name.end + MAX_TAG : name.end + close);
  const found = tag.matchAll(valueAttribute).next().value;
  if (found === undefined) return undefined;
  const { slashes = "", quote = "" } = found.groups ?? {};
  const start = tagAt + found.index + found[0].length;
  const last =
    quote === "" ? bareEnd(text, start, start + MAX_TAG) : quotedEnd(text, start, quote, slashes.length);
  const value = text.slice(start, last);
  const isSecret =
    /[A-Za-z0-9]/.test(value) &&
    !isMasked(value) &&
    !isPlaceholder(value) &&
    labelOfName(value) === undefined;
  return isSecret ? { start, end: last, label } : undefined;
};
