import { describeSyntax } from "./describe-syntax.ts";
import { type JsonFinding, START, advancePosition, findLosses, mayHoldLoneSurrogate } from "./find-losses.ts";
import { MAX_JSON_DEPTH } from "./find-non-json.ts";
import type { JsonValue } from "./json-value.ts";
import { type JsonFault, scanJson } from "./scan-json.ts";
import { traceJson } from "./trace-json.ts";

/** How many properties a value has in all its objects together. */
export function countKeys(root: JsonValue): number {
  if (typeof root !== "object" || root === null) return 0;
  const nodes: object[] = [root];
  const inherits = hasInheritedKeys();
  let count = 0;
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index++) {
        const item: unknown = node[index];
        if (typeof item === "object" && item !== null) nodes.push(item);
      }
      continue;
    }
    for (const key in node) {
      if (inherits && !Object.hasOwn(node, key)) continue;
      count++;
      const item = (node as Readonly<Record<string, unknown>>)[key];
      if (typeof item === "object" && item !== null) nodes.push(item);
    }
  }
  return count;
}

/** Something may have added an enumerable property to Object.prototype, which for-in would count. */
function hasInheritedKeys(): boolean {
  for (const _ in {}) return true;
  return false;
}

export type { JsonFinding } from "./find-losses.ts";

interface ParseJsonOptions {
  readonly maxDepth?: number;
  readonly maxFindings?: number;
}

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** What the value lost against the text; empty when nothing. */
      readonly findings: readonly JsonFinding[];
      /** There are more findings than `maxFindings`. */
      readonly truncated: boolean;
      /** JSON.parse put keys that look like array indices in another order than the text. */
      readonly reordersKeys: boolean;
      /** The text is, unit for unit, what JSON.stringify writes for the value. False also where that is not sure. */
      readonly isDense: boolean;
    }
  | { readonly ok: false; readonly findings: readonly [JsonFinding, ...JsonFinding[]] };

const MAX_FINDINGS = 100;

/** Parses JSON text and lists everything that the value does not keep; never throws. */
export function parseJson(text: string, options: ParseJsonOptions = {}): ParsedJson {
  const maxDepth = options.maxDepth ?? MAX_JSON_DEPTH;
  const scan = scanJson(text, maxDepth);
  if (scan.fault !== undefined) return refuse(text, maxDepth);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return refuse(text, maxDepth);
  }
  // Fewer properties than keys in the text means that a key overwrote another.
  const mayLose =
    scan.losesNumbers ||
    scan.mayReorderKeys ||
    scan.keyCount !== countKeys(value) ||
    mayHoldLoneSurrogate(text);
  if (mayLose)
    return { ok: true, value, ...findLosses(text, options.maxFindings ?? MAX_FINDINGS), isDense: false };
  // Of the escapes, these two can be written in another way.
  const isDense = scan.isDense && !text.includes("\\u") && !text.includes("\\/");
  return { ok: true, value, findings: [], truncated: false, reordersKeys: false, isDense };
}

function refuse(text: string, maxDepth: number): ParsedJson {
  const scan = scanJson(text, maxDepth, true);
  // The strict scan agrees with JSON.parse; a runtime whose own depth limit is lower may still refuse.
  const fault: JsonFault = scan.fault ?? { kind: "depth", offset: 0, expected: "value" };
  const message =
    fault.kind === "syntax"
      ? describeSyntax(text, fault)
      : `The value is nested deeper than ${maxDepth} levels: flatten it, or send that part as text.`;
  const position = advancePosition(text, START, fault.offset);
  const pointer = traceJson(text, fault.offset, () => undefined);
  return {
    ok: false,
    findings: [
      {
        kind: fault.kind,
        pointer,
        ...position,
        message: `Line ${position.line}, column ${position.column}: ${message}`,
      },
    ],
  };
}
