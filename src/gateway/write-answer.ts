import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { foreignBehind } from "../wire/foreign-result.ts";
import { memberSpans } from "../link/raw-message.ts";

/** The bytes of the message that a server's result came in, where they are known. */
type BytesOf = (foreign: object) => Buffer | undefined;

/** The texts of the members of the server's `_meta`; undefined where they read as they are written. */
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

/** A result of ours as text. What the server said in its `_meta` stays the text that it was. */
function writeResult(result: JsonObject, bytesOf: BytesOf): string {
  const { _meta: meta, ...rest } = result;
  const foreign = foreignBehind(result);
  if (foreign === undefined || !isJsonObject(meta) || !isJsonObject(foreign["_meta"]))
    return JSON.stringify(result);
  const bytes = bytesOf(foreign);
  const raw = bytes && rawMeta(foreign, bytes);
  if (raw === undefined) return JSON.stringify(result);
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head}${head === "{" ? "" : ","}"_meta":${writeMeta(meta, foreign["_meta"], raw)}}`;
}

/** An answer as text, under the text of its request's id: a number that JavaScript reads may be written as another one. */
export function writeAnswer({ result, error }: JsonObject, rawId: string, bytesOf: BytesOf): string {
  const said = isJsonObject(result)
    ? `"result":${writeResult(result, bytesOf)}`
    : `"error":${JSON.stringify(error ?? null)}`;
  return `{"jsonrpc":"2.0","id":${rawId},${said}}`;
}
