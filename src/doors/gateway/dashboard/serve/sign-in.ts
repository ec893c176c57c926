import { createHash, timingSafeEqual } from "node:crypto";
import { randomBase64url } from "../../../../engine/runtime/random-text.ts";

const SECRET_BYTES = 32;
/** Browsers that are signed in at once; the one that came first has to sign in again. */
const MAX_BROWSERS = 50;

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The value of one cookie; browsers send all cookies of a host, whatever port set them. */
function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * Who may see the page: whoever opens the link that the gateway printed. Its token works once and becomes a cookie, so
 * that a link in a browser's history or in a log opens nothing. At any time there is at most one unused token.
 */
export class SignIn {
  readonly #cookieName: string;
  #token: string | undefined;
  readonly #browsers: Buffer[] = [];

  /** Cookies know no ports: the port in the name keeps two gateways of one machine apart. */
  constructor(port: number) {
    this.#cookieName = `waybill_dashboard_${port}`;
  }

  /** The token of the link that nobody has used yet; a new one where there is none. */
  token(): string {
    this.#token ??= randomBase64url(SECRET_BYTES);
    return this.#token;
  }

  /** Takes a token; gives the cookie to set, or undefined for one that is wrong or was used. */
  enter(token: string): string | undefined {
    if (this.#token === undefined || !timingSafeEqual(digestOf(token), digestOf(this.#token)))
      return undefined;
    this.#token = undefined;
    const secret = randomBase64url(SECRET_BYTES);
    this.#browsers.push(digestOf(secret));
    if (this.#browsers.length > MAX_BROWSERS) this.#browsers.shift();
    return `${this.#cookieName}=${secret}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** Whether the browser that sends these cookies has signed in. */
  isIn(cookies: string | undefined): boolean {
    const secret = cookieIn(cookies, this.#cookieName);
    if (secret === undefined) return false;
    const digest = digestOf(secret);
    return this.#browsers.some((known) => timingSafeEqual(known, digest));
  }
}
