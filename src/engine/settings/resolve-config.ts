import { type JsonValue, setOwn, isJsonObject, type JsonObject } from "../../core/json/json-value.ts";
import type { Candidate } from "./find-config.ts";
import { type ConfigPlace, type ConfigProblem, formatLine, invalidConfig } from "./config-problem.ts";
import {
  configSchema,
  type DashboardSection,
  type HttpSection,
  type UpstreamSection,
  type WaybillConfig,
  policyKeys,
} from "./config-schema.ts";
import { formatPath } from "../../core/options/explain-issues.ts";
import { type Entry, type MergedEntries, type SettingSource, mergeEntries, toEntries } from "./entry.ts";
import { readEnvironment, type Environment } from "./read-environment.ts";
import { openStoreEntries } from "./store-entries.ts";
import { resolveSettings, type CompleteConfig } from "./resolve-settings.ts";
import { readScalpelConfig, type FileReading } from "./scalpel-config.ts";
import { defaultProfileOf } from "../../core/contract/profile.ts";
import { pinnables, type Pinnable, type SettingOrigin, type Settings } from "./settings.ts";
import { leavesIn } from "./table-leaves.ts";
import { type SettingTable, settingTable } from "./table.ts";
import { type FileOf, type SettingGroup, type Row, snake } from "./table-types.ts";
import { type ParsedConfig, parseJsonc, refusedFile } from "./parse-jsonc.ts";

/** Where a setting came from; the value of a secret is shown as "set". */
export interface Origin {
  readonly source: SettingSource;
  /** `file:line`, or the environment variable. */
  readonly where?: string;
  readonly value: JsonValue;
}

export interface LoadedConfig {
  readonly settings: Settings;
  readonly origins: Readonly<Record<string, Origin>>;
  readonly files: readonly Candidate[];
  readonly notices: readonly string[];
  /** Proposes a dialect that would suit the files but is not chosen; shown if code does not choose one either. */
  readonly proposal?: string | undefined;
  /** The gateway part of the file, if it has one. */
  readonly gateway?: GatewayConfig | undefined;
}

export interface ConfigText {
  readonly file: string;
  readonly text: string;
  /** The file was found by searching and not named explicitly, so some keys are ignored. */
  readonly isFound?: boolean;
  /** The reader is a command of `waybill`, which has the option `--config`; a server's own program has not. */
  readonly hasOption?: boolean;
}

/** The settings that a program's command line can have; they beat everything else. */
export type CommandLine = FileOf<SettingTable, "line">;

/** The content of files and environment. */
export interface ConfigSources {
  readonly waybill?: ConfigText | undefined;
  readonly scalpel?: ConfigText | undefined;
  readonly environment?: Environment | undefined;
  readonly commandLine?: CommandLine | undefined;
  /** A scalpel file without a `waybill.config.json` chooses the scalpel dialect, if nothing else chooses one. */
  readonly followScalpel?: boolean | undefined;
}

interface Settled {
  readonly settings: Settings;
  readonly complete: MergedEntries;
  readonly problems: readonly ConfigProblem[];
  readonly notices: readonly string[];
}

/** The defaults that do not follow from another setting. */
const defaults: readonly Entry[] = leavesIn("default")
  .filter(({ follows }) => follows === undefined)
  .map(({ path, default: value }) => ({
    path: path.split("."),
    value: value as JsonValue,
    source: "default",
  }));

/** The settings of all entries; a later entry wins. `at` is the path of the entries, for reported problems. */
function settle(entries: readonly Entry[], secret: Settings["secret"], at: readonly string[]): Settled {
  const merged = mergeEntries([...defaults, ...entries]);
  const profileIsDefault = !merged.origins.has("profile");
  const complete = deriveDefaults(merged);
  const problems: ConfigProblem[] = [];
  const notices: string[] = [];
  const settings = resolveSettings(
    // Every layer was validated by this schema, and the defaults fill in the optional keys.
    configSchema.parse(complete.config) as CompleteConfig,
    { profileIsDefault, pinned: pinnedBy(complete), origins: chosenOrigins(complete), secret },
    (path, message) =>
      problems.push({ place: findPlace(path, complete), path: formatPath([...at, ...path]), message }),
    (path, message) => notices.push(`${formatLine(findPlace(path, complete))}: ${message}`),
  );
  return { settings, complete, problems, notices };
}

