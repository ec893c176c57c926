// The names under which one endpoint shows the tools, or the prompts, of several servers. They follow from the
// configuration and from the last known lists alone: a server that is down now still takes part.

import { createHash } from "node:crypto";
import type { prefixModes } from "../../../engine/settings/gateway-table.ts";
import { toolWord } from "../../../core/contract/wire-names.ts";

export type PrefixMode = (typeof prefixModes)[number];

/** What every model API accepts. */
export const MAX_NAME = 64;
const HASH_DIGITS = 8;

/** A name of one server, as that server knows it. */
export interface NamePlace {
  readonly server: string;
  readonly name: string;
}

export interface NameRules {
  readonly prefix: PrefixMode;
  /** The servers, in the order of the configuration. */
  readonly servers: readonly string[];
  /** Names that no server's tool may have here. */
  readonly reserved?: readonly string[] | undefined;
}

/** A longer name keeps its beginning, and a hash of what it stands for. */
function shortened(name: string, { server, name: own }: NamePlace): string {
  if (name.length <= MAX_NAME) return name;
  const digest = createHash("sha256")
    .update(JSON.stringify([server, own]))
    .digest("hex");
  return `${name.slice(0, MAX_NAME - HASH_DIGITS - 1)}_${digest.slice(0, HASH_DIGITS)}`;
}

function prefixed(place: NamePlace): string {
  return shortened(`${toolWord(place.server) ?? "server"}_${place.name}`, place);
}

/** Two servers whose names differ only in characters that no tool may have. */
function hashed(place: NamePlace): string {
  return shortened(`${prefixed(place)}${" ".repeat(MAX_NAME)}`, place).replaceAll(/ +/g, "");
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function allPlaces(
  servers: readonly string[],
  lists: ReadonlyMap<string, readonly string[]>,
): readonly NamePlace[] {
  return servers.flatMap((server) => [...new Set(lists.get(server))].map((name) => ({ server, name })));
}

export class MergedNames {
  readonly #shown = new Map<string, Map<string, string>>();
  readonly #places = new Map<string, NamePlace>();
  readonly #unknown: (place: NamePlace) => string;

  constructor({ servers, prefix, reserved = [] }: NameRules, lists: ReadonlyMap<string, readonly string[]>) {
    const places = allPlaces(servers, lists);
    const counts = countsOf(places.map(({ name }) => name));
    const isPlain = (name: string): boolean =>
      prefix === "collision" && (counts.get(name) ?? 0) <= 1 && !reserved.includes(name);
    // A name that another tool gets by its prefix belongs to that tool.
    const given = countsOf(places.filter(({ name }) => !isPlain(name)).map(prefixed));
    this.#unknown = (place) =>
      isPlain(place.name) && !counts.has(place.name) && !given.has(place.name)
        ? shortened(place.name, place)
        : prefixed(place);
    const nameOf = (place: NamePlace): string =>
      isPlain(place.name) && !given.has(place.name) ? shortened(place.name, place) : prefixed(place);
    const taken = countsOf(places.map(nameOf));
    for (const place of places) {
      const name = nameOf(place);
      this.#add(place, (taken.get(name) ?? 0) > 1 || reserved.includes(name) ? hashed(place) : name);
    }
  }

  #add(place: NamePlace, shown: string): void {
    const names = this.#shown.get(place.server) ?? new Map<string, string>();
    this.#shown.set(place.server, names.set(place.name, shown));
    if (!this.#places.has(shown)) this.#places.set(shown, place);
  }

  /** The name that clients know. A name that is in no list yet is treated as if it were the last of its list. */
  shown(server: string, name: string): string {
    return this.#shown.get(server)?.get(name) ?? this.#unknown({ server, name });
  }

  /** What clients mean by a name. */
  find(shown: string): NamePlace | undefined {
    return this.#places.get(shown);
  }

  /** All names that clients know, in order. */
  all(): readonly string[] {
    return [...this.#places.keys()];
  }
}
