import { type Finder, type Finding, isMasked, withoutMasks } from "./mask.ts";
import { type Glue, readGlue, readName } from "./read-pair.ts";
import { labelOfName, labelOfPair } from "./secret-name.ts";
import { hasDefault, isReference, isStandIn } from "./stand-in.ts";
import { bareEnd, matchesAt, quotedEnd } from "./value-end.ts";

const isoDate = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const url = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;

/**
 * True for code that computes a value: `match[2]`, `read(file)`, `/^[a-z]+$/`. A key never has brackets; a password
 * may.
 */
function isExpression(value: string, label: string): boolean {
  if (hasDefault(value)) return false;
  return label === "PASSWORD" ? /^[A-Za-z_$][\w$.?]{0,64}[([{]/.test(value) : /[([{]/.test(value);
}

/** True for a value that is too odd to be a word of a sentence or of code. */
export function looksRandom(value: string, label: string): boolean {
  const isPassword = label === "PASSWORD";
  if (value.length < (isPassword ? 3 : 6) || url.test(value) || isoDate.test(value)) return false;
  if (/^0x[\da-f]{1,8}$/i.test(value) || (!isPassword && /^[\d.,:]+$/.test(value))) return false;
  return /[\d!@#$%^&*+=~]/.test(value);
}

/** A longer value is not a word of a sentence; a shorter one must be read before it can be refused. */
const JUDGED_LENGTH = 128;

const lineEndsHere = /\s{0,4}(?:$|[\r\n"'`]|\\[nr"'`])/y;
const restOfConnectionString = /[^;"'\r\n\\<>]{0,128}(?=;\s?[A-Za-z][\w ]{0,30}=)/y;
const moreItems = /\s{0,8},\s{0,8}"/y;

/** Finds the value of `password=…`, `"api_key": "…"`, `--token …`, `<secret>…</secret>` and the like. */
export const findPair: Finder = (text, at, end, from) => {
  const name = readName(text, at, end, from);
  const label = labelOfName(name.text);
  if (label === undefined) return undefined;
  const glue = readGlue(text, name);
  if (glue === undefined) return undefined;
  return glue.quote === "" ? findBare(text, name.text, label, glue) : findQuoted(text, name.text, glue);
};

function findQuoted(text: string, name: string, glue: Glue): Finding | undefined {
  let end = quotedEnd(text, glue.valueAt, glue.quote, glue.depth);
  const value = text.slice(glue.valueAt, end);
  const label = labelOfPair(name, value);
  if (label === undefined || isMasked(value)) return undefined;
  const isMore = glue.inArray && matchesAt(moreItems, text, end + 1);
  const isNone = glue.isJson
    ? !isMore && isStandIn(value)
    : !isQuotedSecret(value.slice(0, JUDGED_LENGTH), label);
  if (isNone) return undefined;
  while (glue.inArray && matchesAt(moreItems, text, end + 1)) {
    end = quotedEnd(text, moreItems.lastIndex, '"', 0);
  }
  return { start: glue.valueAt, end, label };
}

/** In code and prose a quoted value may be a label, a type or a message. */
function isQuotedSecret(value: string, label: string): boolean {
  if (isReference(value) || !/[A-Za-z0-9]/.test(value)) return false;
  if (/\s\S+\s/.test(value) && !/\d/.test(value)) return false;
  if (label === "PASSWORD") return labelOfName(value) === undefined;
  return looksRandom(value, label) || (value.length >= 16 && !/\s/.test(value));
}

function findBare(text: string, name: string, label: string, glue: Glue): Finding | undefined {
  // JSON has no bare strings, and a mask in place of a number would break it.
  if (glue.isJson) return undefined;
  const start = glue.valueAt;
  const judgedEnd = judgeableEnd(text, start, glue);
  const judged = text.slice(start, judgedEnd);
  if (labelOfPair(name, judged) === undefined || isMasked(judged)) return undefined;
  if (isReference(judged) || labelOfName(judged) !== undefined || text[judgedEnd] === "(") return undefined;
  if (isExpression(withoutMasks(judged), label)) return undefined;
  const isSecret = glue.isTight
    ? judged.length >= (label === "PASSWORD" ? 3 : 4)
    : isLooseSecret(text, judged, judgedEnd, label);
  if (!isSecret) return undefined;
  return { start, end: judged.length < JUDGED_LENGTH ? judgedEnd : bareEnd(text, judgedEnd), label };
}

function judgeableEnd(text: string, start: number, glue: Glue): number {
  if (glue.isElement) return text.indexOf("<", start);
  const end = bareEnd(text, start, start + JUDGED_LENGTH);
  // In `Password=two words;Server=…` the value continues to the semicolon.
  const goesOn = glue.isTight && text[end] === " " && matchesAt(restOfConnectionString, text, end);
  return goesOn ? restOfConnectionString.lastIndex : end;
}

/** `password: hunter2` in a log or a YAML file, as opposed to "password: must be longer" and `token: Token`. */
function isLooseSecret(text: string, value: string, end: number, label: string): boolean {
  if (looksRandom(value, label)) return true;
  return label === "PASSWORD" && /^[a-z]{4,}$/.test(value) && matchesAt(lineEndsHere, text, end);
}
