import { lastMask } from "./redact/mask.ts";
import type { Redactor } from "./redact-secrets.ts";

/** How much of the earlier lines is remembered: more than a private key has. */
const MAX_BEFORE = 8_192;

/**
 * Masks a stream line by line, as lines are printed: a private key or a login may span several lines, none of which
 * looks like a secret by itself.
 */
export function createLineRedactor(redactor: Redactor): (line: string) => string {
  let before = "";
  return (line) => {
    const earlier = redactor.text(before).text;
    const whole = redactor.text(`${before}\n${line}`).text;
    before = `${before}\n${line}`.slice(-MAX_BEFORE);
    if (whole.startsWith(`${earlier}\n`)) return whole.slice(earlier.length + 1);
    // A secret began before this line and continues in it; the text after it on the line may stay.
    return (lastMask(whole) ?? "") + (whole.startsWith(earlier) ? whole.slice(earlier.length) : "");
  };
}
