import * as z from "zod/mini";
import { choice, key, list, named, object, text, toggle, whole } from "../../core/options/option-kinds.ts";
import { gatewayLimits } from "./gateway-limits.ts";

const jwt = object({
  jwks_url: key(text, "Where the issuer publishes its keys: https, or http on this machine."),
  issuer: key(text, "What the claim iss must be."),
  audience: key(text, "What the claim aud must be or contain."),
  algorithms: key(
    list(text).check(z.minLength(1, "Name at least one signature.")),
    "Signatures that are taken, such as ES256. Default: RS, PS and ES with 256, 384 and 512, and EdDSA.",
  ),
});

const tokens = key(
  named(text),
  "Bearer tokens by the name of their owner: at least 16 characters, sha256: and the token's hash, or ${NAME} for a variable of the environment.",
);

const auth = z.union(
  [
    choice(["none", "passthrough"]),
    object({
      gateway: key(
        object({ tokens, jwt: key(jwt, "JSON Web Tokens of one issuer; the claim sub names the caller.") }),
        "The gateway checks bearer tokens itself and never hands them on.",
      ),
    }),
  ],
  'Write "none", "passthrough", or { "gateway": { … } }.',
);

const rateLimit = object({
  limit: key(whole({ min: 1, unit: "calls" }), "Calls of one caller in a period."),
  period_seconds: key(whole({ min: 1, unit: "seconds" }), "How long a period is."),
});

const times = { min: 1, max: 2_147_483_647, unit: "milliseconds" } as const;

/** What says how a server is reached, and who may. A change of any of it takes the place of the server. */
const reach = {
  command: key(text, "The program that is the server. Give this or url."),
  args: key(list(z.string("Write a string.")), "The arguments of the command."),
  env: key(
    named(z.string("Write a string.")),
    "Variables of the command, added to a short safe list. ${NAME} takes a variable of the gateway.",
  ),
  inherit_env: key(toggle, "Give the command all variables but Waybill's own secrets. Default: false."),
  cwd: key(text, "The folder that the command starts in. Default: that of the gateway."),
  max_processes: key(whole(gatewayLimits.processes), "Processes at once over HTTP. Default: 16."),
  max_processes_per_caller: key(
    whole(gatewayLimits.processes),
    "Of them, how many one caller may have. Default: half; all where callers cannot be told apart or there is one.",
  ),
  idle_ms: key(whole(times), "How long a process without requests is kept. Default: 300000."),
  url: key(text, "The address of the server, over HTTP. Give this or command."),
  headers: key(
    named(z.string("Write a string.")),
    "Sent with every request to the url. ${NAME} takes a variable of the gateway.",
  ),
  auth: key(auth, "How callers over HTTP prove who they are. Default: none."),
  hide: key(list(text), "Tools that are neither listed nor callable."),
  rate_limit: key(rateLimit, "How many calls each caller has. Default: no limit."),
  redact: key(toggle, "Mask secrets in what leaves with a failure. Default: true."),
  start_timeout_ms: key(whole(times), "How long the server may take to its first answer. Default: 60000."),
  call_timeout_ms: key(whole(times), "How long one tool call may take. Default: no limit."),
  request_timeout_ms: key(whole(times), "How long any other request may take. Default: 300000."),
  max_open_requests: key(
    whole(gatewayLimits.openRequests),
    "Requests without an answer over HTTP, of one session or of one caller without one. Default: 1000.",
  ),
  max_message_bytes: key(
    whole(gatewayLimits.messageBytes),
    "The longest message that is read. Default: 134217728 (128 MiB).",
  ),
};

/** One server behind the gateway; `policy` are the general settings that it can have for itself. */
export function upstreamOf<Policy extends z.core.$ZodShape>(policy: Policy) {
  return object({ ...reach, ...policy });
}

export const http = object({
  port: key(whole({ min: 0, max: 65_535 }), "Where to listen; 0 takes a free port. Default: 3333."),
  host: key(
    text,
    "The address to listen on. One that others can reach needs auth.gateway on every upstream. Default: 127.0.0.1.",
  ),
  allowed_hosts: key(
    list(text),
    "Further names that clients may call it by, for the check of the Host header.",
  ),
  allowed_origins: key(
    list(text),
    "Web pages that may call it, for the check of the Origin header. Default: those of this machine.",
  ),
  trust_proxy: key(
    whole({ min: 0, max: 100 }),
    "How many proxies of your own are in front, each appending to X-Forwarded-For. Default: 0.",
  ),
});
