// Settings that were changed on the page of one replica, applied by all. What Redis has decides: of two changes of one
// setting the later stays. Redis may lose them; then a replica that knows them writes them again.

import { jsonIn, type JsonValue } from "../../../../core/json/json-value.ts";
import type { SharedNews, SharedPlace } from "./shared-place.ts";

/**
 * Applies a change that was made elsewhere; null takes it back. False if there is no such upstream: it may come later.
 * Throws if the change cannot be applied here.
 */
export type ApplyChange = (upstream: string, path: string, value: JsonValue) => boolean;

/** A change that this gateway cannot apply, since another version or configuration made it. */
export type NoteRefusal = (upstream: string, path: string, error: unknown) => void;

export class SharedSettings {
  readonly #refused: NoteRefusal;
  #apply: ApplyChange = () => false;
  #version = "";
  /** By their places, as JSON; what all replicas have. */
  #known = new Map<string, string>();
  /** Changes of upstreams that are not there yet: a gateway starts its page before its servers. */
  readonly #early = new Map<string, string>();
  /** Changed here, and not in Redis yet. */
  readonly #waiting = new Map<string, string>();

  constructor(refused: NoteRefusal) {
    this.#refused = refused;
  }

  /** The version of what is known. */
  get version(): string {
    return this.#version;
  }

  follow(apply: ApplyChange): void {
    this.#apply = apply;
  }

  /** Upstreams came or went. */
  upstreamsChanged(): void {
    for (const [at, value] of this.#early) this.#set(at, value);
  }

  /** A setting was changed on the page of this replica. */
  note(upstream: string, path: string, value: JsonValue): void {
    this.#waiting.set(placeOf(upstream, path), value === null ? "" : JSON.stringify(value));
  }

  async send(place: SharedPlace): Promise<void> {
    if (this.#waiting.size === 0) return;
    const sent = [...this.#waiting];
    await place.change(sent);
    for (const [at, value] of sent) {
      if (value === "") this.#known.delete(at);
      else this.#known.set(at, value);
      // Changed again in the meantime: the newer one waits.
      if (this.#waiting.get(at) === value) this.#waiting.delete(at);
    }
  }

  async take({ version, settings }: SharedNews, place: SharedPlace): Promise<void> {
    if (version === "" && this.#known.size > 0) {
      await place.change(this.#known, true);
      return;
    }
    if (settings === undefined) return;
    for (const [at, value] of settings) if (this.#known.get(at) !== value) this.#set(at, value);
    for (const at of this.#known.keys()) if (!settings.has(at)) this.#set(at, "");
    this.#known = new Map(settings);
    this.#version = version;
  }

  #set(at: string, value: string): void {
    // What was changed here since is sent next, and is then the later one.
    if (this.#waiting.has(at)) return;
    const [upstream, path] = readPlace(at);
    if (upstream === undefined || path === undefined) return;
    const given = value === "" ? null : jsonIn(value);
    if (given === undefined) return;
    this.#early.delete(at);
    try {
      if (!this.#apply(upstream, path, given)) this.#early.set(at, value);
    } catch (error) {
      this.#refused(upstream, path, error);
    }
  }
}

function placeOf(upstream: string, path: string): string {
  return JSON.stringify([upstream, path]);
}

function readPlace(at: string): readonly (string | undefined)[] {
  const place = jsonIn(at);
  return Array.isArray(place) ? place.map((part) => (typeof part === "string" ? part : undefined)) : [];
}
