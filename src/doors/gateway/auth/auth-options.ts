import * as z from "zod/mini";
import { choice, judged, list, named, object, optionsOf, text } from "../../../core/options/option-kinds.ts";
import type { GatewayAuth, JwtAuth } from "../gateway-options.ts";
import { keyAlgorithms, problemOfJwksUrl } from "./jwt-rules.ts";
import { problemOfToken } from "./static-tokens.ts";

const jwt = object({
  jwksUrl: judged(problemOfJwksUrl),
  issuer: text,
  audience: text,
  algorithms: z.optional(list(choice(keyAlgorithms)).check(z.minLength(1, "Name at least one."))),
} satisfies Record<keyof JwtAuth, z.ZodMiniType>);

/** An empty `gateway` would admit no caller, which is never intended. */
const gateway = optionsOf<GatewayAuth>({
  tokens: named(judged(problemOfToken)),
  jwt,
}).check((payload) => {
  const { tokens, jwt: keys } = payload.value as GatewayAuth;
  if (keys !== undefined || Object.keys(tokens ?? {}).length > 0) return;
  const message = "checks nothing: give tokens, jwt, or both.";
  payload.issues.push({ code: "custom", message, input: payload.value });
});

/** The check of an upstream's `auth` option. */
export const upstreamAuth = z.union(
  [choice(["none", "passthrough"]), object({ gateway })],
  'Write "none", "passthrough", or { gateway: { tokens, jwt } }.',
);
