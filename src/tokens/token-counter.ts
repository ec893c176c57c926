/** The vocabularies that are built in. */
export const encodings = ["o200k_base", "cl100k_base"] as const;

export type Encoding = (typeof encodings)[number];

/** Counts tokens of a text. `count` stops once it is above `limit` and then answers some number above it. */
export interface TokenCounter {
  readonly encoding: string;
  count(text: string, limit?: number): number;
}
