// Which tools take a question about their result, and the question of a call. A tool takes one if the
// settings say so, its input has room for the argument, and its output is not its own envelope, which we send
// as it is.

import { stripSelect } from "../../core/schema/input-schema.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { SELECT_ARGUMENT } from "../../core/contract/wire-names.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { CalledTool } from "./called-tool.ts";
import type { ToolContract } from "../settings/tool-contract.ts";
import { jsonSchemaOf } from "../settings/standard-schema.ts";

const emptyInput: JsonObject = { type: "object" };

/** Whether calls of a tool may ask. Our own retrieval tool has its own `select`. */
export function takesQuestions(contract: ToolContract, tool: CalledTool): boolean {
  if (!contract.select || tool.answersRetrieval === true) return false;
  return tool.listedSchema === undefined ? tool.schemas.canBeAsked : tool.canBeAsked === true;
}

/** The question of a call, and its arguments without the question. */
interface AskedArguments {
  readonly args: unknown;
  readonly select: string | undefined;
  /** The arguments that were removed, which no upstream server may see. */
  readonly taken: readonly string[];
  readonly refusal?: { readonly error: unknown };
}

function notAText(asked: JsonValue): ToolFault {
  const received = Array.isArray(asked)
    ? "a list"
    : typeof asked === "object"
      ? "an object"
      : `a ${typeof asked}`;
  return new ToolFault(`${SELECT_ARGUMENT} is ${received}, not a text`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Write it as one JMESPath expression in a string, such as "length(@)", or leave it out.`,
    details: { field: SELECT_ARGUMENT, constraint: "string" },
  });
}

/** The argument that carries the question, `select`, if the server allows it. */
const WAYBILL_ARGUMENT = "_waybill";
/** Wrong names for the question that models send. */
const NEARLY = ["waybill_select", "_select", "select"];

/**
 * The warning for a call whose question has another name that the tool does not have either: it would be
 * dropped silently, and the whole result would be taken for the answer.
 */
export function misnamedQuestion(
  { config, listedSchema }: CalledTool,
  args: unknown,
): WarningDetail | undefined {
  // An upstream server decides about its own arguments.
  if (listedSchema !== undefined || !isJsonObject(args)) return undefined;
  const { [WAYBILL_ARGUMENT]: waybill } = args;
  const isInside = isJsonObject(waybill) && typeof waybill["select"] === "string";
  const given = isInside ? WAYBILL_ARGUMENT : NEARLY.find((name) => typeof args[name] === "string");
  if (given === undefined) return undefined;
  const { properties = {} } = jsonSchemaOf(config.inputSchema, "input") ?? emptyInput;
  if (isJsonObject(properties) && Object.hasOwn(properties, given)) return undefined;
  const message = `The argument ${given} is not known here. A question is asked with ${SELECT_ARGUMENT}; this is the result without one.`;
  return { code: "SELECT_FAILED", severity: "warning", message };
}

/** Takes the question off a call's arguments. */
export function takeQuestion(args: unknown): AskedArguments {
  const { args: rest, asked, isTaken } = stripSelect(args);
  const taken = isTaken ? [SELECT_ARGUMENT] : [];
  if (asked === undefined || typeof asked === "string") return { args: rest, select: asked, taken };
  return { args: rest, select: undefined, taken, refusal: { error: notAText(asked) } };
}
