// JSON as a client may write it: white space of every kind between the parts, line ends of every kind in the texts.

import * as fc from "fast-check";

/** What some reader of lines takes for the end of one, and JSON allows in a text as it is. */
const textEnds = ["\u0085", "\u2028", "\u2029"] as const;

/** White space between two parts of JSON. */
const space = fc.constantFrom("", "", "\n", "\r", "\r\n", "\n\n", " ", "\t", " \n\t");
const spaces = fc.array(space, { minLength: 1, maxLength: 7 });

const word = fc.string({
  unit: fc.constantFrom("a", '"', "\\", "\n", "{", "é", "😀", ...textEnds),
  maxLength: 8,
});
const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));

/** Arguments of a call: objects and lists of everything. */
export const looseValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(word, tie("value"), { maxKeys: 3 }),
  ),
})).value;

function write(value: unknown, gap: () => string): string {
  const parts = (items: readonly string[]): string => items.map((item) => gap() + item + gap()).join(",");
  if (Array.isArray(value)) return `[${parts(value.map((item) => write(item, gap)))}${gap()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}${gap()}:${gap()}${write(item, gap)}`,
  );
  return `{${parts(members)}${gap()}}`;
}

/** A value as text, with these gaps between its parts, one after the other. */
export function writeLoosely(value: unknown, gaps: readonly string[]): string {
  let used = 0;
  const gap = (): string => gaps[used++ % gaps.length] ?? "";
  return gap() + write(value, gap) + gap();
}

/** The gaps to write a value with. */
export const looseGaps: fc.Arbitrary<readonly string[]> = spaces;

/** The lines that the strictest reader sees: those of Python's `splitlines`, which knows every end that others know. */
export function linesOf(text: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex
  const lines = text.split(/\r\n|[\n\r\v\f\u001C-\u001E\u0085\u2028\u2029]/);
  return lines.filter((line) => line !== "");
}
