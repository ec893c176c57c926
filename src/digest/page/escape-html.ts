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

// A parser drops or changes control characters; as their pictures they stay one character each, and can be seen.
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
