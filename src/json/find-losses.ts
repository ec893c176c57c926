import type { JsonFinding, JsonFindingKind } from "./json-finding.ts";
import { START, advancePosition } from "./text-position.ts";
import { traceJson } from "./trace-json.ts";
import type { TracedToken } from "./trace-json.ts";
import { hasLoneSurrogate } from "./lone-surrogate.ts";
import { numberLoss } from "./number-loss.ts";

interface JsonLosses {
  readonly findings: readonly JsonFinding[];
  readonly truncated: boolean;
  readonly reordersKeys: boolean;
}

/** Lists what valid JSON text loses when it is read into a value, in the order of the text. */
export function findLosses(text: string, maxFindings: number): JsonLosses {
  const findings: JsonFinding[] = [];
  let truncated = false;
  let reordersKeys = false;
  let position = START;
  traceJson(text, text.length, (token, pointer) => {
    if (token.moves) reordersKeys = true;
    for (const kind of lossesOf(token)) {
      if (findings.length >= maxFindings) {
        truncated = true;
        return;
      }
      position = advancePosition(text, position, token.offset);
      const at = pointer();
      findings.push({ kind, pointer: at, ...position, message: describeLoss(kind, token.text, at) });
    }
  });
  return { findings, truncated, reordersKeys };
}

type LossKind = Exclude<JsonFindingKind, "syntax" | "depth">;

function lossesOf(token: TracedToken): LossKind[] {
  const losses: LossKind[] = [];
  if (token.kind === "number") {
    const loss = numberLoss(token.text);
    if (loss !== undefined) losses.push(loss);
    return losses;
  }
  if (token.repeats) losses.push("duplicate-key");
  if (hasLoneSurrogate(token.text)) losses.push("lone-surrogate");
  return losses;
}

function describeLoss(kind: LossKind, text: string, pointer: string): string {
  const where = pointer === "" ? "the whole value" : pointer;
  const messages: Readonly<Record<LossKind, string>> = {
    "number-range": `The number ${clip(text)} at ${where} is too large for a double and would become null: write it as a string.`,
    "number-precision": `The number ${clip(text)} at ${where} would become ${String(Number(text))}: write it as a string.`,
    "duplicate-key": `The key at ${where} appears more than once in its object and only the last value would stay: rename or remove one.`,
    "lone-surrogate": `The text at ${where} holds half a surrogate pair, which UTF-8 cannot carry: write the whole pair, or remove it.`,
  };
  return messages[kind];
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
