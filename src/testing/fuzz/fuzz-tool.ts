// Calls a tool with good, odd and hostile arguments under its contract, and says what breaks. The tool runs in this
// process, with all that it can do: give it folders and databases of a test.

import { advertiseOwn, listedOutput } from "../../engine/advertise-tool.ts";
import { type CalledTool, calledTool } from "../../engine/called-tool.ts";
import type { ContractState } from "../../engine/contract-state.ts";
import { answerCall } from "../../engine/run-call.ts";
import type { AnyTool, ToolDefinition } from "../../engine/tool-definition.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { attempt } from "../../resilience/maybe-promise.ts";
import { stringsIn } from "../../rules/called.ts";
import { stateOf } from "../../server/create-contract.ts";
import { Bait } from "./bait.ts";
import { describeError, placeOf } from "./describe-error.ts";
import { type FuzzOptions, checkFuzz } from "./fuzz-options.ts";
import { type FuzzFinding, type FuzzReport, fuzzKinds, hintFor, toReport } from "./fuzz-report.ts";
import { type Ending, type Judging, type Seen, judgeEnding, judgeTrouble } from "./judge-answer.ts";
import { tellsBait } from "./leaks-in.ts";
import { type MadeCall, makeArguments } from "./made-arguments.ts";
import { PrototypeWatch } from "./prototype-watch.ts";
import { shrink } from "./shrink-arguments.ts";

/** More findings say nothing new. */
const MAX_FINDINGS = 20;
/** So many calls may hang; then the tool is left alone. */
const MAX_HUNG = 3;

type Called = Pick<CalledTool, "config">;

/** The tool without what would refuse, remember or slow down so many calls. */
function unguarded({ config }: Called): CalledTool["config"] {
  const { rateLimit: _rate, cost: _cost, breaker: _breaker, cache: _cache, ...rest } = config;
  const { concurrency: _room, tier: _tier, flag: _flag, ...open } = rest;
  return open;
}

/** When a handler began, and when it was done. */
interface HandlerTime {
  readonly startedAt: number;
  endedAt: number | undefined;
}

class Fuzz {
  readonly #state: ContractState;
  readonly #tool: CalledTool;
  readonly #options: FuzzOptions;
  readonly #judging: Judging;
  readonly #watch = new PrototypeWatch();
  /** What came to light besides the answer: a rejection that nobody handles, a line of the log. */
  readonly #heard: Seen[] = [];
  readonly #endsAt: number;
  #hung = 0;
  #run: HandlerTime | undefined;
  reached = 0;

  constructor(state: ContractState, definition: ToolDefinition, options: FuzzOptions, judging: Judging) {
    this.#state = state;
    this.#options = options;
    this.#judging = judging;
    this.#endsAt = performance.now() + (options.totalMs ?? 4_000);
    const called = calledTool(definition);
    this.#tool = {
      ...called,
      config: unguarded(called),
      run: (...given) => {
        this.reached += 1;
        const run: HandlerTime = { startedAt: performance.now(), endedAt: undefined };
        this.#run = run;
        const end = (): void => void (run.endedAt = performance.now());
        return attempt(
          () => called.run(...given),
          (arrival) => {
            end();
            return arrival;
          },
          (error) => {
            end();
            throw error;
          },
        );
      },
    };
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  get hasHung(): boolean {
    return this.#hung >= MAX_HUNG;
  }

  /** Whether the tool's own schema takes arguments. A schema that throws shows itself in a call. */
  async accepts(args: JsonObject): Promise<boolean> {
    try {
      await this.#tool.parse(this.#state, args);
      return true;
    } catch {
      return false;
    }
  }

  /** One call, and all that is wrong with it. */
  async try({ arguments: args, origin }: MadeCall): Promise<readonly Seen[]> {
    this.#options.onCall?.({ arguments: args, origin });
    // A tool that changes its arguments must not change what is reported.
    const ending = await this.#call(structuredClone(args));
    // What was rejected on the way is told only once nobody can handle it any more.
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
      // Once the handler is done, the contract's own work comes to an end by itself.
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

  /** What a call did besides its answer. */
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

  /** Listens while it runs. A rejection that nobody handles would end the process otherwise. */
  async listening<Value>(run: () => Promise<Value>): Promise<Value> {
    const reject = (error: unknown): void => {
      const message = `A promise that nobody waits for is rejected with ${describeError(error)}`;
      this.#heard.push({ kind: "crash", key: placeOf(error), message, error });
    };
    const { name } = this.#tool;
    const deafen = this.#state.events.listen({
      trouble: (event) => {
        const seen = event.tool === name ? judgeTrouble(event) : undefined;
        if (seen !== undefined) this.#heard.push(seen);
      },
    });
    process.on("unhandledRejection", reject);
    try {
      return await run();
    } finally {
      process.off("unhandledRejection", reject);
      deafen();
    }
  }
}

