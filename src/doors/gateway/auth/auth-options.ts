import * as z from "zod/mini";
import { choice, judged, object, optionsOf, text } from "../../../core/options/option-kinds.ts";
import { CHECKS_NOTHING, admitsNoCaller, bearerKinds } from "../../../engine/request/sign-in/bearer-auth.ts";
import type { GatewayAuth, GatewayOptions, OAuthOptions, UpstreamAuth } from "../gateway-options.ts";
import { isLoopbackHost } from "../../../core/text/network-address.ts";
import type { Problem } from "../../../core/options/explain-issues.ts";

/** An empty `gateway` would admit no caller, which is never intended. */
export const gatewayAuth = optionsOf<GatewayAuth>(bearerKinds).check((payload) => {
  if (!admitsNoCaller(payload.value)) return;
  payload.issues.push({ code: "custom", message: CHECKS_NOTHING, input: payload.value });
});

const oauth = optionsOf<OAuthOptions>({
  clientId: text,
  clientSecret: text,
  clientMetadataUrl: judged(problemOfMetadataUrl),
  scope: text,
});

function problemOfMetadataUrl(value: unknown): string | undefined {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === "https:" && url.pathname !== "/") return undefined;
  return "is not the address of a client-id metadata document: write one that begins with https:// and has a path.";
}

/** An object without either would neither check nor sign in any caller. */
const parts = object({
  gateway: z.optional(gatewayAuth),
  oauth: z.optional(z.union([z.literal(true), oauth], "Write true, or an object: { … }.")),
}).check((payload) => {
  const given = payload.value as { readonly gateway?: unknown; readonly oauth?: unknown };
  if (given.gateway !== undefined || given.oauth !== undefined) return;
  payload.issues.push({
    code: "custom",
    message: "checks nothing: give gateway, oauth, or both.",
    input: given,
  });
});

/** The check of an upstream's `auth` option. */
export const upstreamAuth = z.union(
  [choice(["none", "passthrough", "oauth"]), parts],
  'Write "none", "passthrough", "oauth", { gateway: { tokens, jwt } }, or { gateway, oauth: true }.',
);

function checksCallers(auth: UpstreamAuth | undefined): boolean {
  return typeof auth === "object" && auth.gateway !== undefined;
}

/** How the gateway signs in to an upstream; undefined if it does not. */
export function oauthOf(auth: UpstreamAuth | undefined): OAuthOptions | undefined {
  if (auth === "oauth") return {};
  const given = typeof auth === "object" ? auth.oauth : undefined;
  return given === true ? {} : given;
}

/** Why the dashboard may not listen on a public address: the gateway does not check who opens it. */
export function dashboardProblems({ dashboard }: Pick<GatewayOptions, "dashboard">): Problem[] {
  const { host, auth } = dashboard ?? {};
  if (host === undefined || isLoopbackHost(host) || auth !== undefined) return [];
  const message = `"dashboard.host" is ${JSON.stringify(host)}, which other machines can reach, but the gateway does not check who opens the page. Give dashboard.auth: { tokens or jwt }, or listen on 127.0.0.1.`;
  return [{ path: ["dashboard", "auth"], part: "value", message }];
}

/**
 * Why the gateway may not listen on a public address: an upstream whose callers the gateway does not check.
 * `passthrough` is not a check, since the list of tools and the archive answer before the server is asked.
 */
export function publicAddressProblems({
  http,
  upstreams,
}: Pick<GatewayOptions, "http" | "upstreams">): Problem[] {
  const { host } = http ?? {};
  if (host === undefined || isLoopbackHost(host)) return [];
  return Object.entries(upstreams)
    .filter(([, { auth }]) => !checksCallers(auth))
    .map(([name]) => ({
      path: ["upstreams", name, "auth"],
      part: "value",
      message: `"http.host" is ${JSON.stringify(host)}, which other machines can reach, but the gateway does not check who calls the upstream "${name}". Give it auth: { gateway: { tokens or jwt } }, or listen on 127.0.0.1.`,
    }));
}
