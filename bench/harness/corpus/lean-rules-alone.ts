// The rules of lean alone, over every recorded result that is JSON: every preset, no argument learnt, and no least saving.
// So they leave out all that they ever could. Counted is what a later call of the same task took as an argument.
import type { JsonObject, JsonValue } from "../../../src/core/json/json-value.ts";
import type * as LeanRules from "../../../src/core/pipeline/shape/lean/lean-rules.ts";
import type * as LeanValues from "../../../src/core/pipeline/shape/lean/lean-value.ts";
import type * as Names from "../../../src/core/pipeline/shape/lean/protected-names.ts";
import { loadModule } from "../built.ts";
import { readCalls, scalarsIn, valuesOfLaterCalls } from "./read-corpus.ts";

const { leanPresets } = await loadModule<typeof LeanRules>("core/pipeline/shape/lean/lean-rules");
const { leanValue } = await loadModule<typeof LeanValues>("core/pipeline/shape/lean/lean-value");
const { ProtectedNames } = await loadModule<typeof Names>("core/pipeline/shape/lean/protected-names");

export interface RuleFigures {
  readonly name: string;
  /** Fields that were left out, and how many of them a later call took. */
  readonly dropped: number;
  readonly droppedTaken: number;
  /** Texts and numbers that stayed, and how many of them a later call took. */
  readonly kept: number;
  readonly keptTaken: number;
}

export function rulesAlone(data: string): readonly RuleFigures[] {
  return ["livemcpbench", "tau-airline"].flatMap((name) => {
    const calls = readCalls(data, name) ?? [];
    if (calls.length === 0) return [];
    const sum = { dropped: 0, droppedTaken: 0, kept: 0, keptTaken: 0 };
    for (const call of calls) {
      const later = valuesOfLaterCalls(calls, call);
      const isTaken = (value: JsonValue): boolean => scalarsIn(value).some((one) => later.has(one));
      for (const value of call.texts.flatMap(jsonOf)) {
        const presets = leanPresets.map(({ id }) => id);
        const lean = leanValue(value, { presets, guarded: new ProtectedNames([]), opensTexts: true });
        const kept = scalarsIn(lean.value);
        sum.dropped += lean.dropped.length;
        sum.droppedTaken += lean.dropped.filter((field) => isTaken(field.value)).length;
        sum.kept += kept.length;
        sum.keptTaken += kept.filter((one) => later.has(one)).length;
      }
    }
    return [{ name, ...sum }];
  });
}

/** The value of a text that is a JSON object or list. */
function jsonOf(text: string): readonly (JsonObject | readonly JsonValue[])[] {
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === "object" && value !== null ? [value] : [];
  } catch {
    return [];
  }
}
