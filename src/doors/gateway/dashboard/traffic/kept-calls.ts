import type { Fault, Notes } from "../../../../core/contract/outcome.ts";
import type { Profile } from "../../../../core/contract/profile.ts";
import type { Parcel } from "../../../../core/pipeline/parcel.ts";
import { tenantKey } from "../../../../engine/archive/store-rules.ts";
import type { WatchedUpstream } from "../dashboard-parts.ts";
import type { KeptText } from "./kept-text.ts";

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
