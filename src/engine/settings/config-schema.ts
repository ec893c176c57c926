import * as z from "zod/mini";
import { dialectChoices, dialectIds } from "../../core/contract/dialect-id.ts";
import { presences } from "../../core/contract/profile.ts";
import { RETRIEVE_NAME } from "../../core/contract/retrieve-name.ts";
import { flagStates } from "./flags-and-tiers/flag.ts";
import { deliveryModes, dataEncodings, fitStrategies } from "../../core/pipeline/parcel.ts";
import {
  amount,
  choice,
  date,
  key,
  list,
  named,
  object,
  text,
  toggle,
  whole,
} from "../../core/options/option-kinds.ts";
import { bareCuts, validateModes } from "./settings.ts";
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

/** How a server is reached, and who may reach it. Changing any of these replaces the server. */
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

/** One server behind the gateway; `policy` has the general settings that it can override. */
function upstreamOf<Policy extends z.core.$ZodShape>(policy: Policy) {
  return object({ ...reach, ...policy });
}

const http = object({
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

const dialects = list(choice(dialectIds));

const budget = object({
  tokens: key(amount("tokens"), 'Most tokens a result may cost, or "off".'),
  bytes: key(amount("bytes"), 'Most bytes a result may have, or "off".'),
});

const upstream = object({
  dialect: key(
    choice(dialectChoices),
    "The form that the server speaks: one of the six, or auto, which recognises what shows by itself. Default: auto.",
  ),
});

const strategy = choice(fitStrategies);

const fit = object({
  strategy: key(
    strategy,
    "Which items of a long list stay: the first ones (head), or those that match the words of the call (relevance). digest does what relevance does, and sends one long text as a digest. Default: head.",
  ),
  max_blob_bytes: key(
    amount("bytes"),
    'Images and other bytes above this go to the archive, or "off". Default: 1048576.',
  ),
  client_limits: key(toggle, "Lower the budget to the limit of a client known by its name. Default: false."),
  without_envelope: key(
    choice(bareCuts),
    "Whether results in drf, plain and response-v1 may be cut: only without an output schema (auto), always (then no schema is listed), or never. Default: auto.",
  ),
});

const retrieve = object({
  name: key(
    z.string().check(z.regex(RETRIEVE_NAME, "Write letters, digits, dashes and underscores, 60 at most.")),
    "What the tool is called. Default: waybill_retrieve; of a gateway on stdio that has a name, that name and _retrieve. A change waits for a restart.",
  ),
});

const shown = (description: string) => key(choice(presences), description);

const show = object({
  info_warnings: shown("Warnings of severity info."),
  warning_details: shown("The structured form of each warning."),
  request_id: shown(
    'The request id; "notable" is on errors or when the client gave one, "given" only the latter.',
  ),
  rate_limit: shown('The rate limit; "notable" is when refused or near the edge.'),
  telemetry: shown("Durations and counters."),
  tool_id: shown("The tool's name."),
  tool_version: shown("The tool's version."),
  tier: shown("The caller's tier."),
  capabilities: shown("What the invocation supports."),
  provenance: shown("Where an error came from."),
});

const profile = object({
  extends: key(
    text,
    "The profile this one starts from. Default: the built-in one of the same name, else standard.",
  ),
  show: key(show, "When each optional note is shown."),
  fill_nulls: key(toggle, "Write every key of the dialect, with null for empty ones."),
  exclude_fields: key(list(text), "Field names dropped from data at every depth."),
});

const paths = (description: string) => key(list(text), description);

const tool = object({
  dialect: key(
    choice(dialectChoices),
    "The dialect of this tool, or auto: plain or response-v2, result by result.",
  ),
  dialects: key(dialects, "Further dialects a request may choose for this tool."),
  profile: key(text, "The profile of this tool."),
  delivery: key(choice(deliveryModes), "Which channels of this tool's results carry the envelope."),
  encoding: key(choice(dataEncodings), "How lists of like objects are written in this tool's data."),
  select: key(toggle, "Whether this tool takes a question to its result, in the argument _waybill_select."),
  repair_arguments: key(toggle, "Whether this tool's arguments are repaired where that is sure."),
  upstream: key(upstream, "What a server that is not yours answers for this tool."),
  include_only: paths("Paths of data to keep, such as tasks[*].id; an empty list keeps all."),
  exclude: paths("Paths of data to leave out."),
  include_on_error: paths("Paths of data that are kept on an error even if they are filtered."),
  exclude_when_tier: key(named(list(text)), "Paths of data to leave out for callers of a tier."),
  budget: key(
    budget,
    "What a result of this tool may cost; a part that is left out is that of the general budget.",
  ),
  strategy: key(
    strategy,
    "Which items of this tool's long lists stay, or whether its long texts are digested.",
  ),
});

const flag = object({
  state: key(choice(flagStates), "How mature the feature is."),
  default: key(toggle, "Whether the feature is on when nothing else decides."),
  owner: key(text, "Who is responsible for the flag."),
  expires: key(date, "The date from which only the default counts."),
  percentage: key(
    whole({ min: 0, max: 100 }),
    "Percent of callers who have the feature; used instead of the default.",
  ),
  allow: key(list(text), "The only callers who can have the feature."),
  block: key(list(text), "Callers who never have the feature, whatever allow says."),
  requires: key(list(text), "Flags that must be on too."),
  description: key(text, "What the flag does."),
  sunset: key(date, "The date when the old behaviour is removed."),
});

const tiers = object({
  order: key(
    list(text).check(z.minLength(1, "Name at least one tier.")),
    "Tiers from lowest to highest. Default: community, pro, enterprise.",
  ),
  default: key(text, "The tier of a caller about whom nothing is known. Default: the lowest."),
});

const allow = object({
  dialects: key(dialects, "Dialects a request may choose besides the configured one."),
  profiles: key(list(text), "Profiles a request may choose; never debug. Default: minimal, standard."),
  max_budget_tokens: key(
    whole({ min: 1, unit: "tokens" }),
    "Most tokens a request may ask for. Default: no cap.",
  ),
  budget_off: key(toggle, "Whether a request may switch the budget off. Default: false."),
});

const cursors = object({
  accept_unsigned: key(toggle, "Take unsigned base64 cursors too. Default: false."),
  expires_in_days: key(
    whole({ min: 1, max: 3650, unit: "days" }),
    "Days until a cursor expires. Default: 7.",
  ),
});

/** The general settings that a server behind the gateway can override. A change applies to its next call. */
const policy = {
  dialect: key(
    choice(dialectChoices),
    "The form in which results of this server are written. Default of the gateway: auto.",
  ),
  profile: key(text, "How much metadata its results show."),
  delivery: key(choice(deliveryModes), "Which channels of its results carry the envelope."),
  encoding: key(choice(dataEncodings), "How lists of like objects are written in its data."),
  select: key(toggle, "Whether its tools take a question to their result, in the argument _waybill_select."),
  upstream: key(
    upstream,
    "What this server speaks itself, so that its results are read and not wrapped again.",
  ),
  budget: key(budget, "What a result of this server may cost."),
  fit: key(fit, "How its results are cut to the budget."),
  retrieve: key(retrieve, "The tool that gives back what was cut of its results."),
  allow: key(allow, "What a request to it may choose for itself."),
  tools: key(named(tool), "Settings of its single tools, by name."),
};

/** The settings of `waybill.config.json` that an upstream can override. */
export const policyKeys = Object.keys(policy) as readonly (keyof typeof policy)[];

/** The one definition of `waybill.config.json`: its keys, their types, their descriptions. */
export const configSchema = object({
  $schema: key(text, "The JSON Schema of this file, for editors."),
  dialect: key(
    choice(dialectChoices),
    "The form in which results are written; auto takes plain or response-v2, result by result. Default: response-v2; of the gateway: auto.",
  ),
  profile: key(
    text,
    "How much metadata is shown. Default: standard; minimal in the scalpel dialect and under auto.",
  ),
  delivery: key(
    choice(deliveryModes),
    "Which channels of a tool result carry the envelope. Default: mirror.",
  ),
  encoding: key(
    choice(dataEncodings),
    "How lists of like objects are written in data: as they are, or as a table where that is shorter. Default: json.",
  ),
  select: key(
    toggle,
    "Whether tools take a question to their result, in the argument _waybill_select. Default: false.",
  ),
  repair_arguments: key(
    toggle,
    "Whether arguments that a tool's schema refuses are repaired where that is sure. Default: true.",
  ),
  server_tool: key(
    toggle,
    "Whether a server of your own has the tool server, by which a model asks for a form of answers. Default: false.",
  ),
  upstream: key(
    upstream,
    "What servers that are not yours speak: those behind the gateway or attachContract.",
  ),
  budget: key(budget, "What a result may cost. Default: 8000 tokens, bytes off."),
  fit: key(fit, "How results are cut to the budget."),
  store: key(
    text,
    'Where cut content is kept: "memory", a directory, redis://…, or "off" for nowhere. Default memory.',
  ),
  retrieve: key(retrieve, "The tool that gives back what was cut."),
  allow: key(allow, "What a request may choose for itself."),
  profiles: key(named(profile), "Profiles of your own, or changes to the built-in ones, by name."),
  tools: key(named(tool), "Settings of single tools, by name."),
  exclude_empty_arrays: key(toggle, "Leave out empty arrays in data. Default: false."),
  exclude_empty_objects: key(toggle, "Leave out empty objects in data. Default: false."),
  exclude_null_values: key(toggle, "Leave out null values in data. Default: false."),
  tiers: key(tiers, "Service tiers."),
  flags: key(named(flag), "Feature flags, by name."),
  cursors: key(cursors, "Pagination cursors."),
  validate: key(
    choice(validateModes),
    "Whether every outgoing result is checked against the contract. Default: never.",
  ),
  upstreams: key(
    named(upstreamOf(policy)),
    "Servers behind the gateway, by name. Over HTTP each is at /NAME/mcp.",
  ),
  http: key(http, "How the gateway listens over HTTP."),
}).register(z.globalRegistry, {
  title: "Waybill configuration",
  description: "Settings of Waybill, the response contract for MCP.",
});

/** The content of a file; every key is optional. */
export type WaybillConfig = z.infer<typeof configSchema>;
