import type { ProfileName } from "./choices.ts";
import { ContractError } from "./contract-error.ts";
import type { DialectChoice } from "./dialect-id.ts";
import type { Authored, Notes, Outcome } from "./outcome.ts";
import { type Telemetry, type RateLimit, isNearEdge } from "./meta.ts";
import { type WarningDetail, isNotable, orderWarnings } from "./warning.ts";

/** The notes that a profile decides about. All other notes are shown whenever they exist. */
export const optionalNotes = [
  "infoWarnings",
  "warningDetails",
  "requestId",
  "rateLimit",
  "telemetry",
  "toolId",
  "toolVersion",
  "tier",
  "capabilities",
  "provenance",
] as const;
export type OptionalNote = (typeof optionalNotes)[number];

/**
 * `notable`: a request id on errors or when the client gave one; a rate limit when the call was refused or nearly so;
 * the details of a warning that says how to get what is missing, or that a question was not answered.
 * `given`: a request id only when the client gave one.
 */
export const presences = ["always", "notable", "given", "never"] as const;
export type Presence = (typeof presences)[number];
export type PresenceTable = Readonly<Record<OptionalNote, Presence>>;

export interface Profile {
  readonly name: string;
  readonly show: PresenceTable;
  /** Write every key of the dialect, null if there is nothing to say (for dialects that have such a form). */
  readonly fillNulls: boolean;
  /** Field names dropped from `data` at every depth. */
  readonly excludeFields: readonly string[];
}

const minimal: PresenceTable = {
  infoWarnings: "never",
  warningDetails: "never",
  requestId: "notable",
  rateLimit: "notable",
  telemetry: "never",
  toolId: "never",
  toolVersion: "never",
  tier: "never",
  capabilities: "never",
  provenance: "never",
};

const standard: PresenceTable = {
  ...minimal,
  infoWarnings: "always",
  warningDetails: "always",
  requestId: "always",
};
const debug: PresenceTable = {
  ...standard,
  rateLimit: "always",
  telemetry: "always",
  toolId: "always",
  toolVersion: "always",
  tier: "always",
  capabilities: "always",
  provenance: "always",
};

/** The built-in profiles. They touch only metadata, never `data`. */
export const profiles = {
  minimal: { name: "minimal", show: minimal, fillNulls: false, excludeFields: [] },
  standard: { name: "standard", show: standard, fillNulls: false, excludeFields: [] },
  debug: { name: "debug", show: debug, fillNulls: true, excludeFields: [] },
} as const satisfies Record<ProfileName, Profile>;

export const DEFAULT_PROFILE = "standard" satisfies ProfileName;

// Seed 002 sends only data by default; `auto` adds as little as possible to the results of other servers.
const quietDialects: Partial<Record<DialectChoice, string>> = { scalpel: "minimal", auto: "minimal" };

/** The profile of a dialect if none was chosen. */
export function defaultProfileOf(dialect: DialectChoice): string {
  return quietDialects[dialect] ?? DEFAULT_PROFILE;
}

/**
 * Under `auto`, which no source document describes, a cut says in every profile how to get what is missing: the reader
 * knows only the server behind the gateway and would have to guess from a hash what to do.
 */
export function profileUnder(dialect: DialectChoice, profile: Profile): Profile {
  if (dialect !== "auto" || profile.show.warningDetails !== "never") return profile;
  return { ...profile, show: { ...profile.show, warningDetails: "notable" } };
}

export function profileNamed(name: string, known: Readonly<Record<string, Profile>> = profiles): Profile {
  const profile = Object.hasOwn(known, name) ? known[name] : undefined;
  if (profile !== undefined) return profile;
  const names = Object.keys(known).join(", ");
  throw new ContractError("UNKNOWN_PROFILE", `Unknown profile "${name}": choose one of ${names}.`);
}

export type RequestIdOrigin = "client" | "server";

function shows(presence: Presence, notable: boolean, given: boolean): boolean {
  if (presence === "always") return true;
  if (presence === "notable") return notable || given;
  return presence === "given" && given;
}

function onlyFigures(
  telemetry: Telemetry | undefined,
  names: readonly string[] | undefined,
): Telemetry | undefined {
  if (telemetry === undefined || names === undefined) return undefined;
  return Object.fromEntries(Object.entries(telemetry).filter(([name]) => names.includes(name)));
}

/** The notes a profile lets through. What a caller can act on always passes, and so does what the tool itself said. */
export function presentNotes(outcome: Outcome, show: PresenceTable, idFrom: RequestIdOrigin): Notes {
  const { notes } = outcome;
  const { requestId, rateLimit, pagination, fidelity, upgradeHints, extra, authored } = notes;
  const warnings = notes.warnings && shownWarnings(notes.warnings, show, authored);
  const showsLimit = (limit: RateLimit): boolean =>
    authored?.rateLimit === true || shows(show.rateLimit, isNearEdge(limit), false);
  const whereShown = <Key extends keyof Notes & OptionalNote>(key: Key): Notes[Key] | undefined =>
    show[key] === "always" ? notes[key] : undefined;
  return {
    requestId: shows(show.requestId, !outcome.ok, idFrom === "client") ? requestId : undefined,
    warnings,
    pagination,
    rateLimit: rateLimit && showsLimit(rateLimit) ? rateLimit : undefined,
    telemetry: whereShown("telemetry") ?? onlyFigures(notes.telemetry, authored?.telemetry),
    fidelity,
    upgradeHints,
    toolId: whereShown("toolId"),
    toolVersion: whereShown("toolVersion"),
    tier: whereShown("tier"),
    capabilities: whereShown("capabilities"),
    provenance: whereShown("provenance"),
    extra,
    authored,
  };
}

/**
 * A reader who is told that something is missing must also be told how to get it. A program that asked a question must
 * be able to tell the whole result from the answer.
 */
function showsDetail({ code, context }: WarningDetail, { warningDetails }: PresenceTable): boolean {
  if (warningDetails !== "notable") return warningDetails === "always";
  return context?.["retrieve"] !== undefined || code === "SELECT_FAILED";
}

function shownWarnings(
  warnings: readonly WarningDetail[],
  show: PresenceTable,
  authored: Authored | undefined,
): readonly WarningDetail[] | undefined {
  const isOwn = ({ message }: WarningDetail): boolean => authored?.warnings?.includes(message) === true;
  const heard =
    show.infoWarnings === "always"
      ? warnings
      : warnings.filter((warning) => isNotable(warning) || isOwn(warning));
  const said = heard.map((warning) =>
    showsDetail(warning, show) || isOwn(warning) ? warning : { message: warning.message },
  );
  return said.length > 0 ? orderWarnings(said) : undefined;
}

/** How an outcome is shown: its profile, and who chose the request id (a client's own is echoed in every profile). */
export interface ShowOptions {
  readonly profile: Profile;
  readonly requestIdFrom?: RequestIdOrigin | undefined;
}

/** The notes that profile and dialect together let through. */
export function shownNotes(
  dialect: { readonly presence?: Readonly<Record<string, Partial<PresenceTable>>> | undefined },
  outcome: Outcome,
  { profile, requestIdFrom = "client" }: ShowOptions,
): Notes {
  const own = dialect.presence?.[profile.name];
  return presentNotes(outcome, own === undefined ? profile.show : { ...profile.show, ...own }, requestIdFrom);
}
