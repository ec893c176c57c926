// Which form a text has. The readers are asked one after the other, the surest first; what none of them is sure of is
// plain text.

import { readCode } from "./code-form.ts";
import { readDiff } from "./diff-form.ts";
import { readHtml } from "./html-form.ts";
import { readLog } from "./log-form.ts";
import { readSnapshot } from "./snapshot-form.ts";
import { readTable } from "./table-form.ts";
import { type ReadForm, type TextForm, lineStartsOf } from "./text-form.ts";
import { readTrace } from "./trace-form.ts";
import { readYaml } from "./yaml-form.ts";

// A diff is asked for before what its lines are of; YAML last, since much has keys and colons.
const readers: readonly ReadForm[] = [
  readDiff,
  readTrace,
  readSnapshot,
  readHtml,
  readTable,
  readLog,
  readCode,
  readYaml,
];

/** A form with the places of its lines. */
export interface KnownForm extends TextForm {
  readonly lineStarts: Int32Array;
}

/** In fewer lines a form says nothing that the lines do not say themselves. */
const MIN_LINES = 8;

export function recogniseForm(text: string): KnownForm | undefined {
  const lineStarts = lineStartsOf(text);
  if (lineStarts.length < MIN_LINES) return undefined;
  for (const read of readers) {
    const form = read(text, lineStarts);
    if (form !== undefined) return { ...form, lineStarts };
  }
  return undefined;
}
