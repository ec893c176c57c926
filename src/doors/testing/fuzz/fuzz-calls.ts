// Calls one tool under its contract, and reports what is wrong with each call.

import { type CalledTool, calledTool } from "../../../engine/call/called-tool.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { answerCall } from "../../../engine/call/run-call.ts";
import type { ToolDefinition } from "../../../engine/settings/tool-definition.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import {
  type Ending,
  type Judging,
  type Seen,
  describeThrown,
  judgeEnding,
  judgeTrouble,
  thrownPlace,
  tellsBait,
} from "./judge-answer.ts";
import type { FuzzOptions } from "./fuzz-report.ts";
import type { MadeCall } from "./made-arguments.ts";

/** After this many hung calls the tool is not called again. */
export const MAX_HUNG = 3;

type Called = Pick<CalledTool, "config">;

/** The tool without the guards that would refuse, cache or slow down many calls. */
function unguarded({ config }: Called): CalledTool["config"] {
  const { rateLimit: _rate, cost: _cost, breaker: _breaker, cache: _cache, ...rest } = config;
  const { concurrency: _room, tier: _tier, flag: _flag, ...open } = rest;
  return open;
}

/** When a handler began, and when it ended. */
interface HandlerTime {
  readonly startedAt: number;
  endedAt: number | undefined;
}

export class FuzzCalls {
  readonly #state: ContractState;
  readonly #tool: CalledTool;
  readonly #options: FuzzOptions;
  readonly #judging: Judging;
  readonly #watch = new PrototypeWatch();
  /** Events besides the answer: an unhandled rejection, a line of the log. */
  readonly #heard: Seen[] = [];
  readonly #endsAt: number;
  #hung = 0;
  #run: HandlerTime | undefined;
  /** How often the handler ran. */
  #runs = 0;

