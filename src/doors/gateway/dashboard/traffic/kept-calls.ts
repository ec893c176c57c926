import type { Fault, Notes } from "../../../../core/contract/outcome.ts";
import type { Profile } from "../../../../core/contract/profile.ts";
import type { Parcel } from "../../../../core/pipeline/parcel.ts";
import { tenantKey } from "../../../../engine/archive/store-rules.ts";
import type { WatchedUpstream } from "../dashboard-parts.ts";
import type { KeptText } from "./kept-text.ts";

/** What is kept of a call beside its row. */
export interface KeptCall {
  readonly seq: number;
  /** Where it went: its archive, its counter, its settings. */
  readonly upstream: WatchedUpstream;
  /** Whose archive it used: the name, not the key. */
  readonly tenant: string;
  /** The profile that the call had, whatever the settings say by now. */
  readonly profile: Profile;
  /** The result went through the stages: what each of them did. Empty where it left as the server's own bytes. */
  readonly trace: Parcel["trace"];
  /** Warnings, fidelity with dropped ids and archives, and what else was noted; undefined where nothing could be. */
  readonly notes: Notes | undefined;
  /** Of a failure. */
  readonly fault: Fault | undefined;
  /** What it carried; undefined where bodies are not allowed, or too many calls came at once. */
  readonly contents: KeptContents | undefined;
}

/** What a call carried, as JSON texts. None of it is masked yet. */
export interface KeptContents {
  readonly arguments: KeptText;
  /** The MCP result of the server, or the value of a tool of our own; undefined where neither came. */
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

/** Calls in their order, the oldest of which go when there are too many bytes. */
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
    // The places of what is gone are given back now and then: to do it each time would move the rest each time.
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

/** Failures, cuts and warnings have a half of the room for themselves, so that ordinary calls never drive them out. */
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

  /** The numbers of the calls whose envelopes name an archive, by the tenant's key, a slash, its 64 hex digits; newest first. */
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
