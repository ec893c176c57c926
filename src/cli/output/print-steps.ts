import type { JsonValue } from "../../json/json-value.ts";
import { NOTHING_CHANGED } from "./describe-change.ts";
import type { Paint } from "./paint.ts";
import { shortJson } from "./short-json.ts";

/** One stage of the demo: what it does, what it changed, and the JSON it left. */
export interface Step {
  readonly name: string;
  readonly does: string;
  readonly change: string;
  readonly bytes: number;
  readonly json: JsonValue;
  readonly [key: string]: JsonValue;
}

/** The stages one below the other, then what to try next. */
export function printSteps(steps: readonly Step[], next: readonly string[], paint: Paint): string {
  const shown = steps.map((step, index) => {
    const title = `${paint.bold(paint.cyan(`${index}. ${step.name}`))}  ${step.does}`;
    const size = paint.dim(`${step.bytes} bytes`);
    const facts = step.change === "" ? size : `${paint.green(step.change)} ${paint.dim("·")} ${size}`;
    return [title, `   ${facts}`, indent(isSame(step) ? "(as before)" : shortJson(step.json))].join("\n");
  });
  return [...shown, [paint.bold("Try next:"), ...next.map((command) => `  ${command}`)].join("\n")].join(
    "\n\n",
  );
}

function isSame({ change }: Step): boolean {
  return change.endsWith(NOTHING_CHANGED);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "   ");
}
