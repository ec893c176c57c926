import { lastMask } from "./redact/mask.ts";
import type { Redactor } from "./redact-secrets.ts";

/** So much of the lines before is remembered: more than a private key has. */
const MAX_BEFORE = 8_192;

/**
 * Masks a stream line by line, as lines are printed: a private key or a login may go over several of them, and by
 * itself none of these looks like a secret.
 */
export function createLineRedactor(redactor: Redactor): (line: string) => string {
  let before = "";
  return (line) => {
    const earlier = redactor.text(before).text;
    const whole = redactor.text(`${before}\n${line}`).text;
    before = `${before}\n${line}`.slice(-MAX_BEFORE);
    if (whole.startsWith(`${earlier}\n`)) return whole.slice(earlier.length + 1);
    // A secret began before this line and goes on in it; what stands behind it on the line may stay.
    return (lastMask(whole) ?? "") + (whole.startsWith(earlier) ? whole.slice(earlier.length) : "");
  };
}
