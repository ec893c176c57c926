import type { ToolCall } from "../../../../engine/call/called-tool.ts";
import {
  type AnsweredCall,
  type CallTimes,
  PassedThrough,
  type Readable,
  isCut,
  isForTheClient,
  isRepaired,
  readableTexts,
  resultOfServer,
} from "../../../../engine/call/answered-call.ts";
import type { WatchedUpstream } from "../dashboard-parts.ts";
import type { NewRow } from "./call-ring.ts";
import type { TokenCounter } from "../../../../core/tokens/token-counter.ts";

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
    const arrived = resultOfServer(arrival);
    const before = arrived === undefined ? none : this.#tokens.of(readableTexts(arrived), ratios.before, now);
    const after = isUntouched ? before : this.#tokens.of(readableTexts(answered.result), ratios.after, now);
    const notes = outcome?.notes;
    const isFailed = fault !== undefined && !isAbandoned;
    // Written out: spreading a part into an object of this size takes longer than everything else.
    return {
      at: now,
      upstream: this.#upstream,
      tool: this.#names.of(call.tool.name),
      requestId: call.identity.requestId,
      caller: this.#callerOf(call),
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

  #callerOf({ identity: { principal }, request: { client } }: ToolCall): string | undefined {
    if (principal !== undefined) return this.#names.of(nameOfCaller(principal, this.#upstream));
    return client === undefined ? undefined : this.#names.of(client);
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
      caller: this.#callerOf(call),
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

/** Over HTTP the names of callers begin with the upstream that knows them. */
function nameOfCaller(principal: string, upstream: string): string {
  const name = principal.replace(/^sub:/, "");
  return name.startsWith(`${upstream}/`) ? name.slice(upstream.length + 1) : name;
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

/** Characters counted per second, on average and at most at once: counting must stay a small part of a call. */
const CHARS_A_SECOND = 4_096;
const MAX_CHARS = 262_144;
/** How much is counted of a longer text. */
const SAMPLE_CHARS = 2_048;
/** Texts up to this length are counted whole if there is time. */
const MAX_WHOLE = 32_768;
/** For English and JSON; used until the first text is counted. */
const USUAL_RATIO = 0.25;
/** Beyond this many characters, earlier texts count less than later ones. */
const MEMORY_CHARS = 65_536;

/** Tokens per character of one kind of text, learned from counted texts. */
export class TokenRatio {
  #chars = 0;
  #tokens = 0;

  get value(): number {
    return this.#chars === 0 ? USUAL_RATIO : this.#tokens / this.#chars;
  }

  learn(chars: number, tokens: number): void {
    if (this.#chars > MEMORY_CHARS) {
      this.#chars /= 2;
      this.#tokens /= 2;
    }
    this.#chars += chars;
    this.#tokens += tokens;
  }
}

interface Estimate {
  readonly tokens: number;
  readonly isCounted: boolean;
}

const nothing: Estimate = { tokens: 0, isCounted: true };

/**
 * Counts tokens exactly while there are few calls, and estimates them from characters when there are many. The cost of
 * counting is limited per second, so it does not grow with the traffic.
 */
export class TokenEstimate {
  #counter: TokenCounter | undefined;
  #room = MAX_CHARS;
  #filledAt = 0;

  /** Sets the counter. Until then everything is estimated. */
  use(counter: TokenCounter): void {
    this.#counter = counter;
  }

  of(texts: readonly Readable[], ratio: TokenRatio, now: number): Estimate {
    let chars = 0;
    for (const text of texts) chars += text.length;
    if (chars === 0) return nothing;
    const counter = this.#counter;
    if (counter === undefined) return guess(chars, ratio);
    this.#fill(now);
    if (chars <= MAX_WHOLE && chars <= this.#room) {
      this.#room -= chars;
      let tokens = 0;
      for (const text of texts) tokens += counter.count(text.slice(0, text.length));
      ratio.learn(chars, tokens);
      return { tokens, isCounted: true };
    }
    const [head = ""]: readonly Readable[] = texts;
    if (chars > MAX_WHOLE && this.#room >= SAMPLE_CHARS) {
      const sample = head.slice(0, SAMPLE_CHARS);
      this.#room -= SAMPLE_CHARS;
      ratio.learn(sample.length, counter.count(sample));
    }
    return guess(chars, ratio);
  }

  #fill(now: number): void {
    const passed = now - this.#filledAt;
    if (passed <= 0) return;
    this.#filledAt = now;
    this.#room = Math.min(MAX_CHARS, this.#room + (passed * CHARS_A_SECOND) / 1_000);
  }
}

function guess(chars: number, ratio: TokenRatio): Estimate {
  return { tokens: Math.max(1, Math.round(chars * ratio.value)), isCounted: false };
}
