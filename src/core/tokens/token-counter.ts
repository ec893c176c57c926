/** The vocabularies that are built in. */
export const tokenEncodings = ["o200k_base", "cl100k_base"] as const;

export type Encoding = (typeof tokenEncodings)[number];

/**
 * Counts the tokens of a text. `count` stops above `limit` and then returns some number above it. It may also stop once
 * the text certainly has at most `enough` tokens, because no token is shorter than a byte, and then returns a number
 * that is not too small and not above `enough`.
 */
export interface TokenCounter {
  readonly encoding: string;
  count(text: string, limit?: number, enough?: number): number;
}

const loaded = new Map<Encoding, Promise<TokenCounter>>();

/** Where a vocabulary comes from. */
export interface LoadCounterOptions {
  /**
   * The bytes of `waybill/vocabulary/<encoding>.bin`, or the address to fetch them from, for runtimes without files.
   * Default: the file of the installed package.
   */
  readonly vocabulary?: Uint8Array | ArrayBuffer | URL | undefined;
}

/** The counter of an encoding, made from its vocabulary on the first call and kept. */
export async function loadCounter(
  encoding: Encoding = "o200k_base",
  { vocabulary }: LoadCounterOptions = {},
): Promise<TokenCounter> {
  if (!tokenEncodings.includes(encoding)) {
    throw new RangeError(
      `There is no encoding "${encoding as string}": choose one of ${tokenEncodings.join(", ")}.`,
    );
  }
  const known = loaded.get(encoding);
  if (known !== undefined) return known;
  // Only when it is needed: a server may never have a result that must be counted.
  const counter = make(encoding, vocabulary);
  loaded.set(encoding, counter);
  // A file that could not be read is tried again on the next call.
  counter.catch(() => loaded.delete(encoding));
  return counter;
}

async function make(encoding: Encoding, given: LoadCounterOptions["vocabulary"]): Promise<TokenCounter> {
  if (given === undefined) return (await import("./read-counter.ts")).readCounter(encoding);
  const vocabulary = await bytesOfVocabulary(given);
  return (await import("./create-counter.ts")).createCounter(encoding, vocabulary);
}

/** The bytes of a vocabulary, given directly or by address. */
export async function bytesOfVocabulary(given: Uint8Array | ArrayBuffer | URL): Promise<Uint8Array> {
  if (given instanceof Uint8Array) return given;
  if (!(given instanceof URL)) return new Uint8Array(given);
  const response = await fetch(given);
  if (!response.ok)
    throw new Error(`The vocabulary at ${given.host} was not given: HTTP ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
