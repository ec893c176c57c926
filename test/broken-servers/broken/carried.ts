import { readFileSync } from "node:fs";
import type { BrokenServer } from "../broken-server.ts";
import { plainText } from "../good-server.ts";
import { type Json, type RawServer, isObject } from "../raw-server.ts";
import { sampleTool, underContract } from "../sample-tool.ts";

/** A response that breaks one rule of a dialect; `waybill validate` is tried on the same files. */
interface Twin {
  readonly file: string;
  readonly rule: string;
  readonly dialect: string;
  readonly level: "envelope" | "result";
}

// The servers are started at the root of the repository, bundled or not.
const folder = "test/fixtures/broken";
const read = (file: string): unknown => JSON.parse(readFileSync(`${folder}/${file}`, "utf8"));

const isFailed = (json: Json): boolean =>
  json["success"] === false || (json["success"] === undefined && (json["error"] ?? null) !== null);

/** The tool result that carries a twin, and names the dialect it is in. */
function resultOf({ file, dialect, level }: Twin): unknown {
  const json = read(file);
  if (level === "result") return isObject(json) ? underContract(dialect, json) : json;
  const text = plainText(JSON.stringify(json));
  if (!isObject(json)) return underContract(dialect, text);
  const flag = isFailed(json) ? { isError: true } : {};
  return underContract(dialect, { ...text, structuredContent: json, ...flag });
}

/** A rule of a dialect whose breach is one of a rule for every dialect, too. */
const alsoBroken: Readonly<Record<string, readonly string[]>> = { "scalpel/no-code": ["error/leaks-code"] };

function carrier(twin: Twin): BrokenServer {
  return {
    rule: twin.rule,
    implies: alsoBroken[twin.rule],
    change: (server: RawServer) => {
      server.tools = [sampleTool("show_sample", () => resultOf(twin) as Json)];
    },
  };
}

/** Broken by servers of their own, because a check sees more than one result; two are no rules of a check. */
const others = new Set(["result/object", "envelope/missing", "result/mirror", "result/is-error-missing"]);
const twins = (read("index.json") as readonly Twin[]).filter(
  // What is wrong with the text of a JSON file cannot be sent inside a message that is JSON.
  ({ rule }) => !rule.startsWith("json/") && !others.has(rule),
);

/** Tools that answer with a response that breaks a rule of its dialect. */
export const brokenResponses: readonly BrokenServer[] = twins.map(carrier);
