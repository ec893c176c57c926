import { QUOTE, SPACE, skipSpace, skipString } from "./scan-token.ts";

/** Valid JSON without the spaces and line ends between its parts; every number, text and escape stays as written. */
export function dropSpaces(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let offset = 0; offset < text.length;) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) offset = skipString(text, offset);
    else if (code <= SPACE) {
      pieces.push(text.slice(copied, offset));
      offset = skipSpace(text, offset);
      copied = offset;
    } else offset++;
  }
  if (copied === 0) return text;
  pieces.push(text.slice(copied));
  return pieces.join("");
}
