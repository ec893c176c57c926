import type { ServerRecord } from "../server-record.ts";
import {
  type Finding,
  type JudgeTools,
  type ServerRule,
  type Verdict,
  defineServerRules,
} from "../server-rule.ts";
import { clientRules } from "./client-rules.ts";
import { type DefinedTool, type DefinitionRule, toServerRules } from "./definition-rule.ts";
import { findHidden } from "./hidden-characters.ts";
import { nameRules } from "./name-rules.ts";
import { findOrders } from "./orders.ts";
import { schemaRules } from "./schema-rules.ts";
import { schemaNames, schemasOf } from "./schema-walk.ts";
import { shapeRules } from "./shape-rules.ts";
import { textRules } from "./text-rules.ts";

/** Every rule about definitions that needs no server. */
const definitionRules: readonly DefinitionRule[] = [
  ...nameRules,
  ...shapeRules,
  ...schemaRules,
  ...clientRules,
  ...textRules,
];

/** The schemas of a tool in which another rule found something, so that it is not told twice. */
function knownBad(tool: DefinedTool): ReadonlySet<string> {
  const found = schemaRules.flatMap(({ judgeTools, severity }) =>
    severity === "MAY" ? [] : judgeTools([tool]),
  );
  return new Set(schemaNames.filter((name) => found.some(({ path }) => path.startsWith(`/${name}`))));
}

/** What a validator says of schemas in which no other rule found anything. */
async function judgeUsable(record: ServerRecord, judging: JudgeTools): Promise<Verdict> {
  if (record.tools.length === 0) return { untested: "The server lists no tools" };
  const found: Finding[] = [];
  for (const tool of record.tools) {
    const bad = knownBad(tool);
    for (const { name, path, root } of schemasOf(tool.definition)) {
      const { problem } = bad.has(name) ? { problem: undefined } : await judging.validate(root, {});
      if (problem !== undefined) found.push({ tool: tool.name, path, message: problem });
    }
  }
  return found;
}

/** The greeting's instructions are read by the model as definitions are. */
function judgeInstructions({ greeting }: ServerRecord): Verdict {
  const instructions = greeting.kind === "result" ? greeting.result["instructions"] : undefined;
  if (typeof instructions !== "string") return { untested: "The greeting has no instructions" };
  const path = "/instructions";
  const hidden = findHidden(instructions);
  return [
    ...(hidden.length === 0 ? [] : [{ path, message: `The text has ${hidden.slice(0, 5).join(", ")}` }]),
    ...findOrders(instructions).map((message) => ({ path, message })),
  ];
}

const liveRules: readonly ServerRule[] = defineServerRules({
  "definition/schema-usable": {
    severity: "MUST",
    says: "A validator can compile every schema",
    fix: "Correct the schema: clients that compile it refuse the tool, or the whole list.",
    source: "MCP 2026-07-28, schema validation",
    judge: judgeUsable,
  },
  "protocol/instructions": {
    severity: "SHOULD",
    says: "The greeting's instructions have no characters that are not seen, and set nothing else aside",
    fix: "Say what the server is for and how its tools go together.",
    source: "MCP 2025-06-18, instructions; tool poisoning (Invariant Labs, April 2025)",
    judge: judgeInstructions,
  },
});

/** Names, schemas, texts and annotations of the tools that a server lists. */
export const definitionServerRules: readonly ServerRule[] = [...toServerRules(definitionRules), ...liveRules];
