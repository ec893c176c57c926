import * as z from "zod/mini";
import type { Outcome } from "../../contract/outcome.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { base64In } from "../../contract/block-reference.ts";
import { asideOf, quietPresence, splitAside } from "./aside.ts";
import { type Dialect, type RenderOptions, untypedFault, untypedFaultLosses } from "./dialect.ts";
import { isOurs, jsonOrText, blockTexts, resultRules } from "./result-rules.ts";
import { type Violation, defineRules, violate } from "../../contract/rule.ts";
import { parseJson } from "../../json/parse-json.ts";

export const ERROR_PREFIX = "Error executing tool: ";

const noNotes: JsonObject = { meta: {} };

/** Data that looks like notes is followed by notes, if necessary empty: only the last item is ever read as notes. */
function looksLikeNotes(outcome: Outcome): boolean {
  if (!outcome.ok || !isJsonObject(outcome.data)) return false;
  const { meta, ...rest } = outcome.data;
  return isJsonObject(meta) && Object.keys(rest).length === 0;
}

function render(outcome: Outcome, options: RenderOptions): JsonValue {
  const notes = asideOf(quietPresence, outcome, options);
  const aside = notes ?? (looksLikeNotes(outcome) ? noNotes : undefined);
  // Every text of a failure has the same prefix, its notes too.
  const prefix = outcome.ok ? "" : ERROR_PREFIX;
  const said = outcome.ok ? JSON.stringify(outcome.data) : outcome.fault.message;
  const texts = [said, ...(aside === undefined ? [] : [JSON.stringify(aside)])].map((text) => prefix + text);
  const content = texts.map((text) => ({ type: "text", text }));
  return outcome.ok ? { content } : { content, isError: true };
}

/** Every item of a success is JSON and every item of a failure has the prefix, so this text too. */
function writeBeside(text: string, { ok }: Outcome): string {
  return ok ? JSON.stringify(text) : `${ERROR_PREFIX}${text}`;
}

/** The number of bytes that the base64 encodes. */
function sizeOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}

/** A block as JSON: a link or a text unchanged; of bytes only their type and size. */
function describeBlock(block: JsonObject): JsonObject {
  const base64 = base64In(block);
  if (base64 === undefined) return block;
  const size = sizeOf(base64);
  const { data: _data, resource, ...rest } = block;
  if (!isJsonObject(resource)) return { ...rest, size, left_out: LEFT_OUT };
  const { blob: _blob, ...about } = resource;
  return { ...rest, resource: { ...about, size }, left_out: LEFT_OUT };
}

const LEFT_OUT = "Only text is sent in this dialect, and the bytes were not kept";

function writeBlock(block: JsonObject, { ok }: Outcome): string {
  const said = JSON.stringify(describeBlock(block));
  return ok ? said : `${ERROR_PREFIX}${said}`;
}

