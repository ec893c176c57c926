import type { Expected, JsonFault } from "./scan-json.ts";

const BYTE_ORDER_MARK = "\uFEFF";

const EXPECTED: Readonly<Record<Expected, string>> = {
  value: "a value",
  item: 'a value or "]"',
  "next-item": "a value after the comma",
  key: 'a key in double quotes or "}"',
  "next-key": "a key in double quotes after the comma",
  colon: '":" after the key',
  "comma-or-brace": '"," or "}"',
  "comma-or-bracket": '"," or "]"',
  end: "nothing more after the value",
  string: "a closing double quote",
  number: "a digit",
  literal: "true, false or null",
};

const FOREIGN_WORD = /(?:NaN|-?Infinity|undefined|None|True|False|nil)\b/y;

/** Says what the text has, what JSON expects there and, where it is known, what to do. */
export function describeSyntax(text: string, fault: JsonFault): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return "The text starts with a byte order mark (U+FEFF): remove it.";
  if (text.trim() === "") return "The text is empty: send a JSON value.";
  const character = String.fromCodePoint(text.codePointAt(fault.offset) ?? 0);
  const atEnd = fault.offset >= text.length;
  const found = atEnd ? "the end of the text" : showCharacter(character);
  const hint = atEnd ? " The text may be cut off: send all of it." : hintFor(text, fault, character);
  return `Expected ${expectedAt(fault, character, atEnd)}, found ${found}.${hint}`;
}

function expectedAt(fault: JsonFault, character: string, atEnd: boolean): string {
  if (fault.expected !== "string" || atEnd) return EXPECTED[fault.expected];
  if (character < " ") return "a control character in a string to be escaped";
  return 'an escape such as \\n, \\" or \\u0041';
}

function showCharacter(character: string): string {
  const visible = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
  if (visible) return character === '"' ? "a double quote" : `"${character}"`;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function hintFor(text: string, fault: JsonFault, character: string): string {
  if (fault.expected === "string") return character < " " ? ` Write it as ${escapeControl(character)}.` : "";
  if (fault.expected === "next-key" && character === "}") return " Remove the comma before it.";
  if (fault.expected === "next-item" && character === "]") return " Remove the comma before it.";
  if (character === "'") return " Write strings in double quotes.";
  if (character === "/" || character === "#") return " Remove comments.";
  FOREIGN_WORD.lastIndex = fault.expected === "number" ? fault.offset - 1 : fault.offset;
  if (FOREIGN_WORD.test(text)) return " Write true, false, null, a finite number or a string.";
  if (/\d/.test(character) && text[fault.offset - 1] === "0") return " Remove the leading zero.";
  return "";
}

function escapeControl(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}
