const MASK = "***";

/** A URL without the name and password it may hold, for whatever is printed; other texts stay as they are. */
export function maskCredentials(given: string): string {
  const scheme = /^\s*(?:https?:[\\/]*|[a-z][a-z0-9+.-]*:[\\/]{2,})/i.exec(given)?.[0];
  if (scheme === undefined) return given;
  const rest = given.slice(scheme.length);
  // Of what cannot be read nobody knows where the password ends: one with a slash ends the host too early.
  const secret = URL.canParse(given) ? /^[^\\/?#]*@/ : /^.*@/s;
  return scheme + rest.replace(secret, `${MASK}@`);
}
