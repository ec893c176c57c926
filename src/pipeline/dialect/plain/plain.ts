import type { Outcome } from "../../../contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../json/json-value.ts";
import { asideOf, quietPresence, readAside } from "../aside.ts";
import type { Dialect, RenderOptions } from "../dialect.ts";
import { checkResult, jsonOrText, resultRules, textsOf, toolResultSchema } from "../result-rules.ts";
import { untypedFault, untypedFaultLosses } from "../untyped-fault.ts";

function render(outcome: Outcome, options: RenderOptions): JsonValue {
  const aside = asideOf(quietPresence, outcome, options);
  const said = outcome.ok ? JSON.stringify(outcome.data) : outcome.fault.message;
  const texts = [said, ...(aside === undefined ? [] : [JSON.stringify(aside)])];
  const content = texts.map((text) => ({ type: "text", text }));
  if (!outcome.ok) return { content, isError: true };
  // Legacy clients accept only objects here; other values travel as text alone.
  return isJsonObject(outcome.data) ? { content, structuredContent: outcome.data } : { content };
}

function read(json: JsonValue): Outcome {
  const result = json as JsonObject;
  const texts = textsOf(result);
  const last = texts.length > 1 ? readAside(texts.at(-1) ?? "") : undefined;
  const notes = last ?? {};
  const said = last === undefined ? texts : texts.slice(0, -1);
  if (result["isError"] === true) return { ok: false, fault: untypedFault(said.join("\n")), notes };
  const structured = result["structuredContent"];
  if (structured !== undefined) return { ok: true, data: structured, notes };
  const [only = "", ...more] = said;
  return { ok: true, data: more.length > 0 ? [only, ...more].join("\n") : jsonOrText(only), notes };
}

/** MCP as it is: the tool's own data as structuredContent and text, failures as isError text. */
export const plain: Dialect = {
  id: "plain",
  says: "MCP as it is: structuredContent and its text, or isError text",
  level: "result",
  presence: quietPresence,
  schema: toolResultSchema,
  rules: Object.values(resultRules),
  losses: untypedFaultLosses,
  render,
  check: checkResult,
  read,
};
