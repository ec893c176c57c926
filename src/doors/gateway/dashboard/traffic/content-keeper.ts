import type { Fault, Notes, Outcome } from "../../../../core/contract/outcome.ts";
import type { ToolCall } from "../../../../engine/call/called-tool.ts";
import type { AnsweredCall } from "../../../../engine/call/run-call.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import { writeJson } from "../../../../core/json/find-non-json.ts";
import type { WatchedUpstream } from "../dashboard-parts.ts";
import type { KeptCall, KeptContents } from "./kept-calls.ts";
import { type KeptText, bytesOfText, keepText } from "./kept-text.ts";

/** Ordinary calls whose contents are kept, per second and at once: serialising all of them would cost too much. */
const ORDINARY_A_SECOND = 25;
const MAX_ORDINARY = 500;
/** The approximate size of the objects around the texts. */
const ENTRY_BYTES = 1_024;

/** The facts about a call that decide what is kept of it. */
interface Ended {
  readonly seq: number;
  readonly upstream: WatchedUpstream;
  readonly call: ToolCall;
  readonly answered: AnsweredCall;
  readonly isNotable: boolean;
  readonly now: number;
}

/** Decides what is kept of a call besides its row, and how much memory that takes. */
export class ContentKeeper {
  readonly #hasBodies: boolean;
  readonly #maxChars: number;
  #room = MAX_ORDINARY;
  #filledAt = 0;

  constructor(hasBodies: boolean, maxChars: number) {
    this.#hasBodies = hasBodies;
    this.#maxChars = maxChars;
  }

  /** Undefined if nothing is to be kept. */
  keep(ended: Ended): { readonly call: KeptCall; readonly bytes: number } | undefined {
    const { seq, upstream, call, answered, isNotable, now } = ended;
    const { outcome, trace } = answered;
    if (outcome === undefined && !this.#hasBodies) return undefined;
    if (!isNotable && !this.#hasRoom(now)) return undefined;
    const said = outcome === undefined ? undefined : saidBy(outcome, this.#maxChars);
    const contents = this.#hasBodies ? this.#contentsOf(call, answered) : undefined;
    const kept: KeptCall = {
      seq,
      upstream,
      tenant: call.identity.tenant,
      profile: call.contract.profileObject,
      trace: trace ?? [],
      notes: said?.notes,
      fault: said?.fault,
      contents,
    };
    return { call: kept, bytes: ENTRY_BYTES + (said?.bytes ?? 0) + bytesOf(contents) };
  }

  #hasRoom(now: number): boolean {
    const passed = Math.max(0, now - this.#filledAt);
    this.#filledAt = now;
    this.#room = Math.min(MAX_ORDINARY, this.#room + (passed * ORDINARY_A_SECOND) / 1_000);
    if (this.#room < 1) return false;
    this.#room -= 1;
    return true;
  }

  #contentsOf({ args }: ToolCall, answered: AnsweredCall): KeptContents {
    const { arrival, result, outcome, isUntouched } = answered;
    const arrived = arrival.kind === "result" ? arrival.result : undefined;
    const before = this.#textOf(arrival.kind === "value" ? asJson(arrival.value) : arrived);
    return {
      arguments: keepText(asJson(args) ?? {}, this.#maxChars),
      before,
      after: isUntouched ? before : this.#textOf(result),
      data: outcome?.ok === true && !isUntouched ? this.#textOf(outcome.data) : undefined,
    };
  }

  #textOf(value: JsonValue | undefined): KeptText | undefined {
    return value === undefined ? undefined : keepText(value, this.#maxChars);
  }
}

/** Undefined for a value that JSON cannot represent. */
function asJson(given: unknown): JsonValue | undefined {
  const { value, problem } = writeJson(given);
  return problem === undefined ? (value as JsonValue) : undefined;
}

function bytesOf(contents: KeptContents | undefined): number {
  if (contents === undefined) return 0;
  const { arguments: args, before, after, data } = contents;
  const texts = after === before ? [args, before, data] : [args, before, after, data];
  return texts.reduce((sum, text) => sum + (text === undefined ? 0 : bytesOfText(text)), 0);
}

interface Said {
  readonly notes: Notes;
  readonly fault: Fault | undefined;
  readonly bytes: number;
}

const MAX_DROPPED = 1_000;
const MAX_MESSAGE = 4_096;

/** What an outcome says besides its data. Texts longer than a page shows are shortened. */
function saidBy(outcome: Outcome, maxChars: number): Said {
  const { notes } = outcome;
  const fault = outcome.ok ? undefined : outcome.fault;
  const isShort =
    fault === undefined && notes.extra === undefined && notes.fidelity === undefined && !notes.warnings;
  if (isShort) return { notes, fault, bytes: 0 };
  const bytes = JSON.stringify({ notes, fault }).length * 2;
  return bytes <= maxChars * 2 ? { notes, fault, bytes } : shortened(notes, fault);
}

function shortened({ warnings, fidelity, requestId }: Notes, fault: Fault | undefined): Said {
  const notes: Notes = {
    requestId,
    warnings: warnings?.slice(0, 100).map(({ code, severity, message }) => ({
      ...(code === undefined ? {} : { code }),
      ...(severity === undefined ? {} : { severity }),
      message: message.slice(0, MAX_MESSAGE),
    })),
    fidelity: fidelity && { ...fidelity, dropped: fidelity.dropped.slice(0, MAX_DROPPED) },
  };
  const short = fault && {
    message: fault.message.slice(0, MAX_MESSAGE),
    code: fault.code,
    type: fault.type,
    ...(fault.remediation === undefined ? {} : { remediation: fault.remediation.slice(0, MAX_MESSAGE) }),
  };
  return { notes, fault: short, bytes: JSON.stringify({ notes, fault: short }).length * 2 };
}
