import {
  CONTRACT_META_KEY,
  IDEMPOTENCY_META_KEY,
  REQUEST_ID_META_KEY,
} from "../../core/contract/wire-names.ts";
import { warningSeverity } from "../../core/contract/warning.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { Answer, Called } from "./answer.ts";
import { lostCall } from "./client-faults.ts";
import type { CallOptions, ClientOptions } from "./client-options.ts";
import { type CallParams, type ServerConnection, sendCall } from "./connection.ts";
import { readResult } from "./read-result.ts";
import { RATE_LIMIT_ERROR, ResponseError } from "../../core/contract/response-error.ts";
import { type RetryRules, defaultRetry, dependsOnTool, pauseBeforeRetry, wait } from "./retry-policy.ts";

/** How errors of SDK clients tell that a server refused a caller by HTTP, for want of a scope. */
const lacksScope = /Insufficient scope|required_permission/;

/** Calls a tool, reads the answer, and repeats the call if that is right. */
export class CallRunner {
  readonly connection: ServerConnection;
  readonly options: ClientOptions;
  readonly #rules: RetryRules;
  /** An exhausted rate limit holds for every call over this connection. */
  #pausedUntil = 0;

  constructor(connection: ServerConnection, options: ClientOptions) {
    this.connection = connection;
    this.options = options;
    const { retry = {} } = options;
    this.#rules = retry === false ? { ...defaultRetry, attempts: 1 } : { ...defaultRetry, ...retry };
  }

  get #now(): () => number {
    return this.options.now ?? Date.now;
  }

  #paramsOf({ tool, args }: Called, { budget, idempotencyKey, requestId }: CallOptions): CallParams {
    const { dialect, profile } = this.options;
    const asked = budget ?? this.options.budget ?? "server";
    const contract: JsonObject = {
      ...(dialect === undefined ? {} : { dialect }),
      ...(profile === undefined ? {} : { profile }),
      ...(asked === "server" ? {} : { budget_tokens: asked }),
    };
    const meta: JsonObject = {
      ...(Object.keys(contract).length > 0 ? { [CONTRACT_META_KEY]: contract } : {}),
      ...(idempotencyKey === undefined ? {} : { [IDEMPOTENCY_META_KEY]: idempotencyKey }),
      ...(requestId === undefined ? {} : { [REQUEST_ID_META_KEY]: requestId }),
    };
    return { name: tool, arguments: args, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) };
  }

  async #send(called: Called, options: CallOptions): Promise<Answer> {
    const { strict = false, dialect } = this.options;
    const { signal, requestId } = options;
    const timeoutMs = options.timeoutMs ?? this.options.timeoutMs;
    let result: unknown;
    try {
      result = await sendCall(this.connection, this.#paramsOf(called, options), { signal, timeoutMs });
    } catch (error) {
      signal?.throwIfAborted();
      const isLimit = (error as { readonly code?: unknown } | undefined)?.code === RATE_LIMIT_ERROR;
      if (isLimit || lacksScope.test(String(error))) {
        const { refusedCall } = await import("./refused-call.ts");
        throw refusedCall(error, called);
      }
      throw lostCall(error, called);
    }
    return readResult(result, called, { strict, dialect, requestId });
  }

  /** Gives each warning to `onWarning`; warnings of severity error can be thrown. */
  #hear(answer: Answer): void {
    const { onWarning, strictWarnings } = this.options;
    for (const warning of answer.warnings) onWarning?.(warning, answer);
    const grave = answer.warnings.find((warning) => warningSeverity(warning) === "error");
    if (strictWarnings !== true || grave === undefined) return;
    const { message, code = "WARNING", context = {} } = grave;
    throw new ResponseError({ message, code, type: "internal", details: context }, answer.notes);
  }

  /** If a success used up the rate limit, the next call has to wait. */
  #heed(notes: Answer["notes"]): void {
    const { remaining, reset_at: resetAt } = notes.rateLimit ?? {};
    const until = remaining === 0 && resetAt !== undefined ? Date.parse(resetAt) : Number.NaN;
    if (until > this.#pausedUntil) this.#pausedUntil = until;
  }

  async #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (ms > 0) await (this.options.wait ?? wait)(ms, signal);
  }

  async #isSettled(error: ResponseError, called: Called): Promise<boolean> {
    if (error.retryRule !== "check_state") return false;
    return (await this.options.onConflict?.(error, called)) === "retry";
  }

  #log(called: Called, attempt: number, started: number, outcome: Answer | ResponseError): void {
    const isError = ResponseError.isInstance(outcome);
    this.options.onCall?.({
      ...called,
      requestId: outcome.requestId,
      ok: !isError,
      errorCode: isError ? outcome.code : undefined,
      attempt,
      durationMs: this.#now() - started,
      fidelity: isError ? undefined : outcome.fidelity,
    });
  }

  async #attempt(called: Called, options: CallOptions, attempt: number): Promise<Answer | ResponseError> {
    const started = this.#now();
    try {
      const answer = await this.#send(called, options);
      this.#log(called, attempt, started, answer);
      this.#heed(answer.notes);
      return answer;
    } catch (error) {
      if (!ResponseError.isInstance(error)) throw error;
      this.#log(called, attempt, started, error);
      this.#heed(error.notes);
      return error;
    }
  }

  /** Rejects with a ResponseError, or with the reason of an abort. */
  async run(called: Called, options: CallOptions = {}): Promise<Answer> {
    const started = this.#now();
    const left = (): number => this.#rules.budgetMs - (this.#now() - started);
    const rules = options.repeatable === true ? { ...this.#rules, repeat: "always" as const } : this.#rules;
    for (let attempt = 1; ; attempt++) {
      // If the pause exceeds the remaining time, the call is made at once: the server's refusal says more than ours
      // would.
      const pause = this.#pausedUntil - this.#now();
      if (this.options.retry !== false && pause > 0 && pause <= left())
        await this.#pause(pause, options.signal);
      options.signal?.throwIfAborted();
      const outcome = await this.#attempt(called, options, attempt);
      if (!ResponseError.isInstance(outcome)) {
        this.#hear(outcome);
        return outcome;
      }
      if (attempt >= rules.attempts) throw outcome;
      const facts = dependsOnTool(outcome) ? await this.connection.toolFacts?.(called.tool) : undefined;
      const isConflictSettled = await this.#isSettled(outcome, called);
      const failed = { error: outcome, tool: called.tool, attempt, facts, isConflictSettled };
      const ms = pauseBeforeRetry(failed, rules, this.options.random ?? Math.random);
      if (ms === undefined || ms > left()) throw outcome;
      await this.#pause(ms, options.signal);
    }
  }
}
