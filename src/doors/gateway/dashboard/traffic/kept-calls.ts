import type { Fault, Notes, Outcome } from "../../../../core/contract/outcome.ts";
import type { Profile } from "../../../../core/contract/profile.ts";
import type { Parcel } from "../../../../core/pipeline/parcel.ts";
import { tenantKey } from "../../../../engine/archive/store-rules.ts";
import type { WatchedUpstream } from "../dashboard-parts.ts";
import { jsonChunks } from "../../../../core/json/json-chunks.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import type { ToolCall } from "../../../../engine/call/called-tool.ts";
import type { AnsweredCall } from "../../../../engine/call/answered-call.ts";
import { type KeptReader, keepReader } from "./kept-reader.ts";
import { writeJson } from "../../../../core/json/find-non-json.ts";

/** What is kept of a call besides its row. */
export interface KeptCall {
  readonly seq: number;
  /** The upstream of the call, with its archive, counter and settings. */
  readonly upstream: WatchedUpstream;
  /** The tenant whose archive the call used: the name, not the key. */
  readonly tenant: string;
  /** The profile of the call, whatever the settings are now. */
  readonly profile: Profile;
  /** What each stage did to the result. Empty if the result was forwarded as the server's own bytes. */
  readonly trace: Parcel["trace"];
  /** Warnings, fidelity with dropped ids and archives, and other notes; undefined if there is no outcome. */
  readonly notes: Notes | undefined;
  /** The fault, if the call failed. */
  readonly fault: Fault | undefined;
  /** The content of the call; undefined if bodies are not allowed, or too many calls came at once. */
  readonly contents: KeptContents | undefined;
  readonly reader: KeptReader;
}

/** The content of a call, as JSON texts. None of it is masked yet. */
export interface KeptContents {
  readonly arguments: KeptText;
  /** The MCP result of the server, or the value of one of our own tools; undefined if neither came. */
  readonly before: KeptText | undefined;
  /** The MCP result that was delivered. */
  readonly after: KeptText | undefined;
  /** The data of a success after the stages, for other dialects; undefined for failures and untouched results. */
  readonly data: KeptText | undefined;
}

interface Entry {
  readonly call: KeptCall;
  readonly bytes: number;
}

/** Calls in order; the oldest are removed when there are too many bytes. */
class KeptQueue {
  readonly #maxBytes: number;
  #entries: Entry[] = [];
  #first = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(call: KeptCall, bytes: number): void {
    this.#entries.push({ call, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes && this.#first < this.#entries.length) {
      this.#bytes -= this.#entries[this.#first]?.bytes ?? 0;
      this.#first += 1;
    }
    // Removed entries are cut off only now and then: each cut moves all remaining entries.
    if (this.#first > 1_024 && this.#first > this.#entries.length / 2) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
  }

  find(seq: number): KeptCall | undefined {
    let low = this.#first;
    let high = this.#entries.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const call = this.#entries[middle]?.call;
      if (call === undefined || call.seq === seq) return call;
      if (call.seq < seq) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  *[Symbol.iterator](): Generator<KeptCall> {
    for (let at = this.#first; at < this.#entries.length; at++) {
      const call = this.#entries[at]?.call;
      if (call !== undefined) yield call;
    }
  }
}

/** Half of the room is reserved for failures, cuts and warnings, so that ordinary calls never displace them. */
export class KeptCalls {
  readonly #ordinary: KeptQueue;
  readonly #notable: KeptQueue;

  constructor(maxBytes: number) {
    this.#ordinary = new KeptQueue(maxBytes / 2);
    this.#notable = new KeptQueue(maxBytes / 2);
  }

  get bytes(): number {
    return this.#ordinary.bytes + this.#notable.bytes;
  }

  add(call: KeptCall, bytes: number, isNotable: boolean): void {
    (isNotable ? this.#notable : this.#ordinary).add(call, bytes);
  }

  find(seq: number): KeptCall | undefined {
    return this.#notable.find(seq) ?? this.#ordinary.find(seq);
  }

  /** The names of the tenants whose calls are kept, each with the upstream that it called. */
  upstreamsByTenant(): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (const queue of [this.#ordinary, this.#notable])
      for (const { tenant, upstream } of queue) names.set(tenant, upstream.name);
    return names;
  }

  /** The numbers of the calls that name an archive, by the tenant's key, a slash, the 64 hex digits; newest first. */
  seqsByArchive(): ReadonlyMap<string, readonly number[]> {
    const seqs = new Map<string, number[]>();
    for (const queue of [this.#ordinary, this.#notable])
      for (const { seq, notes, tenant } of queue)
        for (const named of Object.values(notes?.fidelity?.archives ?? {})) {
          const key = `${tenantKey(tenant)}/${named.replace(/^sha256:/, "")}`;
          const known = seqs.get(key);
          if (known === undefined) seqs.set(key, [seq]);
          else if (known.at(-1) !== seq) known.push(seq);
        }
    for (const known of seqs.values()) known.sort((a, b) => b - a);
    return seqs;
  }
}

/** JSON that was kept for the page, or its beginning. */
export interface KeptText {
  readonly text: string;
  /** The length of the whole text, unless counting stopped at the limit. */
  readonly chars: number;
  readonly isHead: boolean;
}

/** Counting stops here; the rest of a larger value is not counted. */
const MAX_COUNTED = 8 * 1024 * 1024;

/** A copy: a slice would keep the whole text in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

/** A value as JSON text, cut at a limit. */
function keepText(value: JsonValue, maxChars: number): KeptText {
  let text = "";
  let chars = 0;
  for (const chunk of jsonChunks(value)) {
    chars += chunk.length;
    if (text.length < maxChars) text += chunk.slice(0, maxChars - text.length);
    if (chars > MAX_COUNTED) break;
  }
  const isHead = chars > text.length;
  return { text: isHead ? copyOf(text) : text, chars, isHead };
}

/** The most memory that a text takes. */
function bytesOfText({ text }: KeptText): number {
  return text.length * 2;
}

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
      reader: keepReader(call, answered),
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