  constructor(state: ContractState, definition: ToolDefinition, options: FuzzOptions, judging: Judging) {
    this.#state = state;
    this.#options = options;
    this.#judging = judging;
    this.#endsAt = performance.now() + (options.totalMs ?? 4_000);
    const called = calledTool(state, definition);
    this.#tool = {
      ...called,
      config: unguarded(called),
      run: async (...given) => {
        this.#runs += 1;
        const run: HandlerTime = { startedAt: performance.now(), endedAt: undefined };
        this.#run = run;
        try {
          return await called.run(...given);
        } finally {
          run.endedAt = performance.now();
        }
      },
    };
  }

  get runs(): number {
    return this.#runs;
  }

  get isReadOnly(): boolean {
    return this.#tool.config.annotations?.["readOnlyHint"] === true;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  get hasHung(): boolean {
    return this.#hung >= MAX_HUNG;
  }

  /** Whether the tool's own schema accepts the arguments. A schema that throws is noticed in a call. */
  async accepts(args: JsonObject): Promise<boolean> {
    try {
      await this.#tool.parse(this.#state, args);
      return true;
    } catch {
      return false;
    }
  }

  /** Makes one call, and returns everything that is wrong with it. */
  async try({ arguments: args, origin }: MadeCall): Promise<readonly Seen[]> {
    this.#options.onCall?.({ arguments: args, origin });
    // A tool that changes its arguments must not change the report.
    const ending = await this.#call(structuredClone(args));
    // Node reports a rejection only after it stayed unhandled, so one turn of the event loop has to pass.
    await new Promise((resolve) => setImmediate(resolve));
    const { except = [] } = this.#options;
    const seen = [...this.#sideEffects(ending), ...judgeEnding(ending, args, this.#judging)];
    if (seen.some(({ kind }) => kind === "hang")) this.#hung += 1;
    return seen.filter(({ kind }) => !except.includes(kind));
  }

  async #call(args: JsonObject): Promise<Ending> {
    const { meta = {}, auth } = this.#options;
    const { timeoutMs } = this.#judging;
    const stop = new AbortController();
    const request = { meta, signal: stop.signal, ...(auth === undefined ? {} : { auth }) };
    this.#run = undefined;
    const answer = async (): Promise<Ending> => {
      try {
        const answered = await answerCall(this.#state, this.#tool, args, request);
        return { kind: "answered", answered, handlerMs: this.#handlerMs() };
      } catch (error) {
        return { kind: "rejected", error };
      }
    };
    const answering = answer();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Ending>((resolve) => {
      // Once the handler has ended, the contract's own work ends by itself.
      const end = (): void => resolve(this.#run?.endedAt === undefined ? { kind: "hung" } : answering);
      timer = setTimeout(end, timeoutMs);
    });
    const ending = await Promise.race([answering, late]);
    clearTimeout(timer);
    if (ending.kind === "hung") stop.abort();
    return ending;
  }

  #handlerMs(): number {
    if (this.#run === undefined) return 0;
    const { startedAt, endedAt = performance.now() } = this.#run;
    return endedAt - startedAt;
  }

  /** The side effects of a call, besides its answer. */
  #sideEffects(ending: Ending): readonly Seen[] {
    const { bait } = this.#judging;
    const escapes = [...bait.undo()];
    if (ending.kind === "answered" && tellsBait(ending.answered.result, this.#judging))
      escapes.push("It shows a file that is outside its folder");
    return [
      ...this.#watch.undo().map((key): Seen => ({ kind: "pollution", key, message: `It changes ${key}` })),
      ...escapes.map((message): Seen => ({ kind: "escape", key: message, message })),
      ...this.#heard.splice(0),
    ];
  }

  /** Listens while `run` runs. An unhandled rejection would otherwise end the process. */
  async listening<Value>(run: () => Promise<Value>): Promise<Value> {
    const reject = (error: unknown): void => {
      const message = `A promise that no code awaits is rejected with ${describeThrown(error)}`;
      this.#heard.push({ kind: "crash", key: thrownPlace(error), message, error });
    };
    const { name } = this.#tool;
    const deafen = this.#state.events.listen({
      trouble: (event) => {
        const seen = event.tool === name ? judgeTrouble(event) : undefined;
        if (seen !== undefined) this.#heard.push(seen);
      },
    });
    // Advice about a call must be heard before the next call starts, so its listener does not wait to be loaded.
    const { formatted } = (await import("../../../engine/call/author-advice.ts")).authorAdvice(this.#state);
    const ignore = this.#state.events.onAnswer({ answered: () => undefined, formatted });
    process.on("unhandledRejection", reject);
    try {
      return await run();
    } finally {
      process.off("unhandledRejection", reject);
      deafen();
      ignore();
    }
  }
}

// Detects whether a call has changed what all objects share, and undoes it, so that neither the next call nor the test
// itself is affected.

const watched: readonly (readonly [name: string, prototype: object])[] = [
  ["Object.prototype", Object.prototype],
  ["Array.prototype", Array.prototype],
  ["Function.prototype", Function.prototype],
  ["String.prototype", String.prototype],
  ["Number.prototype", Number.prototype],
  ["Boolean.prototype", Boolean.prototype],
  ["RegExp.prototype", RegExp.prototype],
  ["Map.prototype", Map.prototype],
  ["Set.prototype", Set.prototype],
  ["Promise.prototype", Promise.prototype],
  ["Error.prototype", Error.prototype],
  ["Object", Object],
];

type Properties = ReadonlyMap<PropertyKey, PropertyDescriptor>;

function propertiesOf(prototype: object): Properties {
  const found = new Map<PropertyKey, PropertyDescriptor>();
  for (const key of Reflect.ownKeys(prototype)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(prototype, key);
    if (descriptor !== undefined) found.set(key, descriptor);
  }
  return found;
}

function isSame(one: PropertyDescriptor, other: PropertyDescriptor | undefined): boolean {
  return other !== undefined && one.value === other.value && one.get === other.get && one.set === other.set;
}

class PrototypeWatch {
  readonly #before: readonly (readonly [name: string, prototype: object, properties: Properties])[];

  constructor() {
    this.#before = watched.map(([name, prototype]) => [name, prototype, propertiesOf(prototype)]);
  }

  /** Returns the properties that were added or changed since the last look, and restores them. */
  undo(): readonly string[] {
    return this.#before.flatMap(([name, prototype, before]) => {
      const after = propertiesOf(prototype);
      const added = [...after.keys()].filter((key) => !before.has(key));
      const changed = [...before].filter(([key, descriptor]) => !isSame(descriptor, after.get(key)));
      for (const key of added) Reflect.deleteProperty(prototype, key);
      for (const [key, descriptor] of changed) Reflect.defineProperty(prototype, key, descriptor);
      return [...added, ...changed.map(([key]) => key)].map((key) => `${name}.${String(key)}`);
    });
  }
}
