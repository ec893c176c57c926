// The addresses of stores behind a network: which text is one, and what it says of how long and how much is kept.

import { wholeIn } from "./address-query.ts";
import { isPostgresAddress, parsePostgresUrl } from "./postgres/postgres-address.ts";
import { isRedisAddress, parseRedisUrl } from "./redis/redis-address.ts";
import type { storePackages } from "./store-package.ts";

export const remoteKinds = ["redis", "postgres"] as const satisfies readonly (keyof typeof storePackages)[];
export type RemoteKind = (typeof remoteKinds)[number];

/** The kind of store that an address is of; undefined for a text that is no such address, for example a path. */
export function remoteKindOf(text: string): RemoteKind | undefined {
  if (isRedisAddress(text)) return "redis";
  return isPostgresAddress(text) ? "postgres" : undefined;
}

/** Throws if the address is wrong. */
export function checkRemoteAddress(kind: RemoteKind, text: string): void {
  if (kind === "redis") parseRedisUrl(text);
  else parsePostgresUrl(text);
}

/** The place of a store without TLS on another machine, where its address does not say that this is meant. */
export function exposedPlace(text: string): string | undefined {
  if (!isPostgresAddress(text)) return undefined;
  try {
    const { isExposed, location } = parsePostgresUrl(text);
    return isExposed ? location : undefined;
  } catch {
    // Who opens or checks the store reports what is wrong.
    return undefined;
  }
}

interface OpenedAddress {
  /** The text without what is said apart. */
  readonly place: string;
  readonly ttl?: string | undefined;
  readonly maxBytes?: number | undefined;
}

/** Takes `ttl` and `maxBytes` out of the query of an address. Any other text, and a wrong address, stays as it is. */
export function openRemoteAddress(text: string): OpenedAddress {
  const place = text.trim();
  const kind = remoteKindOf(place);
  if (kind === undefined) return { place: text };
  try {
    checkRemoteAddress(kind, place);
  } catch {
    // Who opens or checks the store reports what is wrong.
    return { place: text };
  }
  const url = new URL(place);
  const ttl = url.searchParams.get("ttl") ?? undefined;
  const maxBytes = wholeIn(url.searchParams.get("maxBytes") ?? "");
  if (ttl === undefined && maxBytes === undefined) return { place: text };
  url.searchParams.delete("ttl");
  url.searchParams.delete("maxBytes");
  return { place: url.href, ttl, maxBytes };
}
