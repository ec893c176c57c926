import { readFileSync } from "node:fs";
import { createCounter } from "./create-counter.ts";
import { scanCl100k } from "./scan-cl100k.ts";
import { scanO200k } from "./scan-o200k.ts";
import type { ScanPiece } from "./scan-piece.ts";
import type { Encoding, TokenCounter } from "./token-counter.ts";
import { Vocabulary } from "./vocabulary.ts";

const scanners: Readonly<Record<Encoding, ScanPiece>> = { o200k_base: scanO200k, cl100k_base: scanCl100k };

const loaded = new Map<Encoding, Promise<TokenCounter>>();

/** The counter of an encoding, read from its vocabulary file on the first call and kept. */
export async function loadCounter(encoding: Encoding = "o200k_base"): Promise<TokenCounter> {
  const known = loaded.get(encoding);
  if (known !== undefined) return known;
  const counter = Promise.resolve().then(() => readCounter(encoding));
  loaded.set(encoding, counter);
  // A file that could not be read is tried again on the next call.
  counter.catch(() => loaded.delete(encoding));
  return counter;
}

function readCounter(encoding: Encoding): TokenCounter {
  const file = readFileSync(new URL(`./vocabulary/${encoding}.bin`, import.meta.url));
  return createCounter(encoding, new Vocabulary(file), scanners[encoding]);
}
