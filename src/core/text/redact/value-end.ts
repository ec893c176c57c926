import { skipMask } from "./mask.ts";

// How deep JSON is nested in JSON: a quote is then preceded by 0, 1, 3 or 7 backslashes.
const escapeDepths = [0, 1, 3, 7] as const;
const blanks = /\s/;
const notKey = /[^\w-]/g;
const endsLikeJson = /["']\s{0,8}(?:[,:}\]]|$)/y;
const nextField = /[,;&|]\s{0,2}(?:amp;)?["']?[A-Za-z_$][\w$. -]{0,40}["']?\s{0,2}(?:=|:|%3[dD])/y;

/** True if the text matches a sticky pattern right here. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The end of a quoted value that starts at `at`, after a quote with `depth` backslashes; a line end also ends it. */
export function quotedEnd(text: string, at: number, quote: string, depth: number): number {
  let backslashes = 0;
  for (let index = at; index < text.length; index++) {
    const character = text[index];
    if (character === "\\") {
      backslashes++;
      continue;
    }
    if (character === "\n") return index;
    if (character === quote) {
      const closes = escapeDepths.findLast(
        (level) => level <= depth && backslashes >= level && (backslashes - level) % (2 * (level + 1)) === 0,
      );
      if (closes !== undefined) return index - closes;
    } else if (character === '"' && backslashes % 2 === 0 && matchesAt(endsLikeJson, text, index)) {
      // An open single quote inside a JSON string must not take the rest of the document.
      return index;
    }
    backslashes = 0;
  }
  return text.length;
}

const roles = { ordinary: 0, ends: 1, delimits: 2, opens: 3, closes: 4, escapes: 5 } as const;

const roleOf = new Uint8Array(128);
for (const [characters, role] of [
  ["\t\n\v\f\r \"'`<>", roles.ends],
  [",;&|", roles.delimits],
  ["([{", roles.opens],
  [")]}", roles.closes],
  ["\\", roles.escapes],
] as const) {
  for (const character of characters) roleOf[character.charCodeAt(0)] = role;
}

function isEscape(text: string, at: number): boolean {
  return text[at] === "\\" && /[nrtbfu"'`\\/]/.test(text[at + 1] ?? "n");
}

/** True if a comma, semicolon or bracket here is not part of the value. */
function delimits(text: string, at: number): boolean {
  const next = text[at + 1] ?? "";
  if (next === "" || blanks.test(next) || "\"'`<,;&|)]}".includes(next) || isEscape(text, at + 1))
    return true;
  return matchesAt(nextField, text, at);
}

/** The end of a bare value: a blank, a quote, an escape, or a real delimiter; `limit` at most. */
export function bareEnd(text: string, at: number, limit = text.length): number {
  const stop = Math.min(limit, text.length);
  let open = 0;
  let index = at;
  while (index < stop) {
    const code = text.charCodeAt(index);
    const role = code < 128 ? roleOf[code] : blanks.test(text[index] ?? "") ? roles.ends : roles.ordinary;
    if (role === roles.ends) return index;
    if (role === roles.escapes && isEscape(text, index)) return index;
    if (role === roles.delimits && delimits(text, index)) return index;
    if (role === roles.closes && open === 0 && delimits(text, index)) return index;
    if (role === roles.closes && open > 0) open--;
    const behindMask = role === roles.opens ? skipMask(text, index) : index;
    if (role === roles.opens && behindMask === index) open++;
    index = Math.max(behindMask, index + 1);
  }
  return Math.min(index, text.length);
}

/** The end of a run of key characters, however long. */
export function keyRunEnd(text: string, at: number): number {
  notKey.lastIndex = at;
  return notKey.exec(text)?.index ?? text.length;
}

/** The end of the line, or of the quoted or escaped string that contains the line. */
export function lineEnd(text: string, at: number): number {
  for (let index = at; index < text.length; index++) {
    const character = text[index] ?? "";
    if (
      character === "\n" ||
      character === "\r" ||
      character === '"' ||
      character === "'" ||
      character === "`"
    )
      return index;
    if (character === "\\" && isEscape(text, index)) return index;
  }
  return text.length;
}
