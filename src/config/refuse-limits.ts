import { createScanner } from "jsonc-parser";
import type { ContractError } from "../contract/contract-error.ts";
import { invalidConfig } from "./config-problem.ts";
import type { Locate } from "./locate-offset.ts";
import type { Place } from "./place.ts";

export const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_DEPTH = 100;

/** Refuses a text of more than 1 MiB. */
export function refuseSize(text: string, file: string): void {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) throw tooLarge(file);
}

/** The refusal of a file past the size limit. */
export function tooLarge(file: string): ContractError {
  const message = `The file is larger than ${MAX_CONFIG_BYTES} bytes (1 MiB). Keep only settings in it.`;
  return invalidConfig([{ place: { file, line: 1, column: 1 }, path: "", message }]);
}

/** Refuses deep nesting without recursion: the parser recurses and would overflow the stack. */
export function refuseDepth(text: string, at: Locate): void {
  const scanner = createScanner(text, true);
  const open: string[] = [];
  for (;;) {
    const before = scanner.getPosition();
    scanner.scan();
    if (scanner.getPosition() === before) return;
    const offset = scanner.getTokenOffset();
    const token = scanner.getTokenLength() === 1 ? text[offset] : "";
    if (token === "{" || token === "[") open.push(token === "{" ? "}" : "]");
    else if (token !== "" && token === open.at(-1)) open.pop();
    if (open.length > MAX_DEPTH) throw tooDeep(at(offset));
  }
}

/** The refusal of a file past the depth limit. */
export function tooDeep(place: Place, options?: ErrorOptions): ContractError {
  const message = `The file is nested deeper than ${MAX_DEPTH} levels. Flatten it: no setting lies that deep.`;
  return invalidConfig([{ place, path: "", message }], options);
}