/** Merges texts and environment over the defaults, without reading the disk; any problem is an INVALID_CONFIG error. */
export function resolveConfig(sources: ConfigSources): Omit<LoadedConfig, "files"> {
  const { waybill, scalpel } = sources;
  const environment = readEnvironment(sources.environment ?? {}, waybill?.text);
  const { secret } = environment;
  const file = waybill && readWaybillConfig(waybill);
  const scalpelFile = scalpel && readScalpelConfig(scalpel.text, scalpel.file);
  const line = readCommandLine(sources.commandLine ?? {});
  const found = [scalpelFile, file].flatMap((reading) => reading?.entries ?? []);
  const pinning = [environment, line].flatMap(({ entries }) => entries);
  const isChosen = [...found, ...pinning].some(({ path }) => path[0] === "dialect");
  const isFollowed = sources.followScalpel === true && waybill === undefined && !isChosen;
  const files = scalpel !== undefined && isFollowed ? [scalpelDialect(scalpel), ...found] : found;
  const general = settle([...files, ...pinning], secret, []);
  if (general.problems.length > 0) throw invalidConfig(general.problems);
  const said = [scalpelFile, file, environment, line].flatMap((reading) => reading?.notices ?? []);
  const gateway = resolveGateway(general.complete.config, files, (own, at) =>
    settle([...forAll(files), ...own, ...pinning], secret, at),
  );
  const loaded = {
    settings: general.settings,
    origins: toOrigins(general.complete, general.settings),
    notices: [...(files === found ? [] : [sayFollowed(scalpel)]), ...said, ...general.notices],
    ...(scalpel !== undefined &&
      !isChosen &&
      !isFollowed && { proposal: propose(scalpel, waybill === undefined) }),
  };
  return gateway === undefined ? loaded : { ...loaded, gateway };
}

/** The general part of a gateway's file; with one server it can only be meant for that one. */
function forAll(entries: readonly Entry[]): readonly Entry[] {
  const names = new Set(entries.flatMap(({ path: [top, name] }) => (top === "upstreams" ? [name] : [])));
  return names.size < 2 ? entries : entries.map((entry) => ({ ...entry, isForAll: true }));
}

function scalpelDialect({ file }: ConfigText): Entry {
  return { path: ["dialect"], value: "scalpel", source: "scalpel-file", place: { file } };
}

function sayFollowed(scalpel: ConfigText | undefined): string {
  return `${scalpel?.file}: results are written in the scalpel dialect, because this file is here and nothing chooses a dialect. To choose another, give serve() a dialect, or write one into waybill.config.json.`;
}

/** `serve` follows the scalpel file if it is the only one; the other doors never do. */
function propose({ file }: ConfigText, isAlone: boolean): string {
  const chosen = '"dialect": "scalpel" into waybill.config.json, or set WAYBILL_DIALECT=scalpel.';
  return isAlone
    ? `${file}: its settings are used, and serve() follows it into the scalpel dialect, but the gateway, attachContract and createContract do not: for those, write ${chosen}`
    : `${file}: its settings are used, but results are not written in the scalpel dialect. For that, write ${chosen}`;
}

/** Adds the defaults that follow from other settings. */
function deriveDefaults({ config, origins }: MergedEntries): MergedEntries {
  const { dialect, tiers } = config as unknown as CompleteConfig;
  const derived: Entry[] = [
    { path: ["profile"], value: defaultProfileOf(dialect), source: "default" },
    { path: ["tiers", "default"], value: tiers.order[0] ?? "", source: "default" },
  ];
  return mergeEntries([...derived, ...origins.values()]);
}

function findPlace(path: readonly string[], { origins }: MergedEntries): ConfigPlace {
  return origins.get(formatPath(path))?.place ?? { file: "defaults" };
}

/** Settings from the command line and the environment beat a tool's own settings. */
function pinnedBy({ origins }: MergedEntries): Pinnable[] {
  const isStrong = ({ source }: Entry): boolean => source === "command-line" || source === "environment";
  return pinnables.filter((path) => {
    const entry = origins.get(path);
    return entry !== undefined && isStrong(entry);
  });
}

/** An explicit value counts even if it equals the default. */
function chosenOrigins({ origins }: MergedEntries): Record<string, SettingOrigin> {
  const chosen: Record<string, SettingOrigin> = {};
  for (const [path, { source, place, isForAll }] of origins) {
    if (source === "default") continue;
    setOwn(chosen, path, {
      source,
      ...(place && { where: formatLine(place) }),
      ...(isForAll && { isForAll }),
    });
  }
  return chosen;
}

function toOrigins({ origins }: MergedEntries, { secret }: Settings): Record<string, Origin> {
  const all: Record<string, Origin> = {};
  for (const [path, entry] of origins) {
    const { source, value, place } = entry;
    const shown = path === "store.place" ? hideAccount(value) : isSecretPlace(entry.path) ? "set" : value;
    all[path] = { source, ...(place && { where: formatLine(place) }), value: shown };
  }
  all["secret"] = secret
    ? { source: "environment", where: "WAYBILL_SECRET", value: "set" }
    : { source: "default", value: "not set" };
  return all;
}

/** A store's URL may contain a name and a password: only the store gets them, not readers of the origins. */
function hideAccount(value: JsonValue): JsonValue {
  return typeof value === "string" ? value.replace(/^(\s*[a-z][a-z0-9+.-]*:\/\/).*@/is, "$1***@") : value;
}

/**
 * The keys that only an explicitly named file may set: where data is stored, the name of a tool, what
 * requests may choose, which cursors are accepted, which features are on, what is started and who may reach
 * it. Editors start servers inside folders whose content others wrote.
 */
const keysOfNamedFiles = Object.entries<Row | SettingGroup>(settingTable)
  .filter(([, { onlyNamed }]) => onlyNamed === true)
  .map(([name]) => snake(name));

