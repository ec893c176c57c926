const placeholder =
  /^(?:\$\{[^}]*\}?|\$\([^)]*\)?|\$[A-Za-z_]\w*|\{\{[^}]*\}\}|\{[\w.]*\}|<[^>]*>?|%[sdv]|%\w+%|([*•xX.#_?-])\1*|(?:process\.env|import\.meta|os\.environ|os\.getenv|ENV\[|env\().*)$/;
const plainWords = new Set(
  (
    "null undefined none nil true false yes no on off string str number int integer boolean bool object any text " +
    "bytes buffer unknown void never date array list map required optional invalid expired missing empty unset set " +
    "hidden redacted masked removed value input data result raw default example placeholder auth authentication " +
    "authorization header headers scheme schemes credentials credential challenge realm error field fields param " +
    "must should cannot the this that not and is are was has have may can will await new function async return " +
    "generated rotated revoked valid wrong incorrect rejected accepted denied disabled enabled here below above"
  ).split(" "),
);
const dottedPath = /^[A-Za-z_$][A-Za-z_$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$]+)+$/;
const lowerPath = /^(?:\.{0,2}|~)(?:\/[a-z0-9._-]+){2,}\/?$/;
const isoDate = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const url = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;

/** True for what stands in for a secret: `${TOKEN}`, `<key>`, `***`, `process.env.KEY`. */
export function isPlaceholder(value: string): boolean {
  return value.length <= 256 && placeholder.test(value);
}

/** True for words that describe a secret rather than being one: "required", "string", "null". */
export function isPlainWord(value: string): boolean {
  return value.length <= 16 && plainWords.has(value.toLowerCase().replace(/[.,;:!?)\]}]+$/, ""));
}

/** True for what only refers to a secret: a placeholder, a word, a path in code or in the file system. */
export function isReference(value: string): boolean {
  if (isPlaceholder(value) || isPlainWord(value)) return true;
  return value.length <= 256 && (dottedPath.test(value) || lowerPath.test(value));
}

/** True for code that computes a value: `match[2]`, `read(file)`, `/^[a-z]+$/`. No key has brackets; a password may. */
export function isExpression(value: string, label: string): boolean {
  return label === "PASSWORD" ? /^[A-Za-z_$][\w$.?]{0,64}[([{]/.test(value) : /[([{]/.test(value);
}

/** True for a value that is too odd to be a word of a sentence or of code. */
export function looksRandom(value: string, label: string): boolean {
  const isPassword = label === "PASSWORD";
  if (value.length < (isPassword ? 3 : 6) || url.test(value) || isoDate.test(value)) return false;
  if (/^0x[\da-f]{1,8}$/i.test(value) || (!isPassword && /^[\d.,:]+$/.test(value))) return false;
  return /[\d!@#$%^&*+=~]/.test(value);
}
