import * as z from "zod/mini";
import type { Outcome } from "../../../contract/outcome.ts";
import type { JsonObject, JsonValue } from "../../../json/json-value.ts";
import { asideOf, quietPresence, splitAside } from "../aside.ts";
import { type Dialect, type RenderOptions, untypedFault, untypedFaultLosses } from "../dialect.ts";
import { isOurs, jsonOrText, textsOf } from "../result-rules.ts";
import { ERROR_PREFIX, check, rules } from "./check.ts";

function render(outcome: Outcome, options: RenderOptions): JsonValue {
  const aside = asideOf(quietPresence, outcome, options);
  const said = outcome.ok ? JSON.stringify(outcome.data) : `${ERROR_PREFIX}${outcome.fault.message}`;
  const texts = [said, ...(aside === undefined ? [] : [JSON.stringify(aside)])];
  const content = texts.map((text) => ({ type: "text", text }));
  return outcome.ok ? { content } : { content, isError: true };
}

/** Every item of a success is JSON, and every item of a failure begins alike: so does text beside the data. */
function writeBeside(text: string, { ok }: Outcome): string {
  return ok ? JSON.stringify(text) : `${ERROR_PREFIX}${text}`;
}

function readBeside(text: string): string {
  const said = jsonOrText(text);
  return typeof said === "string" ? said : text;
}

/** One item is the result itself; several are a list of results, unless we wrote them: then the last is the result. */
function read(json: JsonValue): Outcome {
  const result = json as JsonObject;
  const { texts: all, notes } = splitAside(textsOf(result));
  const texts = isOurs(result) ? all.slice(-1) : all;
  if (result["isError"] === true) {
    const messages = texts.map((text) =>
      text.startsWith(ERROR_PREFIX) ? text.slice(ERROR_PREFIX.length) : text,
    );
    return { ok: false, fault: untypedFault(messages.join("\n")), notes };
  }
  const items = texts.map(jsonOrText);
  return { ok: true, data: items.length > 1 ? items : (items[0] ?? null), notes };
}

const item = z.looseObject({ type: z.literal("text"), text: z.string() });

/** The two-level schema of seed 003: bare JSON as text, and `Error executing tool: …` on failure. */
export const drf: Dialect = {
  id: "drf",
  says: 'bare JSON as text; a failure is "Error executing tool: …" with isError',
  level: "result",
  presence: quietPresence,
  schema: z
    .looseObject({ content: z.array(item).check(z.minLength(1)), isError: z.optional(z.literal(true)) })
    .register(z.globalRegistry, { id: "DrfResult" }),
  rules,
  losses: untypedFaultLosses,
  render,
  writeBeside,
  readBeside,
  check,
  read,
};
