import type { Rule } from "../contract/rule.ts";
import type { JsonValue } from "../json/json-value.ts";
import type { ServerRecord } from "./server-record.ts";

/** What a rule found at one place. */
export interface Finding {
  /** The tool that the finding is about; undefined for the server as a whole. */
  readonly tool?: string | undefined;
  /** JSON Pointer into the definition, the result or the message; empty for all of it. */
  readonly path: string;
  /** What was found. The rule's `fix` is shown after it. */
  readonly message: string;
  /** The call that shows the finding. */
  readonly call?: number | undefined;
}

/** A rule that could not be tried is untested, never passed. */
interface Untested {
  readonly untested: string;
}

export type Verdict = readonly Finding[] | Untested;

/** What a rule may use besides the record. */
export interface JudgeTools {
  /** Violations of a JSON Schema in words, bounded in time: `problem` says why a schema could not be used. */
  validate(
    schema: JsonValue,
    value: JsonValue,
  ): Promise<{
    readonly errors: readonly string[];
    readonly problem?: string | undefined;
    /** True if the schema could be read, but took too long with this value. */
    readonly isTooSlow?: boolean | undefined;
  }>;
  countTokens(text: string): number;
}

/**
 * A rule about a whole server: it judges what a check recorded. MUST counts as an error, SHOULD as a warning, MAY as
 * information.
 */
export interface ServerRule extends Rule {
  readonly judge: (record: ServerRecord, tools: JudgeTools) => Verdict | Promise<Verdict>;
}

type Row = Omit<ServerRule, "id" | "level">;

/** The rules of one group, keyed by id, in the order they are reported. */
export function defineServerRules(rows: Readonly<Record<string, Row>>): readonly ServerRule[] {
  return Object.entries(rows).map(([id, row]) => ({ id, level: "server", ...row }));
}