/** An author's own text is a JSON string here, so an object must be a block. */
function readBlock(text: string): JsonObject | undefined {
  const said = jsonOrText(text);
  if (!isJsonObject(said) || said["left_out"] !== undefined) return undefined;
  const { type, uri, name, resource } = said;
  const isLink = type === "resource_link" && typeof uri === "string" && typeof name === "string";
  return isLink || (type === "resource" && isJsonObject(resource)) ? said : undefined;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** Seed 003 names the method that was not found, and says after the standard words what went wrong. */
function writeError(error: JsonObject, method: string): JsonObject {
  const { code, message } = error;
  if (code === METHOD_NOT_FOUND) return { ...error, message: `Method not found: ${method}` };
  if (code !== INTERNAL_ERROR || typeof message !== "string" || message.startsWith("Internal error"))
    return error;
  return { ...error, message: `Internal error: ${message}` };
}

function readBeside(text: string): string {
  const said = jsonOrText(text);
  return typeof said === "string" ? said : text;
}

function withoutPrefix(text: string): string {
  return text.startsWith(ERROR_PREFIX) ? text.slice(ERROR_PREFIX.length) : text;
}

/** One item is the result itself; several are a list of results. If Waybill wrote them, the last is the result. */
function read(json: JsonValue): Outcome {
  const result = json as JsonObject;
  const isError = result["isError"] === true;
  const sent = blockTexts(result);
  const { texts: all, notes } = splitAside(isError ? sent.map(withoutPrefix) : sent);
  const texts = isOurs(result) ? all.slice(-1) : all;
  if (isError) return { ok: false, fault: untypedFault(texts.join("\n")), notes };
  const items = texts.map(jsonOrText);
  return { ok: true, data: items.length > 1 ? items : (items[0] ?? null), notes };
}

const source = "seed 003, MCP Tool Level Schemas";

const drfRules = defineRules("result", {
  "drf/content": {
    severity: "MUST",
    says: "content is a list of at least one item.",
    fix: "Send one text item.",
    source,
  },
  "drf/item-type": {
    severity: "MUST",
    says: "Each item's type is text.",
    fix: "Send the item as text.",
    source,
  },
  "drf/item-text": {
    severity: "MUST",
    says: "Each item has a text.",
    fix: "Put the JSON of the result, or the error, into text.",
    source,
  },
  "drf/success-json": {
    severity: "MUST",
    says: "A success's text is JSON.",
    fix: "Serialise the result as JSON.",
    source,
  },
  "drf/success-flag": {
    severity: "MUST",
    says: "A success has no isError.",
    fix: "Leave isError out.",
    source,
  },
  "drf/error-prefix": {
    severity: "MUST",
    says: 'A failure\'s text starts with "Error executing tool: ".',
    fix: "Put the prefix before the message.",
    source,
  },
  "drf/error-flag": {
    severity: "MUST",
    says: "A failure has isError: true.",
    fix: "Set isError to true.",
    source,
  },
});

const own = drfRules;
const rules = [resultRules["result/object"], resultRules["result/is-error-type"], ...Object.values(drfRules)];

function checkItem(item: JsonValue, path: string): Violation[] {
  if (!isJsonObject(item) || item["type"] !== "text") {
    return [violate(own["drf/item-type"], path, "The item is not of type text")];
  }
  return typeof item["text"] === "string"
    ? []
    : [violate(own["drf/item-text"], path, "The item has no text")];
}

function checkSuccess(texts: readonly string[], isError: boolean | undefined): Violation[] {
  if (texts.some((text) => text.startsWith(ERROR_PREFIX))) {
    return [violate(own["drf/error-flag"], "/isError", "An error text comes without isError: true")];
  }
  const found = texts.flatMap((text, index) =>
    parseJson(text).ok
      ? []
      : [violate(own["drf/success-json"], `/content/${index}/text`, "The text is not JSON")],
  );
  if (isError === undefined) return found;
  return [violate(own["drf/success-flag"], "/isError", "A success carries isError"), ...found];
}

function checkFailure(texts: readonly string[]): Violation[] {
  return texts.flatMap((text, index) => {
    if (text.startsWith(ERROR_PREFIX)) return [];
    return [violate(own["drf/error-prefix"], `/content/${index}/text`, "The error text lacks its prefix")];
  });
}

function check(json: JsonValue): Violation[] {
  if (!isJsonObject(json)) return [violate(resultRules["result/object"], "", "The result is not an object")];
  const { content, isError } = json;
  if (isError !== undefined && typeof isError !== "boolean") {
    return [violate(resultRules["result/is-error-type"], "/isError", "isError is not a boolean")];
  }
  if (!Array.isArray(content) || content.length === 0) {
    return [violate(own["drf/content"], "/content", "content is missing or empty")];
  }
  const items = content.flatMap((item, index) => checkItem(item, `/content/${index}`));
  if (items.length > 0) return items;
  const texts = content.map((item) => (item as { text: string }).text);
  return isError === true ? checkFailure(texts) : checkSuccess(texts, isError);
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
  writeBlock,
  readBlock,
  writeError,
  readBeside,
  check,
  read,
};
