// Which arguments a tool is called with: first those of the user and the schema's own examples, then generated ones.
// The schema judges each generated one: a "valid" call is valid, an "invalid" call is not.

import { stableStringify } from "../../../../core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../../core/json/json-value.ts";
import type { CallRecord } from "../../../../core/rules/server-record.ts";
import type { JudgeTools } from "../../../../core/rules/server-rule.ts";
import { type Fullness, type Random, randomFrom, sampleValue, seedFor } from "./sample-value.ts";
import { edgeArguments, faultyArguments, spread } from "./vary-arguments.ts";

interface PlannedCall extends Pick<CallRecord, "arguments" | "wrong"> {
  readonly purpose: "given" | "valid" | "boundary" | "invalid";
}

export interface ArgumentPlan {
  readonly calls: readonly PlannedCall[];
  /** Why no arguments could be made. */
  readonly problem?: string | undefined;
}

export interface PlanOptions {
  readonly name: string;
  readonly inputSchema: JsonValue | undefined;
  readonly given: readonly JsonObject[];
  /** False if only given arguments may be used, because the tool may change something. */
  readonly mayMake: boolean;
  readonly seed: number;
  readonly maxCalls: number;
  readonly validate: JudgeTools["validate"];
}

/** How many of each kind are made, if there is room for all. */
const SHARES = { valid: 3, boundary: 3, invalid: 4 } as const;
/** How many random candidates are tried for each one wanted: a schema can say more than the generator understands. */
const ATTEMPTS = 4;
/** How many variants are judged before enough are found. */
const MAX_TRIED = 40;

/** The schema's own examples of whole arguments. */
function examplesIn(schema: JsonValue): readonly JsonObject[] {
  const examples = isJsonObject(schema) ? schema["examples"] : undefined;
  return Array.isArray(examples) ? examples.filter(isJsonObject) : [];
}

class Planner {
  readonly #options: PlanOptions;
  readonly #schema: JsonValue;
  readonly #random: Random;
  readonly #known = new Set<string>();
  readonly calls: PlannedCall[] = [];

  constructor(options: PlanOptions, schema: JsonValue) {
    this.#options = options;
    this.#schema = schema;
    this.#random = randomFrom(seedFor(options.seed, options.name));
  }

  get left(): number {
    return this.#options.maxCalls - this.calls.length;
  }

  add(call: PlannedCall): boolean {
    const key = stableStringify(call.arguments);
    if (this.left <= 0 || this.#known.has(key)) return false;
    this.#known.add(key);
    this.calls.push(call);
    return true;
  }

  async isValid(args: JsonObject): Promise<boolean> {
    const { errors, problem } = await this.#options.validate(this.#schema, args);
    return errors.length === 0 && problem === undefined;
  }

  async addValid(count: number): Promise<void> {
    const order: readonly Fullness[] = [
      "least",
      "all",
      ...Array.from({ length: count * ATTEMPTS }, () => "some" as const),
    ];
    let added = 0;
    for (const [at, fullness] of order.entries()) {
      if (added >= count || this.left <= 0) return;
      // Every other time values are generated although the schema names some, because those may be stale.
      const sampling = {
        root: this.#schema,
        fullness,
        random: this.#random,
        usesExamples: at % 2 === 0 || at < 2,
      };
      const made = sampleValue(this.#schema, "", sampling);
      if (isJsonObject(made) && (await this.isValid(made)) && this.add({ purpose: "valid", arguments: made }))
        added += 1;
    }
  }

  async addVariants(purpose: "boundary" | "invalid", base: JsonObject, count: number): Promise<void> {
    const vary = purpose === "boundary" ? edgeArguments : faultyArguments;
    const variants = spread(vary(this.#schema, base), this.#random).slice(0, MAX_TRIED);
    let added = 0;
    for (const { arguments: args, path, why, keyword } of variants) {
      if (added >= count || this.left <= 0) return;
      if ((await this.isValid(args)) !== (purpose === "boundary")) continue;
      const wrong = purpose === "invalid" ? { path, why, keyword } : undefined;
      if (this.add({ purpose, arguments: args, wrong })) added += 1;
    }
  }
}

/** A plan for one tool. The same seed gives the same plan. */
export async function planArguments(options: PlanOptions): Promise<ArgumentPlan> {
  const { given, maxCalls, validate, mayMake } = options;
  const schema = isJsonObject(options.inputSchema) ? options.inputSchema : { type: "object" };
  const planner = new Planner(options, schema);
  const { problem } = await validate(schema, {});
  const examples = given.length > 0 ? given : examplesIn(schema);
  for (const args of examples) {
    // The user may choose any arguments; an example that its own schema refuses is not a good call.
    if (given.length > 0 || (await planner.isValid(args))) planner.add({ purpose: "given", arguments: args });
  }
  if (!mayMake) return { calls: planner.calls };
  if (problem !== undefined) {
    const why = `its input schema cannot be used: ${problem}`;
    return planner.calls.length > 0 ? { calls: planner.calls } : { calls: [], problem: why };
  }
  const room = Math.max(0, maxCalls - SHARES.boundary - SHARES.invalid - planner.calls.length);
  const least = planner.calls.length === 0 ? 1 : 0;
  await planner.addValid(Math.max(least, Math.min(SHARES.valid, room)));
  const base = planner.calls[0];
  if (base === undefined)
    return { calls: [], problem: "no arguments could be made that its input schema allows" };
  const good = await goodBase(planner, base.arguments);
  await planner.addVariants("boundary", good, Math.min(SHARES.boundary, Math.floor(planner.left / 2)));
  await planner.addVariants("invalid", good, SHARES.invalid);
  return { calls: planner.calls };
}

/** Variants start from valid arguments; otherwise a variant would be wrong in two places. */
async function goodBase(planner: Planner, first: JsonObject): Promise<JsonObject> {
  if (await planner.isValid(first)) return first;
  return planner.calls.find(({ purpose }) => purpose === "valid")?.arguments ?? first;
}
