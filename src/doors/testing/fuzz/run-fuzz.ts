// Calls a tool with good, odd and hostile arguments under its contract, and reports what breaks. The tool runs in this
// process, with all its effects: give it folders and databases made for the test.

import { advertiseOwn, listedOutput } from "../../../engine/call/advertise-tool.ts";
import type { AnyTool, ToolDefinition } from "../../../engine/settings/tool-definition.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import { stringsIn } from "../../../core/rules/called.ts";
import { stateOf } from "../../server/create-contract.ts";
import { Bait } from "./hostile-values.ts";
import { FuzzCalls, MAX_HUNG } from "./fuzz-calls.ts";
import {
  type FuzzFinding,
  type FuzzOptions,
  type FuzzReport,
  fuzzKinds,
  hintFor,
  toReport,
} from "./fuzz-report.ts";
import type { Judging, Seen } from "./judge-answer.ts";
import { type MadeCall, makeArguments, harmless } from "./made-arguments.ts";
import {
  shrinkArguments,
  smallerArguments,
  smallerForms,
} from "../../check/probe/arguments/smaller-arguments.ts";

async function callAll(
  fuzz: FuzzCalls,
  calls: Iterable<MadeCall>,
  findings: Findings,
  runs: number,
): Promise<Pick<FuzzReport, "calls" | "reached" | "stopped">> {
  let count = 0;
  let reached = 0;
  const whyStop = (): string | undefined => {
    if (findings.isFull) return `it has ${MAX_FINDINGS} findings`;
    if (fuzz.hasHung) return `${MAX_HUNG} calls hung`;
    return fuzz.isOver ? "the time in `totalMs` was over" : undefined;
  };
  for (const made of calls) {
    const stopped = count < runs ? whyStop() : undefined;
    if (count >= runs || stopped !== undefined) return { calls: count, reached, stopped };
    count += 1;
    const before = fuzz.runs;
    const seen = await fuzz.try(made);
    reached += fuzz.runs - before;
    await findings.add(seen, made, count);
  }
  return { calls: count, reached };
}

/** What a tool openly says about itself. */
function openTexts({ name, config }: ToolDefinition, schema: JsonObject | undefined): readonly string[] {
  const { description = "", title = "", annotations } = config;
  return [name, description, title, ...stringsIn(annotations), ...stringsIn(schema)];
}

/** The report on a tool whose options are already checked. */
export async function runFuzz(tool: AnyTool, options: FuzzOptions): Promise<FuzzReport> {
  const { contract = {}, runs = 300, seed = 1, timeoutMs = 1_000, args = [], allow = [] } = options;
  const state = stateOf(
    "server" in contract ? contract : { validate: "always", logLevel: "silent", ...contract },
  );
  const definition = tool as unknown as ToolDefinition;
  const { inputSchema } = advertiseOwn(state, definition);
  const toolContract = state.effective.toolContract(definition);
  const outputSchema = listedOutput(definition, toolContract, state.masksSuccesses);
  const bait = new Bait();
  const judging: Judging = {
    bait,
    allow,
    open: openTexts(definition, inputSchema),
    outputSchema,
    errors: definition.config.errors,
    timeoutMs,
    ownTimeoutMs: definition.config.timeoutMs,
  };
  const fuzz = new FuzzCalls(state, definition, options, judging);
  const findings = new Findings(fuzz, seed);
  try {
    return await fuzz.listening(async () => {
      const made = await makeArguments({
        name: definition.name,
        schema: inputSchema ?? { type: "object" },
        given: Array.isArray(args) ? (args as readonly JsonObject[]) : [args as JsonObject],
        seed,
        use: { bait: bait.texts() },
        isReadOnly: definition.config.annotations?.["readOnlyHint"] === true,
        accepts: (each) => fuzz.accepts(each),
      });
      const done = await callAll(fuzz, made, findings, runs);
      if (done.reached === 0 && options.except?.includes("unreached") !== true)
        findings.addUnreached(done.calls);
      return toReport({ tool: definition.name, seed, ...done, findings: findings.sorted() });
    });
  } finally {
    bait.close();
  }
}

/** More findings add no information. */
const MAX_FINDINGS = 20;

