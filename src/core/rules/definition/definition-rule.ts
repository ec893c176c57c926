import type { Rule } from "../../contract/rule.ts";
import type { JsonObject } from "../../json/json-value.ts";
import type { Era, ToolRecord } from "../server-record.ts";
import { type RuleFinding, type ServerRule, defineServerRules } from "../server-rule.ts";

/** What rules about definitions see of a tool. A list in a file has it, and so does a live server. */
export type DefinedTool = Pick<ToolRecord, "name" | "definition" | "tokens">;

/** What is wrong at one place of one definition. */
export interface DefinitionProblem {
  /** JSON Pointer into the definition. */
  readonly path: string;
  readonly message: string;
}

/** Judges definitions without a server; each finding names its tool. */
export type JudgeDefinitions = (tools: readonly DefinedTool[]) => readonly RuleFinding[];

export interface DefinitionRule extends Rule {
  /** The era whose clients the rule is about; undefined for both. */
  readonly era: Era | undefined;
  /** Why the rule cannot be tried on these tools; undefined if it can. */
  readonly untested?: ((tools: readonly DefinedTool[]) => string | undefined) | undefined;
  readonly judgeTools: JudgeDefinitions;
}

/** A rule that judges each definition alone. */
export function each(judge: (definition: JsonObject) => readonly DefinitionProblem[]): JudgeDefinitions {
  return (tools) =>
    tools.flatMap(({ name, definition }) =>
      judge(definition).map((problem) => ({ tool: name === "" ? undefined : name, ...problem })),
    );
}

type Row = Omit<DefinitionRule, "id" | "level" | "era"> & { readonly era?: Era | undefined };

export function defineDefinitionRules(rows: Readonly<Record<string, Row>>): readonly DefinitionRule[] {
  return Object.entries(rows).map(([id, row]) => ({ id, level: "server", era: undefined, ...row }));
}

/** The same rules, for the tools of a record. */
export function toServerRules(rules: readonly DefinitionRule[]): readonly ServerRule[] {
  return rules.flatMap(({ id, level: _level, era, untested, judgeTools, ...words }) =>
    defineServerRules({
      [id]: {
        ...words,
        judge: (record) => {
          if (record.tools.length === 0) return { untested: "The server lists no tools" };
          if (era !== undefined && era !== record.era)
            return { untested: `It holds in the ${era} era only, and the server was checked in the other` };
          const reason = untested?.(record.tools);
          return reason === undefined ? judgeTools(record.tools) : { untested: reason };
        },
      },
    }),
  );
}
