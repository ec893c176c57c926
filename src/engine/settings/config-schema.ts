// The schema of `waybill.config.json`: the rows of the tables, and the few values that no kind of a row describes.

import * as z from "zod/mini";
import { presences } from "../../core/contract/profile.ts";
import { choice, key, list, named, object, text, toggle, whole } from "../../core/options/option-kinds.ts";
import { flagStates } from "./flags-and-tiers/define-flags.ts";
import { dashboardTable, httpTable, mergeTable, reachTable } from "./gateway-table.ts";
import { fileShape } from "./kind-schemas.ts";
import { type SettingTable, settingTable } from "./table.ts";
import type { FileOf, SettingsTable } from "./table-types.ts";

const shown = { is: "choice", of: presences } as const;

const profileTable = {
  extends: {
    kind: { is: "text" },
    file: "The profile this one starts from. Default: the built-in one of the same name, else standard.",
  },
  show: {
    file: "When each optional note is shown.",
    members: {
      infoWarnings: { kind: shown, file: "Warnings of severity info." },
      warningDetails: { kind: shown, file: "The structured form of each warning." },
      requestId: {
        kind: shown,
        file: 'The request id; "notable" is on errors or when the client gave one, "given" only the latter.',
      },
      rateLimit: { kind: shown, file: 'The rate limit; "notable" is when refused or near the edge.' },
      telemetry: { kind: shown, file: "Durations and counters." },
      toolId: { kind: shown, file: "The tool's name." },
      toolVersion: { kind: shown, file: "The tool's version." },
      tier: { kind: shown, file: "The caller's tier." },
      capabilities: { kind: shown, file: "What the invocation supports." },
      provenance: { kind: shown, file: "Where an error came from." },
    },
  },
  fillNulls: {
    kind: { is: "toggle" },
    file: "Write every key of the dialect, with null for empty ones.",
  },
  excludeFields: { kind: { is: "texts" }, file: "Field names dropped from data at every depth." },
} as const satisfies SettingsTable;

const flagTable = {
  state: { kind: { is: "choice", of: flagStates }, file: "How mature the feature is." },
  default: { kind: { is: "toggle" }, file: "Whether the feature is on when nothing else decides." },
  owner: { kind: { is: "text" }, file: "Who is responsible for the flag." },
  expires: { kind: { is: "date" }, file: "The date from which only the default counts." },
  percentage: {
    kind: { is: "whole", min: 0, max: 100 },
    file: "Percent of callers who have the feature; used instead of the default.",
  },
  allow: { kind: { is: "texts" }, file: "The only callers who can have the feature." },
  block: { kind: { is: "texts" }, file: "Callers who never have the feature, whatever allow says." },
  requires: { kind: { is: "texts" }, file: "Flags that must be on too." },
  description: { kind: { is: "text" }, file: "What the flag does." },
  sunset: { kind: { is: "date" }, file: "The date when the old behaviour is removed." },
} as const satisfies SettingsTable;

