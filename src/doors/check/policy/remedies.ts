// What a gateway can do about a finding: settings, or the reason why no setting helps.

import type { DialectId } from "../../../core/contract/dialect-id.ts";
import { type JsonValue, isJsonObject, jsonIn, type JsonObject } from "../../../core/json/json-value.ts";
import { errorResult } from "../../../engine/session/foreign-result.ts";
import type { CheckFinding } from "../report/check-report.ts";
import { createRedactor } from "../../../core/text/redact/redact-secrets.ts";
import type { CheckTarget } from "../check-options.ts";

/** One setting, below the upstream's section of the file. */
export interface Repair {
  /** Empty for what every gateway does, regardless of settings. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** What the setting does, for readers of the file. */
  readonly effect: string;
}

/** What a remedy depends on besides the finding. */
export interface PolicyFacts {
  /** The dialect that the check asked for; undefined if each result was judged by the dialect it shows. */
  readonly dialect: DialectId | undefined;
  /** The client that the gateway is for; undefined if it is recognised by its name. */
  readonly reader?: string | undefined;
}

/** The settings that repair a finding, or why no setting does. */
export type Remedy = (finding: CheckFinding, facts: PolicyFacts) => readonly Repair[] | string;

export const because =
  (why: string): Remedy =>
  () =>
    why;

const autoDialect: Repair = {
  path: ["dialect"],
  value: "auto",
  effect:
    "A failure is marked as one, and has a code, a type and a remedy; what only may be one gets a warning. Other results stay as they are.",
};

/** These two dialects require parts in every response that the gateway's default profile leaves out. */
const fullerDialects: readonly DialectId[] = ["response-v2", "response-v2-draft"];
const standardProfile: Repair = {
  path: ["profile"],
  value: "standard",
  effect: "Envelopes have their request id, also around successes.",
};

function dialectRepairs(dialect: DialectId): readonly Repair[] {
  const effect = "Every result is written in the dialect that the check asked for.";
  const chosen: Repair = { path: ["dialect"], value: dialect, effect };
  return fullerDialects.includes(dialect) ? [chosen, standardProfile] : [chosen];
}

export const envelope: Remedy = (_finding, { dialect }) =>
  dialect === undefined ? [autoDialect] : dialectRepairs(dialect);

/** Repairs a finding only if the check asked for a dialect; otherwise the server may choose, and `why` says so. */
export const inDialect =
  (why: string): Remedy =>
  (finding, facts) =>
    facts.dialect === undefined ? why : envelope(finding, facts);

export const itself: Remedy = () => [
  {
    path: [],
    value: null,
    effect:
      "Any gateway: what is no message, or answers nothing that was asked, goes no further; a server that ends is started again.",
  },
];

/** What a client's model does not get, the gateway sends in another form, if it knows the client. */
export const forClient =
  (why: string): Remedy =>
  (_finding, { reader }) =>
    reader === undefined
      ? why
      : [
          {
            path: ["reader"],
            value: reader,
            effect: "Every result is sent so that the model behind this client gets all of it.",
          },
        ];

export const mask: Remedy = () => [
  { path: ["redact"], value: true, effect: "Secrets in failures are masked." },
];

const BUDGET_TOKENS = 8_000;

/** A result need not be cut if the model can ask for a part of it. */
const askable = (tool: string): Repair => ({
  path: ["tools", tool],
  value: { select: true },
  effect: "Its calls may ask for a part of the result, in the argument _waybill_select.",
});

export const cut: Remedy = ({ tool }) => [
  {
    path: ["budget"],
    value: { tokens: BUDGET_TOKENS },
    effect: "A longer result is cut. It says what is missing, and which call gives it back.",
  },
  standardProfile,
  ...(canBeNamed(tool) ? [askable(tool)] : []),
];

/** Protocol errors about the request are meant for the client, so the gateway does not change them. */
export const asResult: Remedy = (finding, facts) => {
  const error = replyOf(finding);
  return error !== undefined && errorResult(error) !== undefined
    ? envelope(finding, facts)
    : "A JSON-RPC error of this kind is one that clients act on themselves, so the gateway passes it on.";
};

