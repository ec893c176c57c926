import { isCut, isRepaired } from "../../engine/call/read-answer.ts";
import { textsOf } from "../../engine/call/stand-in.ts";
import type { CalledTool } from "../../engine/call/called-tool.ts";
import type { AnsweredCall } from "../../engine/call/run-call.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { TokenCounter } from "../../core/tokens/token-counter.ts";
import type { GatewaySummary } from "./gateway-options.ts";
import { type Gauged, TokenGauge } from "./token-gauge.ts";

function addTo(gauge: TokenGauge, result: JsonObject): void {
  for (const text of textsOf(result)) gauge.add(text);
}

function sum(...parts: readonly Gauged[]): Gauged {
  return {
    tokens: parts.reduce((total, { tokens }) => total + tokens, 0),
    isEstimated: parts.some(({ isEstimated }) => isEstimated),
  };
}

/** Counts what passes through all upstreams of a gateway; a result costs it a few lengths. */
export class Tally {
  readonly #untouched = new TokenGauge();
  readonly #before = new TokenGauge();
  readonly #after = new TokenGauge();
  #calls = 0;
  #cuts = 0;
  #retrievals = 0;
  #errorsRepaired = 0;

  note({ givesBack }: CalledTool, answered: AnsweredCall): void {
    const { result, arrival, outcome, dialect } = answered;
    // A request for input, or a task: its answer comes later.
    if (dialect === undefined) return;
    this.#calls += 1;
    if (isCut(answered)) this.#cuts += 1;
    if (isRepaired(answered)) this.#errorsRepaired += 1;
    if (arrival.kind === "result") {
      if (answered.isUntouched) return addTo(this.#untouched, result);
      addTo(this.#before, arrival.result);
    } else if (givesBack === true && outcome?.ok === true) this.#retrievals += 1;
    addTo(this.#after, result);
  }

  summary(counter: TokenCounter): GatewaySummary {
    const untouched = this.#untouched.total(counter);
    const before = sum(untouched, this.#before.total(counter));
    const after = sum(untouched, this.#after.total(counter));
    return {
      calls: this.#calls,
      tokensIn: before.tokens,
      tokensOut: after.tokens,
      isEstimated: before.isEstimated || after.isEstimated,
      cuts: this.#cuts,
      retrievals: this.#retrievals,
      errorsRepaired: this.#errorsRepaired,
    };
  }
}
