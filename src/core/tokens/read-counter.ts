import { readFileSync } from "node:fs";
import { createCounter } from "./create-counter.ts";
import { findVocabulary } from "./find-vocabulary.ts";
import type { Encoding, TokenCounter } from "./token-counter.ts";

/** The counter over the vocabulary file of the installed package. In a file of its own, because only Node has files. */
export function readCounter(encoding: Encoding): TokenCounter {
  return createCounter(encoding, readFileSync(findVocabulary(encoding)));
}
