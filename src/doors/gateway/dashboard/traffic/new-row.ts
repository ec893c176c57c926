import type { ToolCall } from "../../../../engine/call/called-tool.ts";
import { isCut, isRepaired } from "../../../../engine/call/read-answer.ts";
import type { AnsweredCall, CallTimes } from "../../../../engine/call/run-call.ts";
import { textsOf } from "../../../../engine/call/stand-in.ts";
import { PassedThrough, isForTheClient } from "../../../../engine/call/unanswered.ts";
import type { WatchedUpstream } from "../dashboard-parts.ts";
import type { NewRow } from "./call-ring.ts";
import { type Estimate, type TokenEstimate, TokenRatio } from "./token-estimate.ts";

/** Texts of servers and clients may have any length; in a list they are cut. */
const MAX_NAME = 128;
/** A secret that begins in the shown part must be seen as a whole. */
const MAX_MASKED = 4_096;

/** Names repeat; names that callers invent must not fill the memory. */
const MAX_KNOWN = 1_000;

function shortName(name: string): string {
  // A copy: a slice would keep the whole text in memory.
  return name.length <= MAX_NAME ? name : Buffer.from(`${name.slice(0, MAX_NAME - 1)}…`).toString();
}

/** Names as pages see them: masked as in the log, each once. */
class ShownNames {
  readonly #mask: (text: string) => string;
  readonly #known = new Map<string, string>();

  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  of(name: string): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const shown = shortName(this.#mask(name.slice(0, MAX_MASKED)));
    if (name.length > MAX_NAME) return shown;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(name, shown);
    return shown;
  }
}

/** The name under which calls of unlisted tools are summed up. */
const UNKNOWN = "(unknown)";

/** The token ratios of one tool's texts, as its server sends them and as they are delivered. */
export class ToolRatios {
  readonly before = new TokenRatio();
  readonly after = new TokenRatio();
}

const none: Estimate = { tokens: 0, isCounted: true };

/** Turns the engine's events about calls into rows, for one upstream. */
export class RowMaker {
  readonly #upstream: string;
  readonly #names: ShownNames;
  readonly #tokens: TokenEstimate;
  readonly #isOwn: (requestId: string) => boolean;

  constructor(
    { name, state }: Pick<WatchedUpstream, "name" | "state">,
    tokens: TokenEstimate,
    isOwn: (requestId: string) => boolean,
  ) {
    this.#upstream = name;
    this.#names = new ShownNames(state.mask);
    this.#tokens = tokens;
    this.#isOwn = isOwn;
  }

  /** The tool's name in figures: callers may invent names, which are summed up as one. */
  figureName({ tool: { name, isUnlisted } }: ToolCall): string {
    return isUnlisted === true ? UNKNOWN : this.#names.of(name);
  }

  answered(
    call: ToolCall,
    answered: AnsweredCall,
    times: CallTimes | undefined,
    ratios: ToolRatios,
    now: number,
  ): NewRow {
    const { arrival, outcome, isUntouched } = answered;
    const fault = outcome?.ok === false ? outcome.fault : undefined;
    const isAbandoned = arrival.kind === "thrown" && arrival.isCancelled === true;
    const before =
      arrival.kind === "result" ? this.#tokens.of(textsOf(arrival.result), ratios.before, now) : none;
    const after = isUntouched ? before : this.#tokens.of(textsOf(answered.result), ratios.after, now);
    const notes = outcome?.notes;
    const isFailed = fault !== undefined && !isAbandoned;
    // Written out: spreading a part into an object of this size takes longer than everything else.
    return {
      at: now,
      upstream: this.#upstream,
      tool: this.#names.of(call.tool.name),
      requestId: call.identity.requestId,
      ending: isAbandoned ? "abandoned" : isFailed ? "failed" : "ok",
      errorCode: isFailed ? this.#names.of(fault.code) : undefined,
      errorType: isFailed ? this.#names.of(fault.type) : undefined,
      fidelity: isCut(answered) ? (notes?.fidelity?.level ?? "full") : "full",
      isUntouched,
      isRepaired: isRepaired(answered),
      isArchived: notes?.fidelity !== undefined && Object.keys(notes.fidelity.archives).length > 0,
      warnings: notes?.warnings?.length ?? 0,
      dialect: answered.dialect ?? call.contract.dialect,
      serverMs: serverMsOf(times),
      addedMs: addedMsOf(times),
      tokensIn: before.tokens,
      tokensOut: isAbandoned ? 0 : after.tokens,
      isCounted: before.isCounted && after.isCounted,
      isOwn: this.#isOwn(call.identity.requestId),
    };
  }

  /** Undefined for a response that is not an answer yet: the call has not failed, and continues. */
  unanswered(call: ToolCall, thrown: unknown, times: CallTimes, now: number): NewRow | undefined {
    const passed = PassedThrough.isInstance(thrown) ? thrown : undefined;
    if (passed?.isUnfinished === true || isForTheClient(thrown)) return undefined;
    return {
      at: now,
      upstream: this.#upstream,
      tool: this.#names.of(call.tool.name),
      requestId: call.identity.requestId,
      ending: "failed",
      errorCode: passed === undefined ? "INTERNAL_ERROR" : `JSON-RPC ${passed.code ?? 0}`,
      errorType: passed === undefined ? "internal" : "protocol",
      fidelity: "full",
      isUntouched: passed !== undefined,
      isRepaired: false,
      isArchived: false,
      warnings: 0,
      dialect: call.contract.dialect,
      serverMs: serverMsOf(times),
      addedMs: addedMsOf(times),
      tokensIn: 0,
      tokensOut: 0,
      isCounted: true,
      isOwn: this.#isOwn(call.identity.requestId),
    };
  }
}

function serverMsOf(times: CallTimes | undefined): number {
  return times === undefined ? 0 : times.arrivedAt - times.askedAt;
}

/** The time from the call's arguments to its result, without the server's time. */
function addedMsOf(times: CallTimes | undefined): number {
  return times === undefined ? 0 : performance.now() - times.openedAt - serverMsOf(times);
}

/** A call of our own tool that returned what was cut. */
export function isRetrieval({ tool }: ToolCall, { arrival, outcome }: AnsweredCall): boolean {
  return tool.answersRetrieval === true && arrival.kind !== "result" && outcome?.ok === true;
}
