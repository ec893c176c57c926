// Where a tool is defined, for its author: a mistake in a tool's answer is found here and not in the tool, so its stack
// leads through our files alone. Only in development, since a stack costs some microseconds.

import { isDevelopment } from "../runtime/edge-runtime.ts";

/** The stacks are made into text when they are read. */
const stacks = new WeakMap<object, { readonly stack?: string }>();

type Capture = (target: object, below: unknown) => void;

/** Keeps the place from which `below`, the function that defines tools, was called. */
export function noteDefinition(definition: object, below: unknown): void {
  // Only V8 has it.
  const { captureStackTrace } = Error as { readonly captureStackTrace?: Capture };
  if (captureStackTrace === undefined || !isDevelopment()) return;
  const caller = {};
  captureStackTrace(caller, below);
  stacks.set(definition, caller);
}

const firstFrame = /^\s*at (?:.*\((.+)\)|(.+))$/m;

/** `file:///home/ada/tasks/src/get.ts:14:7`; undefined if it is not known. */
export function definedAt(definition: object): string | undefined {
  const [, inBrackets, bare] = firstFrame.exec(stacks.get(definition)?.stack ?? "") ?? [];
  return inBrackets ?? bare;
}
