import { secretShapes } from "./secret-shapes.ts";

const triggerKinds = ["shape", "word", "url", "key"] as const;
export type TriggerKind = (typeof triggerKinds)[number];

/** A place worth a look: a literal that every secret of some kind has at its start or in its name. */
export interface Trigger {
  readonly kind: TriggerKind;
  readonly start: number;
  readonly end: number;
}

function anyCase(source: string): string {
  return source.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replaceAll(/[.-]/g, String.raw`\$&`);
}

const words = [
  "authorization",
  "cookie",
  "bearer",
  "passw",
  "passphrase",
  "_pass",
  "pwd",
  "secret",
  "token",
  "jwt",
];
const keyWords = ["api", "account", "access", "private", "signing", "encryption", "master"];
// Longest first: "sk-ant-" before "sk-".
const prefixes = secretShapes.flatMap((shape) => shape.prefixes).toSorted((a, b) => b.length - a.length);

const shapeSource = prefixes
  .map((prefix) => (prefix === "SK" ? "SK(?=[0-9a-f]{8})" : literal(prefix)))
  .join("|");
const wordSource = anyCase([...words, `(?:${keyWords.join("|")})[-_ ]?key`].join("|"));
const urlSource = String.raw`:\\?/\\?/[^\s/?#"'<>\\:[\x60]{0,256}:`;
const keySource = "-{4,5} ?BEGIN |Private-Lines: ";
const trigger = new RegExp(`(${shapeSource})|(${wordSource})|(${urlSource})|(${keySource})`, "y");

/** Five bits for each character: letters fold their case, and collisions only cost a look. */
function fold(code: number): number {
  return code & 31;
}

const starts = [
  ...prefixes.filter((prefix) => prefix !== "SK"),
  ...Array.from("0123456789abcdef", (digit) => `SK${digit}`),
  ...words,
  ...keyWords,
  "://",
  String.raw`:\/`,
  "----",
  "Private",
];

const isStart = new Uint8Array(1 << 15);
for (const start of starts) {
  const [a = 0, b = 0, c = 0] = Array.from(start.slice(0, 3), (letter) => fold(letter.charCodeAt(0)));
  isStart[(a << 10) | (b << 5) | c] = 1;
}

/** The next trigger at or behind `from`. Almost all of a text passes with one table look-up for each character. */
export function nextTrigger(text: string, from: number): Trigger | undefined {
  const { length } = text;
  let last = 0;
  for (let index = from; index < length; index++) {
    last = ((last << 5) | fold(text.charCodeAt(index))) & 0x7fff;
    if (isStart[last] !== 0 && index >= from + 2) {
      const found = triggerAt(text, index - 2);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function triggerAt(text: string, at: number): Trigger | undefined {
  trigger.lastIndex = at;
  const found = trigger.exec(text);
  if (found === null) return undefined;
  const kind = triggerKinds.find((_, group) => found[group + 1] !== undefined) ?? "word";
  return { kind, start: at, end: trigger.lastIndex };
}
