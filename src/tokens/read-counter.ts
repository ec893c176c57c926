import { readFileSync } from "node:fs";
import { createCounter } from "./create-counter.ts";
import { findVocabulary } from "./find-vocabulary.ts";
import { scanCl100k } from "./scan-cl100k.ts";
import { scanO200k } from "./scan-o200k.ts";
import type { ScanPiece } from "./scan-piece.ts";
import type { Encoding, TokenCounter } from "./token-counter.ts";
import { Vocabulary } from "./vocabulary.ts";

const scanners: Readonly<Record<Encoding, ScanPiece>> = { o200k_base: scanO200k, cl100k_base: scanCl100k };

/** The counter over an encoding's vocabulary file. */
export function readCounter(encoding: Encoding): TokenCounter {
  return createCounter(encoding, new Vocabulary(readFileSync(findVocabulary(encoding))), scanners[encoding]);
}
