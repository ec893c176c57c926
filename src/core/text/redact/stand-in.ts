// What is written in place of a secret: a placeholder, the name of a type, a word about it.

import { labelOfName } from "./secret-name.ts";

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
// If a name in JSON says that its value is secret, only an unmistakable placeholder may stay.
const onlyStandsIn =
  /^(?:\$\{[A-Za-z_][\w.]{0,127}\}|\$?\{\{[^{}]{0,128}\}\}|<[A-Za-z][A-Za-z _.:-]{0,63}>|\[[A-Za-z ]{3,32}\]|%[A-Z_]{2,64}%|%[sdv]|([*•xX#?.-])\1{2,127}|(?:process\.env|import\.meta\.env|os\.environ|ENV)[.[][\w."'[\]]{1,128}|[Yy][Oo][Uu][Rr][-_ ][A-Za-z _-]{1,60})$/;
const variable = /^\$[A-Za-z_]\w{0,63}$/;
const knownScheme = /^(?:bearer|basic|token|bot)\s+/i;
const primitive =
  /^(?:string|str|text|number|int|integer|float|double|bool|boolean|object|any|unknown|never|void|null|undefined|none|nil|bytes?|bytearray|buffer|blob|secretstr|secretstring)$/i;
const numberedType =
  /^(?:(?:Big)?(?:Ui|I|ui|i)nt\d{1,3}(?:_t|(?:Clamped)?Array)?|Float\d\dArray|[uif](?:8|16|32|64|128)|Base64(?:Url)?(?:String)?|OAuth2[A-Za-z]{0,40}|[A-Z][A-Za-z]{1,40}\d{1,3}(?:Array|String|Type|Schema|Buffer|Dto))$/;
const typeBrackets = /^[&*[(]+|[\])?;,]+$/g;

/** True for a placeholder of a secret: `${TOKEN}`, `<key>`, `***`, `process.env.KEY`. */
export function isPlaceholder(value: string): boolean {
  return value.length <= 256 && placeholder.test(value) && !hasDefault(value);
}

/** True for `${PASSWORD:-hunter2}`: if the variable is not set, the text after it is the password. */
export function hasDefault(value: string): boolean {
  return /^\$\{\w{1,64}:?[-=][^$}\s]/.test(value);
}

/** True for words that describe a secret and are not one: "required", "string", "null". */
export function isPlainWord(value: string): boolean {
  return value.length <= 16 && plainWords.has(value.toLowerCase().replace(/[.,;:!?)\]}]+$/, ""));
}

/** True for a value that only refers to a secret: a placeholder, a word, a type, a path in code or on a disk. */
export function isReference(value: string): boolean {
  if (isPlaceholder(value) || isPlainWord(value) || isTypeName(value)) return true;
  return value.length <= 256 && (dottedPath.test(value) || lowerPath.test(value));
}

/** True for the name of a type, as in a declaration: `string`, `Uint8Array`, `[u8; 32]`, `string | null`. */
function isTypeName(value: string): boolean {
  if (value.length > 64) return false;
  return value.split("|").every((part) => {
    const name = part.trim().replaceAll(typeBrackets, "");
    return primitive.test(name) || numberedType.test(name);
  });
}

/** True for a value that is not a secret despite its name: "string", "*****", "<your-password>", "${PASSWORD}". */
export function isStandIn(value: string): boolean {
  const bare = value.length > 256 ? "" : value.trim().replace(knownScheme, "");
  if (variable.test(bare)) return bare.includes("_") || labelOfName(bare.slice(1)) !== undefined;
  return onlyStandsIn.test(bare) || isTypeName(bare);
}
