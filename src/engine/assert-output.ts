import { isEnvelope } from "../contract/read-envelope.ts";
import { isToolResult, isUnfinished } from "./is-tool-result.ts";
import type { SchemaResult, StandardSchema } from "./standard-schema.ts";
import { type MaybePromise, isPromiseLike } from "../resilience/maybe-promise.ts";

/** The data that the schema describes: the structure of a ready-made result; nothing for a failed or text-only one. */
function payloadOf(value: unknown): unknown {
  if (!isToolResult(value)) return value;
  return value["isError"] === true ? undefined : value["structuredContent"];
}

function judge({ issues }: SchemaResult<unknown>): void {
  const [issue] = issues ?? [];
  if (issue === undefined) return;
  const path = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  throw new TypeError(`The tool's data breaks its output schema at ${path || "the root"}: ${issue.message}`);
}

/**
 * Throws when a handler's data breaks the tool's own output schema: clients would refuse the whole result. The value
 * itself is sent as it is, so a schema that strips or fills in keys changes nothing.
 */
export function assertOutput(value: unknown, schema: StandardSchema | undefined): MaybePromise<void> {
  if (schema === undefined) return;
  const payload = payloadOf(value);
  if (payload === undefined || isUnfinished(value) || isEnvelope(value)) return;
  const result = schema["~standard"].validate(payload);
  return isPromiseLike(result) ? result.then(judge) : judge(result);
}
