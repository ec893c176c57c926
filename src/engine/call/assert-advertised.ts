// Checks a result against the schema that tools/list shows for its tool, with the validator of the MCP SDK,
// which clients use too. For tests: the validator is loaded when the first result is checked.

import { ContractError } from "../../core/contract/contract-error.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { neededBuiltIn } from "../runtime/built-in.ts";

type Judge = (value: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };
interface ValidatorModule {
  readonly AjvJsonSchemaValidator: new () => { getValidator(schema: JsonObject): Judge };
}

const VALIDATOR = "@modelcontextprotocol/server/validators/ajv";
const judges = new WeakMap<JsonObject, Judge>();

/** By `require`, so that an assertion in a test need not be awaited. */
function loadValidator(): ValidatorModule {
  try {
    return neededBuiltIn("node:module").createRequire(import.meta.url)(VALIDATOR) as ValidatorModule;
  } catch (cause) {
    const message = `${VALIDATOR} cannot be loaded: install @modelcontextprotocol/server, whose validator checks results against their schemas.`;
    throw new ContractError("INVALID_OPTION", message, {}, { cause });
  }
}

function judgeOf(schema: JsonObject): Judge {
  const known = judges.get(schema);
  if (known !== undefined) return known;
  const { AjvJsonSchemaValidator } = loadValidator();
  const judge = new AjvJsonSchemaValidator().getValidator(schema);
  judges.set(schema, judge);
  return judge;
}

/** The reason for which a client would refuse a result under the schema it was shown; undefined if it would not. */
export function refusalOf(result: unknown, schema: JsonObject): string | undefined {
  if (!isJsonObject(result)) return "it is no tool result";
  const { structuredContent } = result;
  if (structuredContent === undefined)
    return result["isError"] === true ? undefined : "it has no structuredContent";
  const { valid, errorMessage = "it does not conform" } = judgeOf(schema)(structuredContent);
  return valid ? undefined : errorMessage;
}

/** Throws if a client would refuse the result: its structured content breaks the advertised schema, or is missing. */
export function assertAdvertised(result: unknown, schema: JsonObject | undefined): void {
  const refusal = schema && refusalOf(result, schema);
  if (refusal === undefined) return;
  const message = `A result breaks its tool's output schema, so clients would refuse it: ${refusal}.`;
  throw new ContractError("INVALID_ENVELOPE", message, { schema: refusal });
}
