// Who may see the page. On one machine: a browser that opens the link which the gateway printed. For a team: every browser that has
// one of the dashboard's tokens; its cookie is signed, so that every replica with the same Redis knows it.

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { randomBase64url } from "../../../../engine/runtime/random-text.ts";
import { authenticate } from "../../auth/authenticate.ts";
import type { GatewayAuth } from "../../gateway-options.ts";

const SECRET_BYTES = 32;
/** How many browsers are signed in at once by a link; beyond that the first one has to sign in again. */
const MAX_BROWSERS = 50;

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The value of one cookie; browsers send all cookies of a host, regardless of the port that set them. */
function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Cookies ignore ports: the port in the name separates two gateways on one machine. */
function cookieName(port: number): string {
  return `waybill_dashboard_${port}`;
}

/**
 * The token in the link works once and becomes a cookie, so that a link in a browser's history or in a log opens
 * nothing. There is never more than one unused token.
 */
export class LinkSignIn {
  readonly #cookieName: string;
  #token: string | undefined;
  readonly #browsers: Buffer[] = [];

  constructor(port: number) {
    this.#cookieName = cookieName(port);
  }

  /** The unused token of the link; a new one if there was no unused one. */
  token(): string {
    this.#token ??= randomBase64url(SECRET_BYTES);
    return this.#token;
  }

  /** Takes a token; returns the cookie to set, or undefined if the token is wrong or used. */
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

/** How long a browser of a team stays signed in. */
const SESSION_MS = 12 * 3_600_000;

/** Wrong tokens that are looked at in a period; a person who mistypes needs fewer. */
const MAX_WRONG = 20;
const WRONG_MS = 60_000;

/** What became of a token that somebody sent. */
export type Entered =
  | { readonly kind: "ok"; readonly cookie: string }
  /** `says` is for the person, and does not repeat the token. */
  | { readonly kind: "refused"; readonly says: string }
  | { readonly kind: "busy" };

export class TokenSignIn {
  readonly #cookieName: string;
  readonly #auth: GatewayAuth;
  readonly #key: Buffer;
  readonly #now: () => number;
  #wrong = 0;
  #wrongUntilMs = 0;

  /** `secret` is the same at every replica. Other tokens make another key, so that a change signs everybody out. */
  constructor(port: number, auth: GatewayAuth, secret: string, now: () => number = Date.now) {
    this.#cookieName = cookieName(port);
    this.#auth = auth;
    this.#key = createHmac("sha256", secret).update(JSON.stringify(auth)).digest();
    this.#now = now;
  }

  async enter(token: string, isSecure: boolean): Promise<Entered> {
    const now = this.#now();
    if (now >= this.#wrongUntilMs) [this.#wrong, this.#wrongUntilMs] = [0, now + WRONG_MS];
    if (this.#wrong >= MAX_WRONG) return { kind: "busy" };
    const verdict = await authenticate({ authorization: `Bearer ${token}` }, { gateway: this.#auth });
    if (verdict.kind === "refused") {
      this.#wrong += 1;
      return { kind: "refused", says: verdict.message };
    }
    const told = Buffer.from(JSON.stringify({ who: verdict.principal, until: now + SESSION_MS }));
    const session = told.toString("base64url");
    const attributes = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${SESSION_MS / 1_000}`;
    const cookie = `${this.#cookieName}=${session}.${this.#sign(session)}; ${attributes}`;
    return { kind: "ok", cookie: isSecure ? `${cookie}; Secure` : cookie };
  }

  isIn(cookies: string | undefined): boolean {
    const [session = "", signature = ""] = cookieIn(cookies, this.#cookieName)?.split(".", 2) ?? [];
    if (!timingSafeEqual(digestOf(signature), digestOf(this.#sign(session)))) return false;
    const { until } = JSON.parse(Buffer.from(session, "base64url").toString()) as { readonly until: number };
    return this.#now() < until;
  }

  #sign(session: string): string {
    return createHmac("sha256", this.#key).update(session).digest("base64url");
  }
}
