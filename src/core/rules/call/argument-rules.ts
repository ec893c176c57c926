// What a server does with arguments that its own schema forbids or allows, and with an unknown tool. A model corrects
// itself only if it is shown a result that names what was wrong.

import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer, getByPointer, parsePointer } from "../../json/pointer.ts";
import {
  type CallWithResult,
  answeredIn,
  definitionOf,
  findingOf,
  isRefusal,
  judgeEach,
  joinedTexts,
  describeRpcError,
  meaningOf,
  quoteOf,
  smallestOf,
  stringsIn,
} from "../called.ts";
import type { CallRecord, RecordedReply, ServerRecord } from "../server-record.ts";
import { type RuleFinding, type ServerRule, defineServerRules } from "../server-rule.ts";

const NO_INVALID = "No call with invalid arguments was answered";

type Answer = Extract<RecordedReply, { readonly kind: "result" | "error" }>;

interface Tried {
  readonly call: CallRecord;
  readonly reply: Answer;
}

function triedIn(record: ServerRecord, purpose: CallRecord["purpose"]): readonly Tried[] {
  return record.calls.flatMap((call): Tried[] => {
    const { reply } = call;
    if (call.purpose !== purpose) return [];
    return reply.kind === "result" || reply.kind === "error" ? [{ call, reply }] : [];
  });
}

/** SDKs drop unknown keys before a tool sees them, so such a call does no harm; it has its own rule. */
function isExtraKey({ call }: Tried): boolean {
  const { keyword } = call.wrong ?? {};
  return keyword === "additionalProperties" || keyword === "unevaluatedProperties";
}

/** By default `format` only describes, so a value that breaks only `format` may be accepted. */
function isOnlyFormat({ call }: Tried): boolean {
  return call.wrong?.keyword === "format";
}

