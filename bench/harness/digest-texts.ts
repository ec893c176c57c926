import { generator } from "./records.ts";

const NOUNS =
  "river bridge council harvest engine treaty market island painter reactor valley railway orchard".split(
    " ",
  );
const VERBS = "crossed repaired described financed abandoned measured surrounded improved".split(" ");

/** Prose without an author: sentences of drawn words, five to a paragraph. */
export function syntheticProse(chars: number): string {
  const random = generator(7);
  const draw = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? "";
  const parts: string[] = [];
  for (let length = 0, count = 1; length < chars; count++) {
    const sentence = `In ${1800 + Math.floor(random() * 200)} the ${draw(NOUNS)} near the ${draw(NOUNS)} ${draw(VERBS)} a ${draw(NOUNS)} of the ${draw(NOUNS)}.`;
    const part = `${sentence}${count % 5 === 0 ? "\n\n" : " "}`;
    parts.push(part);
    length += part.length;
  }
  return parts.join("").slice(0, chars).trim();
}

function repeated(text: string, chars: number): string {
  return text.repeat(Math.ceil(chars / text.length)).slice(0, chars);
}

/** Long documents, most of them hostile; each is canonical. */
export const digestTexts: Readonly<Record<string, (chars: number) => string>> = {
  prose: (chars) => repeated(`${syntheticProse(1_000_000)}\n\n`, chars).trim(),
  "one line": (chars) => repeated(`${syntheticProse(1_000_000).replaceAll(/\s+/g, " ")} `, chars).trim(),
  "no spaces": (chars) => repeated(syntheticProse(1_000_000).replaceAll(/\s+/g, ""), chars),
  "one character": (chars) => "a".repeat(chars),
  "full stops": (chars) => ".".repeat(chars),
  "tiny paragraphs": (chars) => repeated("a b\n\n", chars).trim(),
  "Chinese without stops": (chars) => repeated("委员会在春天讨论了河流与桥梁的修复问题", chars),
};
