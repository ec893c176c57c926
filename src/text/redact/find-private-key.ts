import type { Finder } from "./finding.ts";

const header = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const footer = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const puttyHeader = /Private-Lines: ?\d{1,4}/y;
const keyMaterial = /[A-Za-z0-9+/=]{16}/;
const nesting = /[{}[\]<>]/;
// A line of the key, or one of the headers older formats put before it.
const keyLine =
  /(?:\s|\\{1,7}[nrt]){0,256}(?:(?:Proc-Type|DEK-Info|Comment|Version|Hash|Private-MAC|Private-Hash)\\?: [^\r\n"'\\]{0,256}|[A-Za-z0-9+/=]{16,4096}|[A-Za-z0-9+/=]{1,15}(?=[\r\n"'`]|\\{1,7}[nr"]|$))/y;

/** Finds a private key whole, header to footer; without a footer, as far as the lines are key material. */
export const findPrivateKey: Finder = (text, at) => {
  const begin = text.startsWith("Private-Lines", at) ? puttyHeader : header;
  begin.lastIndex = at;
  if (!begin.test(text)) return undefined;
  const bodyAt = begin.lastIndex;
  const end = begin === header ? (footerEnd(text, bodyAt) ?? linesEnd(text, bodyAt)) : linesEnd(text, bodyAt);
  const isKey = keyMaterial.test(text.slice(bodyAt, end));
  return isKey ? { start: at, end, label: "PRIVATE_KEY" } : undefined;
};

/** The next row of dashes must be the footer, in the same string or list: else the key was cut short. */
function footerEnd(text: string, bodyAt: number): number | undefined {
  const dashesAt = text.indexOf("----", bodyAt);
  if (dashesAt < 0 || nesting.test(text.slice(bodyAt, dashesAt))) return undefined;
  footer.lastIndex = dashesAt;
  return footer.test(text) ? footer.lastIndex : undefined;
}

function linesEnd(text: string, bodyAt: number): number {
  let end = bodyAt;
  for (;;) {
    keyLine.lastIndex = end;
    if (!keyLine.test(text)) return end;
    end = keyLine.lastIndex;
  }
}