const jwt = object({
  jwks: key(text, "Where the issuer publishes its keys: https, or http on this machine."),
  jwks_url: key(text, "The former name of jwks."),
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

const client = object({
  client_id: key(text, "The gateway's client id at the authorization server. Default: it registers itself."),
  client_secret: key(text, "The secret of that client; ${NAME} takes a variable of the gateway."),
  client_metadata_url: key(
    text,
    "The address of a client-id metadata document: a client id without registration.",
  ),
  scope: key(text, "The scopes to ask for, with spaces between them. Default: those that the server names."),
});

const gatewayAuth = object({
  tokens,
  jwt: key(jwt, "JSON Web Tokens of one issuer; the claim sub names the caller."),
});

const auth = z.union(
  [
    choice(["none", "passthrough", "oauth"]),
    object({
      gateway: key(gatewayAuth, "The gateway checks bearer tokens itself and never hands them on."),
      oauth: key(
        z.union([z.literal(true), client], "Write true, or an object: { … }."),
        "The gateway signs in to the url with OAuth: over HTTP for each caller, on stdio for the user.",
      ),
    }),
  ],
  'Write "none", "passthrough", "oauth", or { "gateway": { … }, "oauth": true }.',
);

const rateLimit = object({
  limit: key(whole({ min: 1, unit: "calls" }), "Calls of one caller in a period."),
  period_seconds: key(whole({ min: 1, unit: "seconds" }), "How long a period is."),
});

const redact = z.union(
  [
    toggle,
    object({ successes: key(toggle, "Mask secrets in successes too. Default: that of the whole file.") }),
  ],
  'Write true, false, or { "successes": true }.',
);

const tools = named(object(fileShape(settingTable, "fileTool")));

/** The general settings that a server behind the gateway can override. A change applies to its next call. */
const policy = fileShape(settingTable, "upstream", { tools });

/** The settings of `waybill.config.json` that an upstream can override. */
export const policyKeys: readonly string[] = Object.keys(policy);

const reach = fileShape(reachTable, "file", { auth, rateLimit, redact });
/** The short form is the place alone. */
const store = z.union(
  [text, object(fileShape(settingTable.store.members, "file"))],
  'Write an address, such as "./archive", or an object: { "place": …, "ttl": "1d" }.',
);

const own = {
  store,
  profiles: named(object(fileShape(profileTable, "file"))),
  tools,
  flags: named(object(fileShape(flagTable, "file"))),
  upstreams: named(object({ ...reach, ...policy })),
  http: object(fileShape(httpTable, "file")),
  dashboard: object(fileShape(dashboardTable, "file", { auth: gatewayAuth })),
  merge: object(fileShape(mergeTable, "file")),
  endpoints: named(list(text).check(z.minLength(1, "Name at least one server."))),
};

type Keys = {
  readonly [Key in keyof WaybillConfig]-?: z.ZodMiniOptional<z.ZodMiniType<NonNullable<WaybillConfig[Key]>>>;
};

/** The one definition of `waybill.config.json`: its keys, their types, their descriptions. */
export const configSchema = object({
  $schema: key(text, "The JSON Schema of this file, for editors."),
  $comment: key(list(text), "Lines for people. Nothing reads them."),
  ...fileShape(settingTable, "file", own),
}).register(z.globalRegistry, {
  title: "Waybill configuration",
  description: "Settings of Waybill, the response contract for MCP.",
}) as unknown as z.ZodMiniObject<Keys, z.core.$strict>;

type Named<Value> = Readonly<Record<string, Value>>;
export type ProfileSection = FileOf<typeof profileTable, "file">;
export type ToolSection = FileOf<SettingTable, "fileTool">;
export type HttpSection = FileOf<typeof httpTable, "file">;
export interface DashboardSection extends Omit<FileOf<typeof dashboardTable, "file">, "auth"> {
  readonly auth?: z.infer<typeof gatewayAuth> | undefined;
}

/** One server behind the gateway: how it is reached, and its policy. */
export interface UpstreamSection
  extends
    Omit<FileOf<typeof reachTable, "file">, "auth" | "rate_limit" | "redact">,
    Omit<FileOf<SettingTable, "upstream">, "tools"> {
  readonly auth?: z.infer<typeof auth> | undefined;
  readonly rate_limit?: z.infer<typeof rateLimit> | undefined;
  readonly redact?: z.infer<typeof redact> | undefined;
  readonly tools?: Named<ToolSection> | undefined;
}

/** The content of a file; every key is optional. */
export interface WaybillConfig extends Omit<FileOf<SettingTable, "file">, keyof typeof own> {
  readonly $schema?: string | undefined;
  readonly $comment?: readonly string[] | undefined;
  readonly profiles?: Named<ProfileSection> | undefined;
  readonly tools?: Named<ToolSection> | undefined;
  readonly flags?: Named<FileOf<typeof flagTable, "file">> | undefined;
  readonly upstreams?: Named<UpstreamSection> | undefined;
  readonly http?: HttpSection | undefined;
  readonly store?: string | FileOf<SettingTable["store"]["members"], "file"> | undefined;
  readonly dashboard?: DashboardSection | undefined;
  readonly merge?: FileOf<typeof mergeTable, "file"> | undefined;
  readonly endpoints?: Named<readonly string[]> | undefined;
}
