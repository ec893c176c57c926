import type { JsonValue } from "../../core/json/json-value.ts";
import { shortJson } from "../output/format-values.ts";
import { indent } from "../output/print-steps.ts";
import type { Paint } from "../report.ts";
import type { Scene } from "./gateway-tour.ts";

const HANDLE_DIGITS = 12;

/** A hash has 64 digits; people compare the first few. `--json` has the whole hash. */
const shorten = (text: string): string =>
  text.replaceAll(/[0-9a-f]{64}/g, (hash) => `${hash.slice(0, HANDLE_DIGITS)}…`);

/** The scenes of the tour, one below the other, each with its call and its cost. */
export function printTour(scenes: readonly Scene[], paint: Paint): string {
  const head = paint.bold("The gateway in front of a server with 600 parcels:");
  const shown = scenes.map(({ title, call, says, tokens, json }) =>
    [
      `${paint.bold(paint.cyan(title))}  ${shorten(call)}`,
      `   ${paint.green(says)} ${paint.dim("·")} ${paint.dim(`${tokens} tokens`)}`,
      // Shortened before the layout, so that a short hash makes a short line.
      indent(shortJson(JSON.parse(shorten(JSON.stringify(json))) as JsonValue)),
    ].join("\n"),
  );
  return [head, ...shown, savingOf(scenes)].join("\n\n");
}

function savingOf(scenes: readonly Scene[]): string {
  const costOf = (wanted: string): number => scenes.find(({ title }) => title === wanted)?.tokens ?? 0;
  const parts = (["cut", "retrieval", "question"] as const).map(costOf);
  const sum = parts.reduce((total, tokens) => total + tokens, 0);
  const all = costOf("without the gateway");
  return `For a list, a record and a count the model reads ${parts.join(" + ")} = ${sum} tokens; the list alone has ${all}.`;
}
