import { exactTextOf } from "../../core/json/exact-text.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { originalOf } from "../../engine/session/foreign-result.ts";
import { memberSpans } from "../../engine/transport/raw-message.ts";

/** The texts of the members of the server's `_meta`; undefined if JSON.stringify would write the same text. */
function rawMeta(foreign: JsonObject, bytes: Buffer): Map<string, string> | undefined {
  const text = bytes.toString();
  const result = memberSpans(text).get("result");
  const meta = result && memberSpans(text, result.start).get("_meta");
  if (meta === undefined) return undefined;
  if (text.slice(meta.start, meta.end) === JSON.stringify(foreign["_meta"])) return undefined;
  const members = memberSpans(text, meta.start);
  return new Map([...members].map(([name, { start, end }]) => [name, text.slice(start, end)]));
}

function writeMeta(meta: JsonObject, theirs: JsonObject, raw: ReadonlyMap<string, string>): string {
  const members = Object.entries(meta).map(([name, value]) => {
    const text = value === theirs[name] ? raw.get(name) : undefined;
    return `${JSON.stringify(name)}:${text ?? JSON.stringify(value)}`;
  });
  return `{${members.join(",")}}`;
}

/** The text of a result's `_meta`, if JSON.stringify would write the server's part differently. */
function metaText(result: JsonObject): string | undefined {
  const { _meta: meta } = result;
  const { said, bytes } = originalOf(result) ?? {};
  const theirs = said?.["_meta"];
  if (said === undefined || bytes === undefined || !isJsonObject(meta) || !isJsonObject(theirs))
    return undefined;
  const raw = rawMeta(said, bytes);
  return raw && writeMeta(meta, theirs, raw);
}

/** Writes a result of ours. The server's members of `_meta` and an unchanged structure keep their original text. */
export function writeResult(result: JsonObject): string {
  const structure = exactTextOf(result["structuredContent"]);
  const meta = metaText(result);
  if (structure === undefined && meta === undefined) return JSON.stringify(result);
  const members = Object.entries(result).map(([name, value]) => {
    const text = name === "structuredContent" ? structure : name === "_meta" ? meta : undefined;
    return `${JSON.stringify(name)}:${text ?? JSON.stringify(value)}`;
  });
  return `{${members.join(",")}}`;
}

/** Writes an answer with the text of its request's id, because JavaScript may write a number differently. */
export function writeAnswer({ result, error }: JsonObject, rawId: string): string {
  const said = isJsonObject(result) ? writeResult(result) : JSON.stringify(result);
  // A result of null is still a result.
  const outcome = said === undefined ? `"error":${JSON.stringify(error ?? null)}` : `"result":${said}`;
  return `{"jsonrpc":"2.0","id":${rawId},${outcome}}`;
}
