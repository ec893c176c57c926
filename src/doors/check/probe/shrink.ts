// Makes the arguments of a finding smaller as long as they still show it, so that a person sees at a glance what
// matters. Only generated arguments are changed, and each attempt is a real call.

import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import type { CallRecord, ServerRecord } from "../../../core/rules/server-record.ts";
import type { RuleFinding, JudgeTools } from "../../../core/rules/server-rule.ts";
import { type JudgedRule, findingsOf, judgeOne } from "../judge.ts";
import { shrinkArguments } from "./arguments/smaller-arguments.ts";
import { type Caller, toRecord, tryCall } from "./call-tool.ts";

/** The most calls for one finding, and for all findings. */
const MAX_CALLS = 10;
const MAX_CALLS_IN_ALL = 100;

const made: readonly string[] = ["valid", "boundary", "invalid"];

export interface Shrinking {
  readonly caller: Caller;
  readonly record: ServerRecord;
  readonly tools: JudgeTools;
}

/** A record in which a tool was called only once, so that a rule sees only this call. */
function alone(record: ServerRecord, call: Omit<CallRecord, "index">): ServerRecord {
  return { ...record, calls: [{ ...call, index: 0, follows: undefined }], archiveReads: undefined };
}

/** The rule's finding on one call alone, or undefined. */
async function findingIn(
  { rule }: JudgedRule,
  call: Omit<CallRecord, "index">,
  { record, tools }: Shrinking,
): Promise<RuleFinding | undefined> {
  const { verdict } = await judgeOne(rule, alone(record, call), tools);
  return findingsOf(verdict).find(({ tool, call: shown }) => tool === call.tool && shown === 0);
}

/** A smaller call, and the finding in its words: those of the first call may quote something that is now gone. */
export interface Smaller {
  readonly call: CallRecord;
  readonly finding: Pick<RuleFinding, "path" | "message">;
}

/** Whether arguments still have the kind that the call was made for. */
async function isSameKind(
  { purpose }: CallRecord,
  args: JsonObject,
  schema: JsonValue,
  tools: JudgeTools,
): Promise<boolean> {
  const { errors, problem } = await tools.validate(schema, args);
  return problem === undefined && (errors.length === 0) === (purpose !== "invalid");
}

class Shrinker {
  readonly #use: Shrinking;
  #left = MAX_CALLS_IN_ALL;

  constructor(use: Shrinking) {
    this.#use = use;
  }

  async shrink(judged: JudgedRule, finding: RuleFinding): Promise<Smaller | undefined> {
    const { record } = this.#use;
    const call = record.calls[finding.call ?? -1];
    if (call === undefined || !made.includes(call.purpose) || call.tool !== finding.tool) return undefined;
    // Only a timeout or a dead server would show again, and would cost another one.
    if (call.reply.kind !== "result" && call.reply.kind !== "error") return undefined;
    // A finding about two calls cannot be shown by one call.
    if ((await findingIn(judged, call, this.#use)) === undefined) return undefined;
    return this.#smallest(judged, call);
  }

  async #smallest(judged: JudgedRule, first: CallRecord): Promise<Smaller | undefined> {
    const { record, tools, caller } = this.#use;
    const definition = record.tools.find(({ name }) => name === first.tool)?.definition ?? {};
    const schema = definition["inputSchema"] ?? { type: "object" };
    let calls = 0;
    let hasFailed = false;
    const smallest = await shrinkArguments<Smaller>(first.arguments, {
      kept: first.wrong?.path,
      isOver: () => hasFailed || calls >= MAX_CALLS || this.#left <= 0 || caller.isOver(),
      again: async (args) => {
        if (!(await isSameKind(first, args, schema, tools))) return undefined;
        calls += 1;
        this.#left -= 1;
        const { tool, purpose, wrong } = first;
        const spec = { tool, purpose, arguments: args, wrong };
        const answer = await tryCall(caller, spec);
        hasFailed = answer === undefined;
        if (answer === undefined) return undefined;
        const call = { ...toRecord(spec, answer, caller.countTokens), index: first.index };
        const finding = await findingIn(judged, call, this.#use);
        return finding === undefined ? undefined : { call, finding };
      },
    });
    return smallest?.shown;
  }
}

/** For each finding that a smaller call shows too: that call and its finding. */
export async function shrinkFindings(
  judged: readonly JudgedRule[],
  use: Shrinking,
): Promise<ReadonlyMap<RuleFinding, Smaller>> {
  const shrinker = new Shrinker(use);
  const found = new Map<RuleFinding, Smaller>();
  for (const each of judged) {
    for (const finding of findingsOf(each.verdict)) {
      const smaller = await shrinker.shrink(each, finding);
      if (smaller !== undefined) found.set(finding, smaller);
    }
  }
  return found;
}