class Findings {
  readonly #fuzz: Fuzz;
  readonly #seed: number;
  readonly #found = new Map<string, FuzzFinding>();

  constructor(fuzz: Fuzz, seed: number) {
    this.#fuzz = fuzz;
    this.#seed = seed;
  }

  get isFull(): boolean {
    return this.#found.size >= MAX_FINDINGS;
  }

  /** Adds what is new in a call, with the smallest arguments that show it. */
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

  /** A busy machine may keep one call waiting, but hardly two. */
  async #hangsAgain(made: MadeCall): Promise<boolean> {
    return (await this.#fuzz.try(made)).some(({ kind }) => kind === "hang");
  }

  #shrink(first: Seen, made: MadeCall): ReturnType<typeof shrink> {
    return shrink(first, made.arguments, {
      isOver: () => this.#fuzz.isOver,
      again: async (args) => {
        const seen = await this.#fuzz.try({ ...made, arguments: args });
        return seen.find(({ kind, key }) => kind === first.kind && key === first.key);
      },
    });
  }
}

async function callAll(
  fuzz: Fuzz,
  calls: Iterable<MadeCall>,
  findings: Findings,
  runs: number,
): Promise<Pick<FuzzReport, "calls" | "stopped">> {
  let count = 0;
  for (const made of calls) {
    if (count >= runs) return { calls: count };
    if (findings.isFull) return { calls: count, stopped: `it has ${MAX_FINDINGS} findings` };
    if (fuzz.hasHung) return { calls: count, stopped: `${MAX_HUNG} calls hung` };
    if (fuzz.isOver) return { calls: count, stopped: "the time in `totalMs` was over" };
    count += 1;
    await findings.add(await fuzz.try(made), made, count);
  }
  return { calls: count };
}

/** What a tool says openly of itself. */
function openTexts({ name, config }: ToolDefinition, schema: JsonObject | undefined): readonly string[] {
  const { description = "", title = "", annotations } = config;
  return [name, description, title, ...stringsIn(annotations), ...stringsIn(schema)];
}

/**
 * Calls a tool under its contract with arguments made from its input schema: valid, at the edges, wrong and hostile.
 * Reports crashes, hangs, leaks, changed prototypes, files and commands it should not reach, answers that break its
 * output schema, and faults it does not declare, each with the smallest arguments that show it.
 *
 * @example
 * const { findings } = await fuzzTool(taskGet, { args: { id: "task-001" } });
 * expect(findings).toEqual([]);
 */
export async function fuzzTool(tool: AnyTool, options: FuzzOptions = {}): Promise<FuzzReport> {
  checkFuzz(tool, options);
  const { contract = {}, runs = 300, seed = 1, timeoutMs = 1_000, args = [], allow = [] } = options;
  const state = stateOf(
    "server" in contract ? contract : { validate: "always", logLevel: "silent", ...contract },
  );
  const definition = tool as unknown as ToolDefinition;
  const { inputSchema } = advertiseOwn(state, definition);
  const bait = new Bait();
  const judging: Judging = {
    bait,
    allow,
    open: openTexts(definition, inputSchema),
    outputSchema: listedOutput(definition, state.effective.toolContract(definition), state.masksSuccesses),
    errors: definition.config.errors,
    timeoutMs,
    ownTimeoutMs: definition.config.timeoutMs,
  };
  const fuzz = new Fuzz(state, definition, options, judging);
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
      const { calls, stopped } = await callAll(fuzz, made, findings, runs);
      if (fuzz.reached === 0 && options.except?.includes("unreached") !== true) findings.addUnreached(calls);
      const facts = {
        tool: definition.name,
        seed,
        calls,
        reached: fuzz.reached,
        findings: findings.sorted(),
      };
      return toReport({ ...facts, stopped });
    });
  } finally {
    bait.close();
  }
}
