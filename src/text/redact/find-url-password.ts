import type { Finder } from "./finding.ts";
import { isPlaceholder } from "./judge-value.ts";
import { isMasked } from "./mask.ts";

const authorityEnd = /[\s/?#"'<>\\`]/g;
// A "/" in the password makes the part before it an impossible port, so the "@" further on ends the credentials.
const oddPassword = /[^\s"'<>\\`]{1,256}@(?=[\w.-]+(?::\d+)?(?:[/?#\s"'\\]|$))/y;
const port = /^(?:\d{0,5}|port)$/i;

/** Finds the password of `scheme://user:password@host`; `end` stands behind the colon. */
export const findUrlPassword: Finder = (text, _at, end) => {
  authorityEnd.lastIndex = end;
  const authority = text.slice(end, authorityEnd.exec(text)?.index);
  let length = authority.lastIndexOf("@");
  if (length < 0 && authority.length <= 256 && !port.test(authority) && !isPlaceholder(authority)) {
    oddPassword.lastIndex = end;
    length = (oddPassword.exec(text)?.[0].length ?? 0) - 1;
  }
  if (length <= 0) return undefined;
  const password = text.slice(end, end + length);
  if (isMasked(password) || isPlaceholder(password)) return undefined;
  return { start: end, end: end + length, label: "URL_PASSWORD" };
};
