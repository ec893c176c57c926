/** The vocabularies that are built in. */
export const tokenEncodings = ["o200k_base", "cl100k_base"] as const;

export type Encoding = (typeof tokenEncodings)[number];

/**
 * Counts tokens of a text. `count` stops once it is above `limit` and then answers some number above it. It may stop
 * as soon as the text has at most `enough` tokens whatever follows, since no token is shorter than a byte, and then
 * answers a number that is not too small and not above `enough`.
 */
export interface TokenCounter {
  readonly encoding: string;
  count(text: string, limit?: number, enough?: number): number;
}

const loaded = new Map<Encoding, Promise<TokenCounter>>();

/** The counter of an encoding, read from its vocabulary file on the first call and kept. */
export async function loadCounter(encoding: Encoding = "o200k_base"): Promise<TokenCounter> {
  if (!tokenEncodings.includes(encoding)) {
    throw new RangeError(
      `There is no encoding "${encoding as string}": choose one of ${tokenEncodings.join(", ")}.`,
    );
  }
  const known = loaded.get(encoding);
  if (known !== undefined) return known;
  // Not before it is needed: a server may never have a result that must be counted.
  const counter = import("./create-counter.ts").then(({ readCounter }) => readCounter(encoding));
  loaded.set(encoding, counter);
  // A file that could not be read is tried again on the next call.
  counter.catch(() => loaded.delete(encoding));
  return counter;
}
