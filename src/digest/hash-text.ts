import { sha256 } from "../text/sha256.ts";

const QUERY_HASH_LENGTH = 8;

/** `sha256:` and the hash of a text's UTF-8, as archives and payloads write it. */
export async function hashText(text: string): Promise<string> {
  return `sha256:${await sha256(new TextEncoder().encode(text))}`;
}

/** The first eight digits of a query's hash; no query is the empty one. */
export async function hashQuery(query = ""): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(query));
  return hash.slice(0, QUERY_HASH_LENGTH);
}
