// Rules about a tool as its author wrote it: what neither a list nor a call shows. The rules of a check judge the rest.

import type { Budget } from "../../pipeline/pipeline-context.ts";
import type { Rule } from "../../contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { codeIn } from "../../text/source-code.ts";

/** A place in a tool's arguments whose schema no JSON satisfies. */
export interface ImpossibleInput {
  /** JSON Pointer into the definition. */
  readonly path: string;
  /** The kind of value that the schema asks for, such as `date`. */
  readonly kind: string;
  /** What to write instead. */
  readonly fix: string;
}

/** What a lint knows of a tool. */
export interface AuthoredTool {
  readonly name: string;
  /** The problems of the tool's options, each with the option's name. */
  readonly wrongOptions: readonly { readonly option: string; readonly message: string }[];
  /** Why the tool cannot be listed; undefined if it can. */
  readonly unlistable: string | undefined;
  /** The author's own schemas, before the contract adds to them. */
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
  readonly impossibleInputs: readonly ImpossibleInput[];
  /** The texts of the declared faults, each with its place in the options. */
  readonly faultTexts: readonly { readonly path: string; readonly text: string }[];
  /** The source of the handler; undefined if there is none to read. */
  readonly handlerText: string | undefined;
  /** The tool has the option `paging`. */
  readonly isPaged: boolean;
  /** The budget that its results are cut to under its contract. */
  readonly budget: Budget | undefined;
}

/** What is wrong at one place of a tool's options. */
interface AuthorProblem {
  readonly path: string;
  readonly message: string;
}

interface AuthorRule extends Rule {
  readonly judgeTool: (tool: AuthoredTool) => readonly AuthorProblem[];
}

function defineAuthorRules(
  rows: Readonly<Record<string, Omit<AuthorRule, "id" | "level">>>,
): readonly AuthorRule[] {
  return Object.entries(rows).map(([id, row]) => ({ id, level: "tool", ...row }));
}

function judgeOptions({ wrongOptions }: AuthoredTool): AuthorProblem[] {
  return wrongOptions.map(({ option, message }) => ({ path: pointerTo(option), message }));
}

/** Options are named with dots, places in a definition with slashes. */
function pointerTo(option: string): string {
  return option === "" ? "" : `/${option.replaceAll(".", "/")}`;
}

function judgeListable({ unlistable }: AuthoredTool): AuthorProblem[] {
  return unlistable === undefined ? [] : [{ path: "", message: unlistable }];
}

function judgePossible({ impossibleInputs }: AuthoredTool): AuthorProblem[] {
  return impossibleInputs.map(({ path, kind, fix }) => ({
    path,
    message: `JSON has no ${kind === "nan" ? "NaN" : kind}, so every call that sends this is refused. ${fix}`,
  }));
}

function judgeFaultTexts({ faultTexts }: AuthoredTool): AuthorProblem[] {
  return faultTexts.flatMap(({ path, text }) =>
    codeIn(text) === undefined
      ? []
      : [{ path, message: "The text of a declared fault contains source code" }],
  );
}

/** Arguments by which a caller limits how much is returned. */
const BOUNDS =
  /^(?:after|before|count|cursor|first|head|last|limit|max.*|n|offset|page.*|per_?page|size|skip|take|tail|top.*)$/i;

function takesBound(input: JsonObject | undefined): boolean {
  const properties = input?.["properties"];
  return isJsonObject(properties) && Object.keys(properties).some((key) => BOUNDS.test(key));
}

/** A list whose schema sets no maximum length. */
function isOpenList(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema["type"] === "array" && schema["maxItems"] === undefined;
}

/** A name that suggests a list: the only sign if a tool has no output schema. */
const LISTS = /(?:^|[^a-z])(?:list|query|search)(?![a-z])/;

function isListName(name: string): boolean {
  return LISTS.test(name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase());
}

/** The place of a list without a maximum length in a tool's result; undefined if none is known. */
function openListIn({ name, output }: AuthoredTool): string | undefined {
  if (output === undefined) return isListName(name) ? "" : undefined;
  if (isOpenList(output)) return "/outputSchema";
  const { properties } = output;
  if (!isJsonObject(properties)) return undefined;
  const found = Object.keys(properties).find((key) => isOpenList(properties[key]));
  return found === undefined ? undefined : `/outputSchema/properties/${found}`;
}

function judgeLists(tool: AuthoredTool): AuthorProblem[] {
  const { isPaged, input, budget } = tool;
  const hasBudget = budget === undefined || budget.tokens !== "off" || budget.bytes !== "off";
  if (isPaged || hasBudget || takesBound(input)) return [];
  const path = openListIn(tool);
  if (path === undefined) return [];
  const message = "The result is a list without an end: the tool has no paging, no limit and no budget";
  return [{ path, message }];
}

const MAX_HANDLER_LENGTH = 100_000;
/** Texts and comments: what they say is not done. */
const unread = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|\/\*[^]*?\*\//g;
const failedFlag = /(?:^|[\s,])success\s*:\s*(?:false|!1)\b/;
const errorKey = /(?:^|[\s,])error\s*(?:[:,]|$)/;

/** Whether a handler writes `{ success: false, error }` itself. Only its text is looked at. */
function judgeFailures({ handlerText = "" }: AuthoredTool): AuthorProblem[] {
  const code = handlerText.slice(0, MAX_HANDLER_LENGTH).replaceAll(unread, '""');
  const isWritten = code.split(/[{}]/).some((part) => failedFlag.test(part) && errorKey.test(part.trimEnd()));
  const message = "The handler writes { success: false, error } itself: its code is guessed from the words";
  return isWritten ? [{ path: "", message }] : [];
}

/** What only the author of a tool can know and fix. */
export const authorRules: readonly AuthorRule[] = defineAuthorRules({
  "author/options": {
    severity: "MUST",
    says: "The options of a tool exist and have their types",
    fix: "Correct the option: defineTool() and a contract refuse the tool as it is.",
    source: "docs/server.md",
    judgeTool: judgeOptions,
  },
  "author/listable": {
    severity: "MUST",
    says: "`tools/list` can show the tool: its schemas have a JSON Schema, and its arguments are an object",
    fix: "Correct the schema: the server would not start with the tool as it is.",
    source: "docs/server.md",
    judgeTool: judgeListable,
  },
  "author/input-possible": {
    severity: "MUST",
    says: "Every argument can be sent as JSON: no date, bigint, map or set is asked for (schemas of Zod)",
    fix: "Describe what is sent, and make the value of it with .transform() or z.coerce.",
    source: "docs/server.md; MCP 2025-06-18, tools/call: arguments are JSON",
    judgeTool: judgePossible,
  },
  "author/fault-text": {
    severity: "SHOULD",
    says: "What a declared fault says has no source code in it",
    fix: "Say in words when it happens and what to do: callers read it, and scalpel sends no code in an error.",
    source: "docs/server.md; seed 002, Error Model",
    judgeTool: judgeFaultTexts,
  },
  "author/failure-by-hand": {
    severity: "MAY",
    says: "A handler says the code of its failure",
    fix: "Return errorResponse(message, { errorCode }), or throw a fault such as faults.notFound(…).",
    source: "docs/server.md; docs/errors.md",
    judgeTool: judgeFailures,
  },
  "author/list-bounded": {
    severity: "SHOULD",
    says: "A tool whose result is a list has pages, a limit or a budget",
    fix: "Set `paging: true` and return `ctx.page(…)`, take a `limit`, or leave the budget on.",
    source: "docs/server.md; clients cut or refuse answers above 10,000 to 25,000 tokens",
    judgeTool: judgeLists,
  },
});
