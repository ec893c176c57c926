const SYMBOLS = 0x2400;
const DELETE = 0x7f;
const SYMBOL_FOR_DELETE = "\u2421";
const REPLACEMENT = "\ufffd";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// A parser drops or changes control characters; as control pictures they stay one character each, and visible.
// oxlint-disable-next-line no-control-regex
const unsafe = /[&<>"'\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function safeForm(character: string): string {
  const entity = entities[character];
  if (entity !== undefined) return entity;
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(SYMBOLS + code);
  return code === DELETE ? SYMBOL_FOR_DELETE : REPLACEMENT;
}

/** Any text as the content of an element or of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(unsafe, safeForm);
}

/** `312,000`, whatever the locale of the machine. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** `0.83` */
export function formatScore(score: number): string {
  return score.toFixed(2);
}

const NO_BREAK_SPACE = "\u00a0";

/** A share to two significant digits: `1.5 %`, `41 %`, `0.00034 %`. Payloads round theirs, to 0 for a long document. */
export function formatShare(share: number): string {
  return `${Number((share * 100).toPrecision(2))}${NO_BREAK_SPACE}%`;
}

// The joiner of emoji stays: without it one picture becomes several.
const hidden = /(?!\u200d)\p{Cf}/gu;

function nameOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `⟨U+${code}⟩`;
}

/** Text of others for a person to judge: invisible characters are named, `…` in backticks is code. */
export function showText(text: string): string {
  return escapeHtml(text)
    .replaceAll(hidden, nameOf)
    .replaceAll(/`([^`\n]+)`/g, "<code>$1</code>");
}
