// Checks structuredContent against the tool's own outputSchema, on success and on failure. Official clients validate
// it: a structure that breaks the schema never reaches the model.

import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { type Answered, answeredIn, definitionOf, findingOf, isMarkedFailed, smallestOf } from "../called.ts";
import type { ServerRecord } from "../server-record.ts";
import {
  type Finding,
  type JudgeTools,
  type ServerRule,
  type Verdict,
  defineServerRules,
} from "../server-rule.ts";

interface Promised extends Answered {
  readonly schema: JsonObject;
}

/** Results of tools that promise a structure. */
function promisedIn(record: ServerRecord): readonly Promised[] {
  return answeredIn(record).flatMap((answered): Promised[] => {
    const schema = definitionOf(record, answered.call.tool)?.["outputSchema"];
    return isJsonObject(schema) ? [{ ...answered, schema }] : [];
  });
}

function whyNothing(record: ServerRecord, what: string): string {
  const hasSchema = record.tools.some(({ definition }) => isJsonObject(definition["outputSchema"]));
  return hasSchema ? `No tool with an outputSchema gave ${what}` : "No tool has an outputSchema";
}

const MAX_SHOWN = 3;

async function judgeStructures(
  record: ServerRecord,
  tools: JudgeTools,
  promised: readonly Promised[],
  otherwise: string,
): Promise<Verdict> {
  if (promised.length === 0) return { untested: otherwise };
  const findings: Finding[] = [];
  const problems: string[] = [];
  for (const each of promised) {
    const structured = each.result["structuredContent"] as JsonValue;
    const { errors, problem, isTooSlow } = await tools.validate(each.schema, structured);
    if (isTooSlow === true)
      findings.push(findingOf(each, "/structuredContent", `The outputSchema is of no use: ${problem ?? ""}`));
    else if (problem !== undefined) problems.push(`${each.call.tool}: ${problem}`);
    else if (errors.length > 0) {
      const more = errors.length > MAX_SHOWN ? ` (and ${errors.length - MAX_SHOWN} more)` : "";
      const found = `structuredContent breaks the outputSchema: ${errors.slice(0, MAX_SHOWN).join("; ")}${more}`;
      findings.push(findingOf(each, "/structuredContent", found));
    }
  }
  // The rules of definitions report a schema that cannot be used.
  if (problems.length === promised.length)
    return { untested: `No outputSchema could be used. ${problems[0] ?? ""}` };
  return smallestOf(findings, record);
}

const hasStructure = ({ result }: Answered): boolean => result["structuredContent"] !== undefined;

/** Rules about promised structures. */
export const outputRules: readonly ServerRule[] = defineServerRules({
  "result/structured-missing": {
    severity: "MUST",
    says: "A success of a tool with an outputSchema has structuredContent.",
    fix: "Send structuredContent with every success, or take the outputSchema out of the definition.",
    source: "MCP 2025-06-18, tools, output schema; measured: official clients throw -32600 without it",
    judge: (record) => {
      const successes = promisedIn(record).filter(({ result }) => !isMarkedFailed(result));
      if (successes.length === 0) return { untested: whyNothing(record, "a success") };
      const missing = successes.filter((each) => !hasStructure(each));
      const findings = missing.map((each) =>
        findingOf(each, "", "The tool has an outputSchema, and the result has no structuredContent"),
      );
      return smallestOf(findings, record);
    },
  },
  "result/output-schema": {
    severity: "MUST",
    says: "structuredContent of a success conforms to the tool's outputSchema.",
    fix: "Send what the schema promises, or change the schema to what is sent: clients refuse the whole result.",
    source: "MCP 2025-06-18, tools, output schema; measured: official clients throw -32602",
    judge: (record, tools) => {
      const structures = promisedIn(record).filter(
        (each) => hasStructure(each) && !isMarkedFailed(each.result),
      );
      return judgeStructures(record, tools, structures, whyNothing(record, "a success with a structure"));
    },
  },
  "result/output-schema-on-error": {
    severity: "MUST",
    says: "structuredContent of a failure, where it is sent, conforms to the tool's outputSchema too.",
    fix: "Leave structuredContent out of failures, or let the schema allow their shape: official v1 clients refuse the result, and the model never sees the error.",
    source: "MCP 2025-06-18, tools, output schema; measured: clients 1.18 to 1.32 throw -32602",
    judge: (record, tools) => {
      const structures = promisedIn(record).filter(
        (each) => hasStructure(each) && isMarkedFailed(each.result),
      );
      return judgeStructures(record, tools, structures, whyNothing(record, "a failure with a structure"));
    },
  },
});
