import { type DialectChoice, dialectChoices, isDialectChoice } from "../../core/contract/dialect-id.ts";
import { defaultProfileOf, profileNames } from "../../core/contract/profile.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { adviseName } from "../../core/text/did-you-mean.ts";
import { type ConfigProblem, formatLine, invalidConfig } from "./config-problem.ts";
import { type Pinnable, type SettingOrigin, type Settings, defaultSettings } from "./settings.ts";
import type { Limit } from "../../core/pipeline/parcel.ts";
import type { Entry } from "./entry.ts";

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

/** Reads the variables that hold settings; the error for a bad value names the variable and the allowed values. */
export function readEnvironment(environment: Environment): EnvironmentReading {
  const problems: ConfigProblem[] = [];
  const entries: Entry[] = [];
  const set = (path: readonly string[], value: JsonValue, variable: string): void => {
    entries.push({ path, value, source: "environment", place: { variable } });
  };
  const notices = readProfile(environment, set);
  readDialect(environment, set, problems);
  readBudget(environment, set, problems);
  readSwitch(environment, "WAYBILL_SELECT", "select", set, problems);
  readSwitch(environment, "WAYBILL_REPAIR_ARGUMENTS", "repair_arguments", set, problems);
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
  const value = (path: Pinnable): Entry | undefined => entries.find((entry) => entry.path.join(".") === path);
  const dialect = (value("dialect")?.value ?? defaultSettings.dialect) as DialectChoice;
  const profile = value("profile");
  const name = (profile?.value ?? defaultProfileOf(dialect)) as string;
  if (profile?.place !== undefined && !Object.hasOwn(defaultSettings.profiles, name)) {
    const message = `Unknown profile "${name}". ${adviseName(name, profileNames)}`;
    throw invalidConfig([{ place: profile.place, path: "profile", message }]);
  }
  const tokens = (value("budget.tokens")?.value ?? defaultSettings.budget.tokens) as Limit;
  const select = (value("select")?.value ?? defaultSettings.select) as boolean;
  const repairArguments = (value("repair_arguments")?.value ?? defaultSettings.repairArguments) as boolean;
  const settings: Settings = {
    ...defaultSettings,
    dialect,
    profile: name,
    profileIsDefault: profile === undefined,
    budget: { ...defaultSettings.budget, tokens },
    select,
    repairArguments,
    pinned: entries.map(({ path }) => path.join(".") as Pinnable),
    origins: Object.fromEntries(entries.map(toOrigin)),
    ...(secret && { secret }),
  };
  return { settings, notices };
}

function toOrigin({ path, source, place }: Entry): [string, SettingOrigin] {
  return [path.join("."), { source, ...(place && { where: formatLine(place) }) }];
}

type SetEntry = (path: readonly string[], value: JsonValue, variable: string) => void;

function readProfile(environment: Environment, set: SetEntry): string[] {
  const chosen = readVariable(environment, "WAYBILL_PROFILE");
  const debug = debugSwitches.find((name) => readVariable(environment, name)?.toUpperCase() === "DEBUG");
  if (debug !== undefined) set(["profile"], "debug", debug);
  else if (chosen !== undefined) set(["profile"], chosen, "WAYBILL_PROFILE");
  if (debug === undefined || chosen === undefined || chosen === "debug") return [];
  return [`WAYBILL_PROFILE=${chosen} has no effect, because ${debug}=DEBUG selects the debug profile.`];
}

function readDialect(environment: Environment, set: SetEntry, problems: ConfigProblem[]): void {
  const variable = "WAYBILL_DIALECT";
  const dialect = readVariable(environment, variable);
  if (dialect === undefined) return;
  if (isDialectChoice(dialect)) return set(["dialect"], dialect, variable);
  const message = `Unknown dialect "${dialect}". ${adviseName(dialect, dialectChoices)}`;
  problems.push({ place: { variable }, path: "dialect", message });
}

function readBudget(environment: Environment, set: SetEntry, problems: ConfigProblem[]): void {
  const variable = "WAYBILL_BUDGET_TOKENS";
  const given = readVariable(environment, variable);
  if (given === undefined) return;
  const tokens: Limit = given.toLowerCase() === "off" ? "off" : Number(given);
  if (tokens === "off" || (/^\d+$/.test(given) && Number.isSafeInteger(tokens) && tokens > 0)) {
    return set(["budget", "tokens"], tokens, variable);
  }
  const message = `"${given}" is not a budget. Allowed: a whole number of tokens above 0, or "off".`;
  problems.push({ place: { variable }, path: "budget.tokens", message });
}

function readSwitch(
  environment: Environment,
  variable: string,
  path: Pinnable,
  set: SetEntry,
  problems: ConfigProblem[],
): void {
  const given = readVariable(environment, variable)?.toLowerCase();
  if (given === undefined) return;
  if (given === "true" || given === "1") return set([path], true, variable);
  if (given === "false" || given === "0") return set([path], false, variable);
  const message = `"${environment[variable]}" is not a switch. Allowed: true, false, 1, 0.`;
  problems.push({ place: { variable }, path, message });
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
