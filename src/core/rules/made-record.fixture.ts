// Records made by hand, so that each rule can be shown what it is about and nothing else.

import type { JsonObject } from "../json/json-value.ts";
import type { CallRecord, RecordedReply, ServerRecord, ToolRecord } from "./server-record.ts";
import type { JudgeTools, ServerRule, RuleVerdict } from "./server-rule.ts";

/** A tool that a record lists. */
export function madeTool(name: string, definition: JsonObject = {}): ToolRecord {
  return {
    name,
    definition: { name, description: "Does it.", inputSchema: { type: "object" }, ...definition },
    tokens: 20,
    isReadOnly: true,
  };
}

export type MadeCall = Partial<CallRecord> & {
  readonly result?: JsonObject | undefined;
  readonly error?: JsonObject | undefined;
};

function replyOf({ result, error, reply }: MadeCall): RecordedReply {
  if (reply !== undefined) return reply;
  return error === undefined ? { kind: "result", result: result ?? text("fine") } : { kind: "error", error };
}

/** A result with texts. */
export function text(...texts: readonly string[]): JsonObject {
  return { content: texts.map((each) => ({ type: "text", text: each })) };
}

/** The same as a failure. */
export function failure(...texts: readonly string[]): JsonObject {
  return { ...text(...texts), isError: true };
}

/** A structure with its exact JSON as a text. */
export function structure(structuredContent: JsonObject): JsonObject {
  return { ...text(JSON.stringify(structuredContent)), structuredContent };
}

/** A record of calls; each has its place as its index. */
export function madeRecord(calls: readonly MadeCall[], changes: Partial<ServerRecord> = {}): ServerRecord {
  const made = calls.map(({ result, error, ...call }, index): CallRecord => ({
    index,
    tool: "search",
    purpose: "valid",
    arguments: {},
    durationMs: 5,
    bytes: 100,
    tokens: { text: 10, structured: 0 },
    ...call,
    reply: replyOf({ result, error, ...call }),
  }));
  return {
    target: "node server.js",
    transport: "stdio",
    era: "legacy",
    protocolVersion: "2025-11-25",
    greeting: { kind: "result", result: { serverInfo: { name: "made", version: "1" } } },
    listings: [],
    tools: [madeTool("search")],
    calls: made,
    problems: [],
    messages: [],
    dialect: undefined,
    exchanges: [],
    ...changes,
  };
}

/** Judges by required keys alone, which is enough to break a schema or keep it. */
export const madeTools: JudgeTools = {
  validate: (schema, value) => {
    const { required = [], $ref: ref } = schema as { required?: readonly string[]; $ref?: string };
    if (ref !== undefined) return Promise.resolve({ errors: [], problem: `cannot follow ${ref}` });
    const missing = required.filter((key) => !Object.hasOwn(value as object, key));
    return Promise.resolve({ errors: missing.map((key) => `${key} is missing`) });
  },
  countTokens: ({ length }) => Math.ceil(length / 4),
};

/** What a rule of a group says of a record: its findings in words, or that it is untested. */
export async function judgeBy(
  rules: readonly ServerRule[],
  id: string,
  record: ServerRecord,
): Promise<readonly string[] | "untested"> {
  const rule = rules.find((each) => each.id === id);
  if (rule === undefined) throw new Error(`There is no rule ${id}`);
  const verdict: RuleVerdict = await rule.judge(record, madeTools);
  if ("untested" in verdict) return "untested";
  return verdict.map(({ tool = "the server", message }) => `${tool}: ${message}`);
}