/** Reads `waybill.config.json`; an unknown key or a wrong value is an error with its place. */
function readWaybillConfig({ text, file, isFound = false, hasOption = false }: ConfigText): FileReading {
  const parsed = parseJsonc(text, file);
  const all = readChecked(parsed, "file").filter(
    ({ path: [key] }) => key !== "$schema" && key !== "$comment",
  );
  if (!isFound) return { entries: all, notices: [] };
  const refused = keysOfNamedFiles.filter((key) => all.some(({ path }) => path[0] === key));
  const notices = refused.map(
    (key) => `${formatLine(parsed.placeOf([key], "key"))}: ${adviseNaming(key, file, hasOption)}`,
  );
  return { entries: all.filter(({ path: [key = ""] }) => !refused.includes(key)), notices };
}

function adviseNaming(key: string, file: string, hasOption: boolean): string {
  const how = hasOption
    ? `give --config ${file}, or set WAYBILL_CONFIG=${file}, which a program with serve() follows too.`
    : `start with WAYBILL_CONFIG=${file}, or give its path in code: config: followConfig({ configPath }).`;
  return `"${key}" is ignored, because this file was found by looking: no option or variable names it. To use it, ${how}`;
}

function readChecked(parsed: ParsedConfig, source: Entry["source"]): Entry[] {
  const result = configSchema.safeParse(parsed.value);
  if (!result.success) throw refusedFile(result.error.issues, configSchema, parsed);
  return isJsonObject(parsed.value) ? openStoreEntries(toEntries(parsed.value, source, parsed.placeOf)) : [];
}

const optionNames = new Map(leavesIn("line").map(({ path, line }) => [path, line]));

/** Reads the settings of a program's command line; its options are named after their settings. */
function readCommandLine(given: CommandLine): FileReading {
  const value = withoutUndefined(given);
  const placeOf: ParsedConfig["placeOf"] = (path) => {
    return { variable: optionNames.get(path.join(".")) ?? `--${path[0] ?? "config"}` };
  };
  return { entries: readChecked({ value, placeOf }, "command-line"), notices: [] };
}

function withoutUndefined(value: object): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [name, isJsonObject(inner) ? withoutUndefined(inner) : inner]),
  );
}

/** The gateway part of a config file. */
interface GatewayConfig {
  readonly http: HttpSection | undefined;
  readonly dashboard?: DashboardSection | undefined;
  readonly merge: WaybillConfig["merge"];
  readonly endpoints: WaybillConfig["endpoints"];
  /** How each server is reached, in the words of the file and without its policy. */
  readonly upstreams: Readonly<Record<string, UpstreamSection>>;
  /** The settings of each server: the general ones, overridden by its own policy. */
  readonly settings: Readonly<Record<string, Settings>>;
}

const isPolicy = (key: string | undefined): boolean => policyKeys.some((known) => known === key);

/** The policy of one server, with paths as if it were at the top of the file. */
function policyOf(name: string, entries: readonly Entry[]): Entry[] {
  return entries
    .filter(({ path }) => path[0] === "upstreams" && path[1] === name && isPolicy(path[2]))
    .map((entry) => ({ ...entry, path: entry.path.slice(2) }));
}

function withoutPolicy(section: UpstreamSection): UpstreamSection {
  return Object.fromEntries(Object.entries(section).filter(([key]) => !isPolicy(key)));
}

/** Resolves the settings of one server and reports its problems. */
type Settle = (
  own: readonly Entry[],
  at: readonly string[],
) => { readonly settings: Settings; readonly problems: readonly ConfigProblem[] };
/** The gateway that the entries of the file describe; undefined if they describe none. */
function resolveGateway(
  {
    upstreams,
    http,
    dashboard,
    merge,
    endpoints,
  }: Pick<WaybillConfig, "upstreams" | "http" | "dashboard" | "merge" | "endpoints">,
  entries: readonly Entry[],
  settle: Settle,
): GatewayConfig | undefined {
  if (upstreams === undefined && http === undefined && dashboard === undefined) return undefined;
  const sections: Record<string, UpstreamSection> = {};
  const settings: Record<string, Settings> = {};
  const problems: ConfigProblem[] = [];
  for (const [name, section] of Object.entries(upstreams ?? {})) {
    const settled = settle(policyOf(name, entries), ["upstreams", name]);
    problems.push(...settled.problems);
    setOwn(sections, name, withoutPolicy(section));
    setOwn(settings, name, settled.settings);
  }
  if (problems.length > 0) throw invalidConfig(problems);
  return { http, dashboard, merge, endpoints, upstreams: sections, settings };
}

/** True for values that may hold secrets: listings of settings never show them. */
function isSecretPlace([top, second, key, ...rest]: readonly string[]): boolean {
  if (top === "dashboard") return second === "auth" && key === "tokens";
  if (top !== "upstreams") return false;
  return (
    key === "env" ||
    key === "headers" ||
    (key === "auth" && (rest[1] === "tokens" || rest[1] === "client_secret"))
  );
}
