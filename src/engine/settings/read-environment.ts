import { profileNames } from "../../core/contract/choices.ts";
import { defaultProfileOf } from "../../core/contract/profile.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { spanProblem } from "../../core/options/span.ts";
import { adviseName, didYouMean } from "../../core/text/did-you-mean.ts";
import { logFormIn, logForms } from "../observe/terminal.ts";
import { type ConfigProblem, formatLine, invalidConfig } from "./config-problem.ts";
import { type Pinnable, type SettingOrigin, type Settings, defaultSettings } from "./settings.ts";
import type { Entry } from "./entry.ts";
import { type Leaf, leavesIn, withValue } from "./table-leaves.ts";

/** The method that Node's `console.log` calls on a value. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** A secret that is shown as "set" when it is logged, inspected or serialised. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself, for the code that signs with it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "set";
  }

  toJSON(): string {
    return "set";
  }

  [INSPECT](): string {
    return "set";
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The checked settings from the environment. The profile's name is checked later, when all profiles are known. */
export interface EnvironmentReading {
  readonly entries: readonly Entry[];
  readonly secret: Secret | undefined;
  readonly notices: readonly string[];
}

const debugSwitches = ["SCALPEL_MCP_INFO", "SCALPEL_MCP_OUTPUT"] as const;

/** A variable's value without surrounding blanks; an empty value counts as unset. */
export function readVariable(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === "" ? undefined : value;
}

/**
 * Reads the variables that hold settings; the error for a bad value names the variable and the allowed values.
 * `configText` is the file beside them, which may use variables of its own.
 */
export function readEnvironment(environment: Environment, configText = ""): EnvironmentReading {
  const problems: ConfigProblem[] = [];
  const entries: Entry[] = [];
  const notices = noticeUnknown(environment, configText);
  for (const leaf of leavesIn("variable")) {
    const { path, variable = "" } = leaf;
    const given = readVariable(environment, variable);
    const {
      value,
      problem,
      by = variable,
    } = leaf.kind.is === "profile" ? readProfile(environment, given, notices) : readValue(leaf, given);
    const place = { variable: by };
    if (value !== undefined) entries.push({ path: path.split("."), value, source: "environment", place });
    if (problem !== undefined) problems.push({ place, path, message: problem });
  }
  if (readVariable(environment, "WAYBILL_LOG") !== undefined && logFormIn(environment) === undefined)
    notices.push(`WAYBILL_LOG names no form of a log. Allowed: ${logForms.join(", ")}.`);
  const secret = readSecret(environment, problems);
  if (problems.length > 0) throw invalidConfig(problems);
  return { entries, secret, notices };
}

/** The settings of a server without any file: the defaults and the environment. */
export function settingsFromEnvironment(environment: Environment): {
  readonly settings: Settings;
  readonly notices: readonly string[];
} {
  const { entries, secret, notices } = readEnvironment(environment);
  if (entries.length === 0 && secret === undefined) return { settings: defaultSettings, notices };
  const said = new Map(entries.map((entry) => [entry.path.join("."), entry]));
  const profile = said.get("profile");
  const chosen = leavesIn("variable").reduce<Settings>((whole, { path, names }) => {
    const entry = said.get(path);
    return entry === undefined ? whole : withValue(whole, names, entry.value);
  }, defaultSettings);
  const name = profile === undefined ? defaultProfileOf(chosen.dialect) : chosen.profile;
  if (profile?.place !== undefined && !Object.hasOwn(defaultSettings.profiles, name)) {
    const message = `Unknown profile "${name}". ${adviseName(name, profileNames)}`;
    throw invalidConfig([{ place: profile.place, path: "profile", message }]);
  }
  const settings: Settings = {
    ...chosen,
    profile: name,
    profileIsDefault: profile === undefined,
    pinned: [...said.keys()] as Pinnable[],
    origins: Object.fromEntries(entries.map(toOrigin)),
    ...(secret && { secret }),
  };
  return { settings, notices };
}

const PREFIX = "WAYBILL_";

/** The variables that Waybill reads; those of settings are in the table. */
const knownVariables: readonly string[] = [
  ...leavesIn("variable").map(({ variable = "" }) => variable),
  "WAYBILL_SECRET",
  "WAYBILL_CONFIG",
  "WAYBILL_HTTP",
  "WAYBILL_PRINT_CALLS",
  "WAYBILL_LOG",
  "WAYBILL_BEHIND_FRONT",
  "WAYBILL_DEBUG",
  "WAYBILL_SUMMARISER_KEY",
  "WAYBILL_UPSTREAM_HEADERS",
  "WAYBILL_KEYRING",
];

