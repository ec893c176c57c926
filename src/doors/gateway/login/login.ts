// One sign-in that is kept: whose it is, at which server, and what it gave.

import { createHash } from "node:crypto";
import * as z from "zod/mini";

const optionalText = z.optional(z.string());

/** The client as the authorization server knows it. `secretExpiresAt` is in seconds; 0 means never. */
const client = z.object({
  id: z.string().check(z.minLength(1)),
  secret: optionalText,
  secretExpiresAt: z.optional(z.number()),
  authMethod: optionalText,
  redirectUri: optionalText,
  /** Registered by us, so that a new one may take its place. */
  isRegistered: z.boolean(),
});

const tokens = z.object({
  access: z.string().check(z.minLength(1)),
  refresh: optionalText,
  scope: optionalText,
  /** Undefined: the authorization server did not say. */
  expiresAtMs: z.optional(z.number()),
  gotAtMs: z.number(),
});

const login = z.object({
  /** The address of the MCP server. */
  url: z.string(),
  /** The caller over HTTP whose login it is; "" for the user of this machine. */
  caller: z.string(),
  /** The address under which the authorization server publishes its metadata, and the issuer that they name. */
  authorizationServer: z.string(),
  issuer: z.string(),
  /** What the tokens are for, in the words of the server's metadata (RFC 8707). */
  resource: optionalText,
  /** The scopes that were asked for, so that a later sign-in asks for no fewer. */
  scope: optionalText,
  client,
  tokens: z.optional(tokens),
});

export type Login = z.infer<typeof login>;
export type LoginClient = z.infer<typeof client>;
export type LoginTokens = z.infer<typeof tokens>;

/** The login in a JSON value that was stored; undefined for anything else. */
export function readLogin(value: unknown): Login | undefined {
  return login.safeParse(value).data;
}

/** Whose login, and where. */
export interface LoginKey {
  readonly url: string;
  readonly caller: string;
}

/** The address as every spelling of it has one login: without a fragment, and without what follows a name in it. */
export function loginUrl(address: string): string {
  const url = new URL(address);
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}

/** The name of a login's file. It says nothing of the server or the caller. */
export function loginName({ url, caller }: LoginKey): string {
  return createHash("sha256")
    .update(JSON.stringify([url, caller]))
    .digest("hex")
    .slice(0, 32);
}

const AHEAD_MS = 60_000;

/** Whether the tokens should be refreshed before they are shown again: a fifth of their life is left, or a minute. */
export function isEnding({ expiresAtMs, gotAtMs }: LoginTokens, nowMs: number): boolean {
  if (expiresAtMs === undefined) return false;
  return expiresAtMs - nowMs <= Math.min(AHEAD_MS, (expiresAtMs - gotAtMs) / 5);
}