/** The findings so far: one for each cause. */
class Findings {
  readonly #fuzz: FuzzCalls;
  readonly #seed: number;
  readonly #found = new Map<string, FuzzFinding>();

  constructor(fuzz: FuzzCalls, seed: number) {
    this.#fuzz = fuzz;
    this.#seed = seed;
  }

  get isFull(): boolean {
    return this.#found.size >= MAX_FINDINGS;
  }

  /** Adds the new findings of a call, with the smallest arguments that show them. */
  async add(seen: readonly Seen[], made: MadeCall, call: number): Promise<void> {
    for (const each of seen) {
      const name = `${each.kind} ${each.key}`;
      if (this.isFull || this.#found.has(name)) continue;
      if (each.kind === "hang" && !(await this.#hangsAgain(made))) continue;
      const small =
        each.kind === "hang" ? { seen: each, arguments: made.arguments } : await this.#shrink(each, made);
      const { kind, message, error } = small.seen;
      this.#found.set(name, {
        kind,
        message,
        hint: hintFor(kind),
        arguments: small.arguments,
        origin: made.origin,
        call,
        seed: this.#seed,
        ...(error === undefined ? {} : { error }),
      });
    }
  }

  addUnreached(calls: number): void {
    const message = `None of ${calls} calls got as far as its handler`;
    const facts = { arguments: {}, origin: "valid", call: calls, seed: this.#seed } as const;
    this.#found.set("unreached", { kind: "unreached", message, hint: hintFor("unreached"), ...facts });
  }

  sorted(): readonly FuzzFinding[] {
    return [...this.#found.values()].sort((a, b) => fuzzKinds.indexOf(a.kind) - fuzzKinds.indexOf(b.kind));
  }

  /** A busy machine may delay one call, but hardly two. */
  async #hangsAgain(made: MadeCall): Promise<boolean> {
    return (await this.#fuzz.try(made)).some(({ kind }) => kind === "hang");
  }

  async #shrink(
    first: Seen,
    made: MadeCall,
  ): Promise<{ readonly seen: Seen; readonly arguments: JsonObject }> {
    let calls = 0;
    const smallest = await shrinkArguments<Seen>(made.arguments, {
      forms,
      isOver: () => calls >= MAX_CALLS || this.#fuzz.isOver,
      again: async (smaller) => {
        calls += 1;
        const args = this.#fuzz.isReadOnly ? smaller : harmless(smaller);
        if (args !== smaller && JSON.stringify(args) !== JSON.stringify(smaller)) return undefined;
        const seen = await this.#fuzz.try({ ...made, arguments: args });
        return seen.find(({ kind, key }) => kind === first.kind && key === first.key);
      },
    });
    return { seen: smallest?.shown ?? first, arguments: smallest?.arguments ?? made.arguments };
  }
}

/** The most calls for one finding. */
const MAX_CALLS = 150;

/** A long value without its end, or without its beginning: first half of it is removed, then less and less. */
function* shorter<Long extends string | readonly JsonValue[]>(value: Long): Generator<Long> {
  for (let less = Math.ceil(value.length / 2); less >= 1; less = less === 1 ? 0 : Math.ceil(less / 2)) {
    yield value.slice(0, value.length - less) as Long;
    yield value.slice(less) as Long;
  }
}

/** A call here is cheap, so more is tried than in `waybill check`, including the contents of lists. */
function* forms(value: JsonValue): Generator<JsonValue> {
  // A part of a path is a different place, which is not the bait: such texts stay whole.
  if (typeof value === "string" && value.length > 1 && !/[\\/]|%2f|touch/i.test(value)) {
    yield "";
    yield* shorter(value);
  }
  if (typeof value === "number" && Math.abs(value) > 1) yield 0;
  if (typeof value === "number") yield* smallerForms(value);
  if (!Array.isArray(value) || value.length === 0) return;
  yield [];
  const items = value as readonly JsonValue[];
  if (items.length > 1) yield* shorter(items);
  const [item = null, ...others] = items;
  if (others.length > 0) return;
  for (const less of forms(item)) yield [less];
  if (isJsonObject(item)) for (const less of smallerArguments(item, "", forms)) yield [less];
}