/** Without what all of them begin with, which would make every name similar. */
const knownEndings = knownVariables.map((name) => name.slice(PREFIX.length));

/** Waybill's own tests and deployments, and what Kubernetes sets for a service that is called `waybill`. */
const ofOthers =
  /^WAYBILL_(?:(?:TEST|REQUIRE|WITH)_.*|LAW_SEED|WRITE_DOCS|NODE24|TOKEN|PORT|(?:.*_)?(?:SERVICE_HOST|SERVICE_PORT|PORT_\d).*)$/;

/** A misspelt variable has no effect; its value is not shown, because it may be a secret. */
function noticeUnknown(environment: Environment, configText: string): string[] {
  const names = Object.keys(environment).filter(
    (name) =>
      /^WAYBILL_\w{1,64}$/.test(name) &&
      readVariable(environment, name) !== undefined &&
      !knownVariables.includes(name) &&
      !ofOthers.test(name) &&
      !configText.includes(`\${${name}`),
  );
  return names.sort().map((name) => {
    const meant = didYouMean(name.slice(PREFIX.length), knownEndings);
    const hint = meant === undefined ? "" : ` Did you mean "${PREFIX}${meant}"?`;
    return `${name} is set, but Waybill reads no variable of that name.${hint}`;
  });
}

function toOrigin({ path, source, place }: Entry): [string, SettingOrigin] {
  return [path.join("."), { source, ...(place && { where: formatLine(place) }) }];
}

/** What a variable says: a value, or what is wrong with it. */
interface Reading {
  readonly value?: JsonValue | undefined;
  readonly problem?: string | undefined;
  /** The variable that decided, if it is another one. */
  readonly by?: string | undefined;
}

function readProfile(environment: Environment, given: string | undefined, notices: string[]): Reading {
  const debug = debugSwitches.find((name) => readVariable(environment, name)?.toUpperCase() === "DEBUG");
  if (debug === undefined) return { value: given };
  if (given !== undefined && given !== "debug")
    notices.push(`WAYBILL_PROFILE=${given} has no effect, because ${debug}=DEBUG selects the debug profile.`);
  return { value: "debug", by: debug };
}

const switches: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

function readValue({ kind, names: [name] }: Leaf, given: string | undefined): Reading {
  if (given === undefined) return {};
  const lower = given.toLowerCase();
  if (kind.is === "toggle") {
    const value = Object.hasOwn(switches, lower) ? switches[lower] : undefined;
    if (value !== undefined) return { value };
    return { problem: `"${given}" is not a switch. Allowed: true, false, 1, 0.` };
  }
  if (kind.is === "choice" && !kind.of.includes(given))
    return { problem: `Unknown ${name} "${given}". ${adviseName(given, kind.of)}` };
  if (kind.is === "span") {
    const problem = spanProblem(given, kind);
    return problem === undefined
      ? { value: given }
      : { problem: `"${given}" is not a length of time. ${problem}` };
  }
  if (kind.is === "whole") return readWhole(kind, given);
  if (kind.is !== "amount") return { value: given };
  const value = lower === "off" ? "off" : Number(given);
  if (value === "off" || (/^\d+$/.test(given) && Number.isSafeInteger(value) && value > 0)) return { value };
  return {
    problem: `"${given}" is not a ${name}. Allowed: a whole number of ${kind.unit} above 0, or "off".`,
  };
}

function readWhole(
  { min, max = Number.MAX_SAFE_INTEGER, unit }: Extract<Leaf["kind"], { readonly min: number }>,
  given: string,
): Reading {
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= min && value <= max) return { value };
  const counted = unit === undefined ? "" : ` of ${unit}`;
  return {
    problem: `"${given}" cannot be used. Allowed: a whole number${counted} from ${min} to ${max}.`,
  };
}

function readSecret(environment: Environment, problems: ConfigProblem[]): Secret | undefined {
  const variable = "WAYBILL_SECRET";
  const given = environment[variable];
  if (given === undefined || given === "") return undefined;
  if (given.trim() !== "") return new Secret(given);
  const message = "The secret is blank. Set it to random text, as from `openssl rand -hex 32`, or unset it.";
  problems.push({ place: { variable }, path: "secret", message });
  return undefined;
}
