import { markIn } from "../../contract/contract-mark.ts";
import { AS_SENT } from "../../contract/wire-names.ts";
import * as z from "zod/mini";
import { type Violation, defineRules, violate, type Rule } from "../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import { parseJson } from "../../json/parse-json.ts";
import { describeIssue } from "../../contract/describe-issue.ts";
import { appendPointer } from "../../json/pointer.ts";

const source = "MCP, tools/call";

/** Rules on an MCP tool result, for every dialect. */
export const resultRules = defineRules("result", {
  "result/object": {
    severity: "MUST",
    says: "A tool result is an object.",
    fix: 'Send {"content": […]}.',
    source,
  },
  "result/content": {
    severity: "MUST",
    says: "content is a list of blocks with a known type and that type's fields.",
    fix: "Send text, image, audio, resource_link or resource blocks.",
    source,
  },
  "result/is-error-type": {
    severity: "MUST",
    says: "isError is a boolean.",
    fix: "Send true on failure and leave it out on success.",
    source,
  },
  "result/structured-type": {
    severity: "SHOULD",
    says: "structuredContent is an object.",
    fix: "Wrap the value in an object: clients before 2026-07-28 accept nothing else.",
    source,
  },
  "result/mirror": {
    severity: "SHOULD",
    says: "A text says what structuredContent says, or an author's own text is in its place where both are too long.",
    fix: "Send the JSON of structuredContent as a text block, after the text you wrote yourself.",
    source: `${source}; docs/contract.md, DRF and JSON-RPC`,
  },
});

const text = z.looseObject({ type: z.literal("text"), text: z.string() });
const media = z.looseObject({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() });
const link = z.looseObject({ type: z.literal("resource_link"), uri: z.string(), name: z.string() });
const resource = z.looseObject({ type: z.literal("resource"), resource: z.looseObject({ uri: z.string() }) });

const block = z.discriminatedUnion("type", [text, media, link, resource], {
  error: (issue) => (issue.code === "invalid_union" ? "is not a type of content block" : undefined),
});

const contentSchema = z.array(block);

export const toolResultSchema = z
  .looseObject({
    content: contentSchema,
    structuredContent: z.optional(z.unknown()),
    isError: z.optional(z.boolean()),
  })
  .register(z.globalRegistry, { id: "ToolResult" });

/** The text of each text block, in order. */
export function blockTexts(result: JsonObject): string[] {
  const content = Array.isArray(result["content"]) ? result["content"] : [];
  const texts = content
    .filter(isJsonObject)
    .map((block) => (block["type"] === "text" ? block["text"] : undefined));
  return texts.filter((found) => typeof found === "string");
}

/** Whether a result names the contract it was written under. */
export function isOurs({ _meta: meta }: JsonObject): boolean {
  return markIn(meta) !== undefined;
}

/** Whether the blocks are the server's own, followed only by notes. */
export function isAsSent({ _meta: meta }: JsonObject): boolean {
  return markIn(meta)?.["content"] === AS_SENT;
}

/** The JSON in a text; undefined if it is not JSON, or if parsing would change a number or drop a key. */
function jsonOf(source: string | undefined): JsonValue | undefined {
  if (source === undefined) return undefined;
  const parsed = parseJson(source);
  return parsed.ok && parsed.findings.every((finding) => finding.kind === "lone-surrogate")
    ? parsed.value
    : undefined;
}

/** The JSON in a text, else the text itself. */
export function jsonOrText(source: string): JsonValue {
  const json = jsonOf(source);
  return json === undefined ? source : json;
}

/** Whether the mirror was left out: over the budget, beside an author's text, only the envelope's notes may remain. */
function isLeftOut(result: JsonObject, { meta = {} }: JsonObject): boolean {
  const texts = blockTexts(result);
  const isNotes = (said: string): boolean => jsonEqual(jsonOrText(said), { meta });
  return texts.some((said) => !said.startsWith('{"meta":')) && (isOurs(result) || texts.some(isNotes));
}

/** Checks the shape of content and isError, and `mirror` if both channels are present. */
export function checkToolResult(json: JsonValue): Violation[] {
  if (!isJsonObject(json)) return [violate(resultRules["result/object"], "", "The result is not an object")];
  const { content, structuredContent, isError } = json;
  const rule = resultRules["result/content"];
  const found =
    content === undefined
      ? [violate(rule, "", "content is missing")]
      : checkShape(rule, contentSchema, content, "/content");
  if (isError !== undefined && typeof isError !== "boolean") {
    found.push(violate(resultRules["result/is-error-type"], "/isError", "isError is not a boolean"));
  }
  if (structuredContent === undefined) return found;
  if (!isJsonObject(structuredContent)) {
    return [
      ...found,
      violate(
        resultRules["result/structured-type"],
        "/structuredContent",
        "structuredContent is not an object",
      ),
    ];
  }
  const mirrored =
    isLeftOut(json, structuredContent) ||
    blockTexts(json).some((said) => jsonEqual(jsonOrText(said), structuredContent));
  if (found.length === 0 && !mirrored) {
    found.push(violate(resultRules["result/mirror"], "/content", "No text block mirrors structuredContent"));
  }
  return found;
}

const SHOWN_CHARACTERS = 60;

/** A text of the input in quotation marks: short, and with control characters escaped. */
export function quote(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f]/g,
    (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`,
  );
}

/** Violations of a Zod shape under one rule, one for each place; `byKey` names a finer rule for a property. */
export function checkShape(
  rule: Rule,
  schema: z.ZodMiniType,
  value: JsonValue,
  path: string,
  byKey: Readonly<Record<string, Rule>> = {},
): Violation[] {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return [];
  const byPlace = new Map<string, Violation>();
  for (const issue of parsed.error.issues) {
    const steps = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    const at = steps.reduce<string>(appendPointer, path);
    if (byPlace.has(at)) continue;
    // The key comes from the input, so `constructor` must not find Object's own.
    const key = steps.map(String).find((step) => Object.hasOwn(byKey, step));
    const named = key === undefined ? undefined : byKey[key];
    byPlace.set(at, violate(named ?? rule, at, `${at === "" ? "The root" : at} ${issue.message}`));
  }
  return [...byPlace.values()];
}
