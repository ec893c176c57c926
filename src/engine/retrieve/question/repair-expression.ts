// What a wrong expression probably meant. Each step mends one habit of another language; the first text that can be
// read is the example of the error. Nothing is ever evaluated that the model did not write.

import { otherLanguages } from "./other-languages.ts";

type Step = (expression: string) => string;

/** Outside of quotes only: what stands between them is data. */
function outsideQuotes(expression: string, mend: Step): string {
  return expression
    .split(/('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/)
    .map((part, index) => (index % 2 === 0 ? mend(part) : part))
    .join("");
}

const steps: readonly Step[] = [
  ...otherLanguages,
  // Curly quotes of a word processor are around text.
  (text) => text.replaceAll(/[\u2018\u2019\u201C\u201D]/g, "'"),
  (text) =>
    outsideQuotes(text, (part) =>
      part.replaceAll("===", "==").replaceAll("!==", "!=").replaceAll("<>", "!="),
    ),
  (text) => outsideQuotes(text, (part) => part.replaceAll(/(?<![=!<>])=(?!=)/g, "==")),
  (text) =>
    outsideQuotes(text, (part) =>
      part
        .replaceAll(/\bAND\b/gi, "&&")
        .replaceAll(/\bOR\b/gi, "||")
        .replaceAll(/\bNOT\s+/gi, "!"),
    ),
  // Text between double quotes, and what is no JSON between backticks.
  (text) => text.replaceAll(/(==|!=|[<>]=?)\s*"([^"'\\]*)"/g, "$1 '$2'"),
  (text) =>
    text.replaceAll(/`([^`'"[\]{}]*)`/g, (all, inside: string) => (isJson(inside) ? all : `'${inside}'`)),
  // JSONPath and JavaScript: $.items, $[0], [?(@.price > 10)], @.name inside of a filter.
  (text) => outsideQuotes(text, (part) => part.replaceAll(/^\s*\$\.?(?=[[\w*])/g, "")),
  (text) => outsideQuotes(text, (part) => part.replaceAll("@.", "")),
  // jq: .items[] | select(.state == …) | .name
  (text) => outsideQuotes(text, (part) => part.replaceAll(/(?<![\w\])}"*])\.(?=[A-Za-z_"])/g, "")),
  (text) => text.replaceAll(/\[\]\s*\|\s*select\(((?:[^()]|\([^()]*\))*)\)\s*(?:\|\s*)?\.?/g, "[?$1]."),
  (text) => text.replace(/\.\s*$/, ""),
  (text) => outsideQuotes(text, (part) => part.replaceAll(/(_by\([^,()]*,\s*)(?=[A-Za-z_])/g, "$1&")),
  (text) => text + closing(text),
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The brackets that are still open, closed. */
function closing(text: string): string {
  const open: string[] = [];
  outsideQuotes(text, (part) => {
    for (const character of part) {
      if (character === "[") open.push("]");
      if (character === "(") open.push(")");
      if (character === "{") open.push("}");
      if (character === open.at(-1)) open.pop();
    }
    return part;
  });
  return open.reverse().join("");
}

/** Longer ones are not mended: each try reads the expression once more. */
const MAX_LENGTH = 512;

/** What may have been meant, the nearest first: after one habit was mended, then after several. Most cannot be read. */
export function* repairsOf(expression: string): Generator<string> {
  if (expression.length > MAX_LENGTH) return;
  for (const step of steps) {
    const mended = step(expression);
    if (mended !== expression) yield mended;
  }
  let mended = expression;
  for (const step of steps) {
    const before = mended;
    mended = step(mended);
    if (mended !== before) yield mended;
  }
}
