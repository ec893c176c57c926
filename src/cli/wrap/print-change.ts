import { labelOf } from "../../doors/gateway/wrap/config-text.ts";
import { diffLines } from "../../doors/gateway/wrap/diff-lines.ts";
import { hideSecretsOf } from "../../doors/gateway/wrap/hide-secrets.ts";
import type { PlannedChange } from "../../doors/gateway/wrap/plan-change.ts";
import type { ServerOutcome } from "../../doors/gateway/wrap/rewrite-config.ts";
import { printable } from "../output/format-values.ts";
import type { Paint } from "../report.ts";

const marks = {
  wrap: "wrap",
  name: "name",
  unwrap: "unwrap",
  wrapped: "wrapped",
  left: "left",
  refused: "refused",
} as const;
const words = { ...marks, name: "give its name", wrapped: "wrapped already", left: "left as it is" } as const;

/** What happens to each server, one on a line. */
export function printOutcomes(outcomes: readonly ServerOutcome[], paint: Paint): string[] {
  const colours = {
    wrap: paint.green,
    name: paint.green,
    unwrap: paint.green,
    wrapped: paint.dim,
    left: paint.yellow,
    refused: paint.red,
  };
  return outcomes.map(({ entry, state, reason }) => {
    const why = reason === undefined ? "" : `: ${reason}`;
    return `  ${colours[state](words[state])}  ${printable(labelOf(entry) + why)}`;
  });
}

/** The change of the file's text, without the values of headers and variables. */
export function printDiff({ before, after, file }: PlannedChange, paint: Paint): string[] {
  const hide = hideSecretsOf([before]);
  return diffLines(file.text, after).map((line) => {
    if (line === undefined) return paint.dim("  …");
    const text = printable(hide(line.text)).replaceAll("\\u0009", "  ");
    if (line.kind === "same") return paint.dim(`    ${text}`);
    return line.kind === "old" ? paint.red(`  - ${text}`) : paint.green(`  + ${text}`);
  });
}
