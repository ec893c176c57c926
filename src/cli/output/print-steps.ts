import { jsonEqual } from "../../core/json/canonical-json.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { appendPointer } from "../../core/json/pointer.ts";
import type { Paint } from "../report.ts";
import { shortJson } from "./format-values.ts";

const NOTHING_CHANGED = "nothing changed";

/** What a stage changed in a value, in one line; places inside a list are named once, with `*` for the item. */
export function describeChange(before: JsonValue, after: JsonValue): string {
  if (jsonEqual(before, after)) return NOTHING_CHANGED;
  const removed = missingIn(before, after, "");
  const added = missingIn(after, before, "");
  const parts = [
    ...(removed.size > 0 ? [`removed ${[...removed].join(", ")}`] : []),
    ...(added.size > 0 ? [`added ${[...added].join(", ")}`] : []),
  ];
  return parts.length === 0 ? "values changed" : parts.join("; ");
}

function missingIn(value: JsonValue, other: JsonValue | undefined, path: string): Set<string> {
  const found = new Set<string>();
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? other : [];
    value.forEach((item, index) => {
      const inner = index < others.length ? missingIn(item, others[index], `${path}/*`) : [`${path}/*`];
      for (const place of inner) found.add(place);
    });
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const place = appendPointer(path, key);
      const kept = isJsonObject(other) && Object.hasOwn(other, key) ? other[key] : undefined;
      for (const inner of kept === undefined ? [place] : missingIn(item, kept, place)) found.add(inner);
    }
  }
  return found;
}

/** One stage of the demo: what it does, what it changed, and the JSON it left. */
export interface Step {
  readonly name: string;
  readonly does: string;
  readonly change: string;
  readonly bytes: number;
  readonly json: JsonValue;
  readonly [key: string]: JsonValue;
}

/** The stages, one below the other. */
export function printSteps(steps: readonly Step[], paint: Paint): string {
  const shown = steps.map((step, index) => {
    const title = `${paint.bold(paint.cyan(`${index}. ${step.name}`))}  ${step.does}`;
    const size = paint.dim(`${step.bytes} bytes`);
    const facts = step.change === "" ? size : `${paint.green(step.change)} ${paint.dim("·")} ${size}`;
    return [title, `   ${facts}`, indent(isSame(step) ? "(as before)" : shortJson(step.json))].join("\n");
  });
  return shown.join("\n\n");
}

/** Commands to copy. */
export function printNext(commands: readonly string[], paint: Paint): string {
  return [paint.bold("Try next:"), ...commands.map((command) => `  ${command}`)].join("\n");
}

function isSame({ change }: Step): boolean {
  return change.endsWith(NOTHING_CHANGED);
}

export function indent(text: string): string {
  return text.replaceAll(/^/gm, "   ");
}