function replyOf({ call }: CheckFinding): JsonValue | undefined {
  // Undefined if the reply is not JSON, or was too long to be shown whole.
  const reply = jsonIn(call?.replyExcerpt ?? "");
  return isJsonObject(reply) && isJsonObject(reply["error"]) ? reply["error"] : reply;
}

/** The reader of the file accepts no empty names, and no names that could change an object's prototype. */
export function canBeNamed(tool: string | undefined): tool is string {
  return tool !== undefined && tool !== "" && tool !== "__proto__";
}

/** Without a schema and a structure, a client has nothing to refuse. */
export const textOnly: Remedy = ({ tool }) =>
  canBeNamed(tool)
    ? [
        {
          path: ["tools", tool],
          value: { dialect: "response-v2", delivery: "text", profile: "standard" },
          effect: "Sent as text alone, without an output schema, so that no client refuses what breaks it.",
        },
      ]
    : "A file cannot have settings for it.";

/**
 * A tool whose definition harms the client or its model should be hidden; smaller problems are for the owner to weigh.
 * If only the output schema is harmful, it is left out and the tool stays.
 */
export const hide: Remedy = (finding, facts) => {
  const { tool, severity, path } = finding;
  if (path.startsWith("/outputSchema")) return textOnly(finding, facts);
  if (severity !== "error" || !canBeNamed(tool))
    return "Names, descriptions and input schemas are the server's own, and are listed as they are. If no client needs the tool, hide it.";
  const effect = "Neither listed nor callable. Take a name off this list if you need the tool as it is.";
  return [{ path: ["hide"], value: [tool], effect }];
};

const redactor = createRedactor();

/** Replaces secret values, which the file must not hold, by variables of the gateway's environment. */
function withoutSecrets(
  values: Readonly<Record<string, string>>,
  variableOf: (name: string) => string,
): { readonly shown: JsonObject; readonly variables: readonly string[] } {
  const variables: string[] = [];
  const show = ([name, value]: [string, string]): [string, string] => {
    // The file may hold a reference; any other `${` would be read as a reference.
    const isSecret = value !== "" && redactor.json({ [name]: value }).count > 0;
    if (!isSecret || /^[^$]*\$\{[A-Za-z_]\w*\}[^$]*$/.test(value)) return [name, value];
    variables.push(variableOf(name));
    return [name, `\${${variableOf(name)}}`];
  };
  return { shown: Object.fromEntries(Object.entries(values).map(show)), variables };
}

/** `x-api-key` becomes `UPSTREAM_X_API_KEY`. */
function variableOfHeader(name: string): string {
  return `UPSTREAM_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;
}

/** How the gateway reaches the checked server, in the format of the file. */
export interface GatewayReach {
  readonly section: JsonObject;
  /** Variables that must be set where the gateway starts. */
  readonly variables: readonly string[];
  /** Something in the configuration looks like a secret and could not be removed. */
  readonly isPrivate: boolean;
}

/** Undefined for a server in memory: a gateway cannot reach it. */
export function gatewayReach(target: CheckTarget): GatewayReach | undefined {
  if ("link" in target) return undefined;
  if ("url" in target) {
    const { shown, variables } = withoutSecrets(target.headers ?? {}, variableOfHeader);
    const headers = Object.keys(shown).length > 0 ? { headers: shown } : {};
    const isPrivate = redactor.text(target.url).count > 0;
    const said = target.transport === undefined ? {} : { transport: target.transport };
    return { section: { url: target.url, ...said, ...headers }, variables, isPrivate };
  }
  const { command, args = [], env = {}, cwd } = target;
  const { shown, variables } = withoutSecrets(env, (name) => name);
  return {
    section: {
      command,
      ...(args.length > 0 ? { args: [...args] } : {}),
      // A check starts the server with the user's environment, and the gateway must do the same.
      inherit_env: true,
      ...(Object.keys(shown).length > 0 ? { env: shown } : {}),
      ...(cwd === undefined ? {} : { cwd }),
    },
    variables,
    isPrivate: redactor.text(args.join(" ")).count > 0,
  };
}
