// What a gateway can do about a finding: settings, or the reason why no setting helps.

import type { DialectId } from "../../../core/contract/dialect-id.ts";
import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import { errorResult } from "../../../engine/session/foreign-result.ts";
import type { CheckFinding } from "../report/check-report.ts";

/** One setting, below the upstream's section of the file. */
export interface Repair {
  /** Empty for what every gateway does, whatever its settings. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** What it does, for the person who reads the file. */
  readonly effect: string;
}

/** What a remedy depends on besides the finding. */
export interface PolicyFacts {
  /** The dialect that the check asked for; undefined where each result was judged by what it shows. */
  readonly dialect: DialectId | undefined;
}

/** The settings that repair a finding, or why none does. */
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

/** The gateway's own profile leaves out what these two want of every response. */
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

/** What is repaired where the check asked for a dialect, and is else as the server wants it. */
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

export const mask: Remedy = () => [
  { path: ["redact"], value: true, effect: "Secrets in failures are masked." },
];

const BUDGET_TOKENS = 8_000;

/** What a model asks for need not be cut. */
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

/** Errors of the protocol that speak about the request are the client's to read, so the gateway leaves them. */
export const asResult: Remedy = (finding, facts) => {
  const error = replyOf(finding);
  return error !== undefined && errorResult(error) !== undefined
    ? envelope(finding, facts)
    : "A JSON-RPC error of this kind is one that clients act on themselves, so the gateway passes it on.";
};

function replyOf({ call }: CheckFinding): JsonValue | undefined {
  try {
    const reply = JSON.parse(call?.replyExcerpt ?? "") as JsonValue;
    return isJsonObject(reply) && isJsonObject(reply["error"]) ? reply["error"] : reply;
  } catch {
    // It is in words, or was too long to be shown whole.
    return undefined;
  }
}

/** The file's reader takes no empty names, and none that could change an object's prototype. */
function canBeNamed(tool: string | undefined): tool is string {
  return tool !== undefined && tool !== "" && tool !== "__proto__";
}

/** Without a schema and a structure there is nothing for a client to refuse. */
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
 * A tool whose definition harms the client or its model is better not there; anything less is for the owner to weigh. An
 * output schema can be left out, and the tool stays.
 */
export const hide: Remedy = (finding, facts) => {
  const { tool, severity, path } = finding;
  if (path.startsWith("/outputSchema")) return textOnly(finding, facts);
  if (severity !== "error" || !canBeNamed(tool))
    return "Names, descriptions and input schemas are the server's own, and are listed as they are. If nobody needs the tool, hide it.";
  const effect = "Neither listed nor callable. Take a name off this list if you need the tool as it is.";
  return [{ path: ["hide"], value: [tool], effect }];
};