/** Many models and libraries send null to leave out an optional argument. */
function isLeftOut({ call }: Tried, record: ServerRecord): boolean {
  const path = call.wrong?.path ?? "";
  if (path === "" || valueAt(call.arguments, path) !== null) return false;
  const schema = definitionOf(record, call.tool)?.["inputSchema"];
  const required = isJsonObject(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  return !required.some((name) => typeof name === "string" && appendPointer("", name) === path);
}

function valueAt(args: JsonObject, path: string): JsonValue | undefined {
  try {
    return getByPointer(args, path);
  } catch {
    // The path is not a pointer.
    return undefined;
  }
}

function isAccepted({ reply }: Tried): boolean {
  return reply.kind === "result" && !isRefusal(reply.result);
}

function describeWrong({ call }: Tried): string {
  const { path = "", why = "they break the input schema" } = call.wrong ?? {};
  return path === "" ? why : `${path}: ${why}`;
}

/** The name of the wrong argument, without indexes of lists. */
function wrongName({ call }: Tried): string | undefined {
  try {
    return parsePointer(call.wrong?.path ?? "").findLast((token) => !/^\d*$/.test(token));
  } catch {
    // The path is not a pointer.
    return undefined;
  }
}

/** The words of uncaught exceptions, in several languages: no author writes them for a caller. */
const uncaught =
  /\bCannot (?:read|set) propert(?:y|ies) (?:'[^']{0,80}' )?of (?:undefined|null)\b|\bMaximum call stack size exceeded\b|'NoneType' object (?:has|is) |\b(?:list|string|tuple) index out of range\b|\bruntime error: (?:invalid memory address|index out of range)|\bNullPointerException\b|\bObject reference not set to an instance\b/;

/** Keys of a failure's details that name the service behind the tool: then the tool itself did nothing wrong. */
const upstreamKeys = ["service", "downstream_status"];

/** What a failure says that is the tool's own mistake, by its code or its words; undefined for any other answer. */
function ownMistake({ result }: CallWithResult): string | undefined {
  const { outcome } = meaningOf(result);
  if (outcome.ok || outcome.fault.type !== "internal") return undefined;
  const { code, details = {}, message } = outcome.fault;
  if (upstreamKeys.some((key) => Object.hasOwn(details, key))) return undefined;
  const words = stringsIn(result).join("\n");
  // A failure in words alone is read as an internal one too, so the code itself must be there.
  const isCoded = code === "INTERNAL_ERROR" && /\binternal_error\b/i.test(words);
  return isCoded || uncaught.test(words) ? message : undefined;
}

/** The text of a tool's result. */
function spoken({ call, result }: CallWithResult): string {
  return `${call.tool}: ${joinedTexts(result)}`;
}

/** A tool that does not exist has no findings of its own, so the finding is the server's. */
function ofServer({ call }: Tried, message: string): RuleFinding {
  return { path: "", message, call: call.index };
}

/** Revisions are dates, which compare like texts. */
const REFUSED_AS_RESULT_SINCE = "2025-11-25";

/** Rules about arguments. */
export const argumentRules: readonly ServerRule[] = defineServerRules({
  "arguments/invalid-accepted": {
    severity: "MUST",
    says: "A call whose arguments break the input schema does not succeed.",
    fix: "Validate the arguments against the schema that tools/list gives, or widen the schema to what is accepted.",
    source: "MCP 2025-06-18, tools, security considerations: servers validate all tool inputs",
    judge: (record) => {
      const tried = triedIn(record, "invalid").filter(
        (each) => !isExtraKey(each) && !isOnlyFormat(each) && !isLeftOut(each, record),
      );
      return judgeEach(record, tried, NO_INVALID, (each) =>
        isAccepted(each)
          ? [findingOf(each, "", `The call succeeds with arguments that are invalid: ${describeWrong(each)}`)]
          : [],
      );
    },
  },
  "arguments/unknown-ignored": {
    severity: "MAY",
    says: "An argument that the schema forbids is refused, not ignored.",
    fix: "Refuse unknown keys, or allow them in the schema: a misspelt optional argument is else never noticed.",
    source: "JSON Schema 2020-12, additionalProperties",
    judge: (record) => {
      const tried = triedIn(record, "invalid").filter(isExtraKey);
      return judgeEach(record, tried, "No call with a forbidden extra argument was answered", (each) =>
        isAccepted(each)
          ? [
              findingOf(
                each,
                "",
                `The call succeeds, and an argument is ignored that the schema forbids: ${describeWrong(each)}`,
              ),
            ]
          : [],
      );
    },
  },
  "arguments/invalid-protocol-error": {
    severity: "SHOULD",
    says: "Invalid arguments are answered with a result that has isError: true, not with an error of JSON-RPC.",
    fix: "Return the validation message as a text with isError: true, so that the model sees it and corrects itself.",
    source: "MCP 2025-11-25 (SEP-1303), tools, error handling",
    judge: (record) => {
      if ((record.protocolVersion ?? "") < REFUSED_AS_RESULT_SINCE)
        return { untested: `Revisions before ${REFUSED_AS_RESULT_SINCE} leave it open` };
      return judgeEach(record, triedIn(record, "invalid"), NO_INVALID, (each) => {
        if (each.reply.kind !== "error") return [];
        const found = `Invalid arguments get ${describeRpcError(each.reply.error)}`;
        return [findingOf(each, "/error", found)];
      });
    },
  },
  "arguments/error-names-argument": {
    severity: "SHOULD",
    says: "The refusal of invalid arguments names the argument that is wrong.",
    fix: "Name the argument and what it should be in the text of the error.",
    source: "MCP 2025-11-25 (SEP-1303): models correct themselves by the message",
    judge: (record) => {
      const ordinary = new Set(answeredIn(record, ["given", "valid", "boundary"]).map(spoken));
      const refused = triedIn(record, "invalid").filter(
        (each) =>
          !isAccepted(each) &&
          !isExtraKey(each) &&
          // A server that treats null as left out fails for other reasons.
          !isLeftOut(each, record) &&
          wrongName(each) !== undefined,
      );
      // If valid calls of the tool fail with the same text, the text is not about the argument.
      const meant = refused.filter(
        ({ call, reply }) => reply.kind !== "result" || !ordinary.has(spoken({ call, result: reply.result })),
      );
      return judgeEach(record, meant, "No call was refused because of an argument", (each) => {
        const { reply } = each;
        const said = reply.kind === "result" ? joinedTexts(reply.result) : JSON.stringify(reply.error);
        const name = wrongName(each) ?? "";
        if (said.toLowerCase().includes(name.toLowerCase())) return [];
        return [findingOf(each, "", `The refusal does not name ${JSON.stringify(name)}: ${quoteOf(said)}`)];
      });
    },
  },
  "arguments/valid-fails": {
    severity: "SHOULD",
    says: "A call whose arguments fit the input schema does not end in an internal error.",
    fix: "Handle these arguments, or narrow the schema so that it forbids them; answer an expected failure with its own code, such as NOT_FOUND.",
    source: "MCP 2025-06-18, tools: inputSchema defines the arguments that a tool expects",
    judge: async (record, tools) => {
      const answered = answeredIn(record, ["given", "valid", "boundary"]);
      if (answered.length === 0) return { untested: "No call with valid arguments was answered" };
      const found: RuleFinding[] = [];
      for (const each of answered) {
        const message = ownMistake(each);
        if (message === undefined) continue;
        const schema = definitionOf(record, each.call.tool)?.["inputSchema"] ?? {};
        // Arguments that the user gave may break the schema.
        const { errors, problem } = await tools.validate(schema, each.call.arguments);
        if (errors.length > 0 || problem !== undefined) continue;
        found.push(
          findingOf(each, "", `The call fails on arguments that its schema allows: ${quoteOf(message)}`),
        );
      }
      return smallestOf(found, record);
    },
  },
  "tool/unknown": {
    severity: "MUST",
    says: "A call of a tool that the server does not have is refused.",
    fix: "Answer with the JSON-RPC error -32602 and the name of the tool.",
    source: "MCP 2025-06-18, tools, error handling",
    judge: (record) =>
      judgeEach(record, triedIn(record, "unknown-tool"), "No unknown tool was called", (each) =>
        isAccepted(each)
          ? [ofServer(each, `A tool that is not listed, ${JSON.stringify(each.call.tool)}, answers`)]
          : [],
      ),
  },
  "tool/unknown-code": {
    severity: "MAY",
    says: "The refusal of an unknown tool is the JSON-RPC error -32602.",
    fix: "Answer with the JSON-RPC error -32602: it tells a program that the name is wrong, and not that the tool failed.",
    source: "MCP 2025-06-18, tools, error handling (SDK v1 answers with isError: true)",
    judge: (record) =>
      judgeEach(record, triedIn(record, "unknown-tool"), "No unknown tool was called", (each) => {
        const { reply } = each;
        if (isAccepted(each) || (reply.kind === "error" && reply.error["code"] === -32602)) return [];
        const found = reply.kind === "error" ? describeRpcError(reply.error) : "a result";
        return [ofServer(each, `An unknown tool is refused with ${found}`)];
      }),
  },
});
