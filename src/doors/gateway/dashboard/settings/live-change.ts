// The settings that can be changed on the page: budgets, profiles and filters. No setting here names a command, a path
// or a secret, so no request can change one of those.

import * as z from "zod/mini";
import { configSchema } from "../../../../engine/settings/config-schema.ts";
import type { Settings } from "../../../../engine/settings/settings.ts";
import { MIN_BUDGET_BYTES, MIN_BUDGET_TOKENS } from "../../../../engine/settings/call-budget.ts";
import { type Leaf, leavesIn } from "../../../../engine/settings/table.ts";
import type { JsonObject, JsonValue } from "../../../../core/json/json-value.ts";
import { thrownBy } from "../../../../core/options/check-options.ts";
import { explainIssues, formatPath } from "../../../../core/options/explain-issues.ts";
import { compileFilter } from "../../../../core/pipeline/shape/compile-filter.ts";
import { adviseName } from "../../../../core/text/did-you-mean.ts";
import { ApiProblem } from "../dashboard-parts.ts";
import type { SettingChange } from "../protocol/places.ts";

/** More than any model reads. */
const MAX_AMOUNT = 1_000_000_000;

const general = new Map(leavesIn("page").map((leaf) => [leaf.path, leaf]));
/** Below `tools.NAME`. */
const ofTool = new Map(leavesIn("pageTool").map((leaf) => [leaf.path, leaf]));

/** The position of one setting: for a tool, or in general. */
export interface LivePlace {
  readonly tool: string | undefined;
  /** `budget.tokens`, `exclude`. */
  readonly key: string;
}

export interface LiveChange extends LivePlace {
  readonly value: JsonValue;
}

/** The setting at a place; undefined if it cannot be changed here. */
export function leafAt({ tool, key }: LivePlace): Leaf | undefined {
  return (tool === undefined ? general : ofTool).get(key);
}

/** A call raises a smaller budget to this, so a smaller value would be shown but have no effect. */
const leastOf = ({ key }: LivePlace): number =>
  key === "budget.tokens" ? MIN_BUDGET_TOKENS : MIN_BUDGET_BYTES;

/** How a setting can be changed, for the form on the page; undefined if it cannot. */
export function changeOf(place: LivePlace, { profiles }: Settings): SettingChange | undefined {
  const kind = leafAt(place)?.kind.is;
  if (kind === "amount") return { kind: "number", min: leastOf(place), max: MAX_AMOUNT, canBeOff: true };
  if (kind === "profile") return { kind: "choice", choices: Object.keys(profiles) };
  if (kind === "toggle") return { kind: "choice", choices: ["true", "false"] };
  return kind === "paths" ? { kind: "fields" } : undefined;
}

/** The path as people read it: `tools.search.budget.tokens`, `tools["fs.read"].profile`. */
export function pathOf({ tool, key }: LivePlace): string {
  return formatPath([...(tool === undefined ? [] : ["tools", tool]), ...key.split(".")]);
}

const segment = /\.?([A-Za-z_$][\w$-]*)|\[("(?:[^"\\]|\\.)*")\]/y;

/** The names in a path; undefined if it cannot be parsed. */
function namesIn(path: string): string[] | undefined {
  const names: string[] = [];
  segment.lastIndex = 0;
  for (let at = 0; at < path.length; at = segment.lastIndex) {
    const found = segment.exec(path);
    if (found === null) return undefined;
    const [, plain, quoted] = found;
    names.push(plain ?? readQuoted(quoted ?? '""'));
  }
  return names;
}

function readQuoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

const inFile = "Change it in the configuration file, or where the gateway is started.";

/** The setting that a path names. Throws if it cannot be changed here. */
export function readPlace(path: string): LivePlace {
  const [top, tool, ...rest] = namesIn(path) ?? [];
  const isOfTool = top === "tools" && tool !== undefined;
  const place = isOfTool
    ? { tool, key: rest.join(".") }
    : { tool: undefined, key: (namesIn(path) ?? [path]).join(".") };
  // Schemas ignore this name, so nothing would be checked.
  if (leafAt(place) !== undefined && tool !== "__proto__") return place;
  const known = [...(isOfTool ? ofTool : general).keys()];
  throw new ApiProblem(
    "invalid",
    `"${path.slice(0, 200)}" cannot be changed here. ${adviseName(place.key, known)}`,
    inFile,
  );
}

/** The setting in the form of the configuration file. */
function asConfig({ tool, key }: LivePlace, value: JsonValue): JsonObject {
  const [last = "", ...above] = key.split(".").reverse();
  const own = above.reduce<JsonObject>((inner, name) => ({ [name]: inner }), { [last]: value });
  return tool === undefined ? own : { tools: Object.fromEntries([[tool, own]]) };
}

function problemsOf(place: LivePlace, value: JsonValue, { profiles }: Settings): readonly string[] {
  const config = asConfig(place, value);
  const { error } = z.safeParse(configSchema, config);
  if (error !== undefined)
    return explainIssues(error.issues, { schema: configSchema, value: config, whole: "The change" }).map(
      ({ message }) => message,
    );
  const kind = leafAt(place)?.kind.is;
  if (kind === "amount" && typeof value === "number" && value > MAX_AMOUNT)
    return [`"${pathOf(place)}" is ${value}. Write at most ${MAX_AMOUNT}, or "off".`];
  if (kind === "amount" && typeof value === "number" && value < leastOf(place))
    return [
      `"${pathOf(place)}" is ${value}. Write at least ${leastOf(place)}, or "off": no honest answer fits into less.`,
    ];
  if (kind === "profile" && typeof value === "string" && !Object.hasOwn(profiles, value))
    return [`Unknown profile "${value}". ${adviseName(value, Object.keys(profiles))}`];
  if (kind !== "paths" || !Array.isArray(value)) return [];
  const option = place.key === "include_only" ? "includeOnly" : "exclude";
  const wrong = value.map((path) => thrownBy(() => compileFilter({ [option]: [String(path)] })));
  return wrong.filter((problem) => problem !== undefined);
}

/** A form sends true and false as text. */
function readToggle(value: JsonValue): JsonValue {
  return value === "true" ? true : value === "false" ? false : value;
}

/** Checks a change by the rules of the configuration file; throws with everything that is wrong. */
export function readChange(path: string, given: JsonValue, settings: Settings): LiveChange {
  const place = readPlace(path);
  const value = leafAt(place)?.kind.is === "toggle" ? readToggle(given) : given;
  const problems = problemsOf(place, value, settings);
  if (problems.length === 0) return { ...place, value };
  throw new ApiProblem("invalid", problems.slice(0, 10).join(" "), "Correct it and send it again.");
}
