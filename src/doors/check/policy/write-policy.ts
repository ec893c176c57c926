// A policy as the file that `waybill gateway --config` reads: JSON with comments, one above each setting, or strict
// JSON with the same words under the key `$comment`.

import { type JsonValue, isJsonObject, type JsonObject } from "../../../core/json/json-value.ts";
import { parseJson } from "../../../core/json/parse-json.ts";
import type { CheckReport } from "../report/check-report.ts";
import type { GatewayReach } from "./remedies.ts";

const WIDTH = 110;

/** The beginning of every policy; it distinguishes a policy from hand-written settings. */
const POLICY_MARK = "A policy of the Waybill gateway";

/** Whether a text is a policy, in either form. */
export function isPolicy(text: string): boolean {
  if (text.startsWith(`// ${POLICY_MARK}`)) return true;
  const parsed = parseJson(text);
  const said = parsed.ok && isJsonObject(parsed.value) ? parsed.value["$comment"] : undefined;
  const first: unknown = Array.isArray(said) ? said[0] : undefined;
  return typeof first === "string" && first.startsWith(POLICY_MARK);
}

/** The server's words become one line of a comment, without control characters, so that they cannot end it. */
function plainLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** A comment, wrapped between words; lines after the first are indented. */
function comment(indent: string, text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of plainLine(text).split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && indent.length + longer.length > WIDTH) {
      lines.push(line);
      line = `  ${word}`;
    } else line = longer;
  }
  return [...lines, line].map((each) => `${indent}// ${each}`);
}

function countText({ rule, findings }: RuleCount): string {
  return findings === 1 ? rule : `${rule} (${findings})`;
}

function gapText({ tools, why, ...count }: PolicyGap): string {
  const shown =
    tools.length > 3 ? `${tools.slice(0, 3).join(", ")} and ${tools.length - 3} more` : tools.join(", ");
  return `- ${countText(count)}${shown === "" ? "" : `, ${shown}`}: ${why}`;
}

/** JSON in which invisible characters are escaped. */
function visible(value: JsonValue): string {
  const escape = (unseen: string): string =>
    Array.from({ length: unseen.length }, (_, at) => unseen.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join("");
  return JSON.stringify(value).replaceAll(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, escape);
}

/** One line if the value is short: lists of names, a budget. */
function inline(value: JsonValue): string | undefined {
  const isFlat = (child: JsonValue): boolean => typeof child !== "object" || child === null;
  if (Array.isArray(value)) {
    const text = `[${value.map((item) => visible(item)).join(", ")}]`;
    return value.every(isFlat) && text.length <= WIDTH ? text : undefined;
  }
  if (!isJsonObject(value)) return visible(value);
  const pairs = Object.entries(value);
  const text = pairs.map(([key, child]) => `${visible(key)}: ${visible(child)}`).join(", ");
  if (!pairs.every(([, child]) => isFlat(child)) || text.length > WIDTH / 2) return undefined;
  return pairs.length === 0 ? "{}" : `{ ${text} }`;
}

type CommentOf = (path: readonly string[]) => readonly string[];

function writeObject(
  pairs: readonly [string, JsonValue][],
  path: readonly string[],
  commentOf: CommentOf,
): string[] {
  const indent = "  ".repeat(path.length + 1);
  return pairs.flatMap(([key, value], index) => {
    const below = [...path, key];
    const said = commentOf(below).flatMap((text) => comment(indent, text));
    const [first = "", ...more] = write(value, below, commentOf);
    const lines = [`${indent}${visible(key)}: ${first}`, ...more];
    const end = index === pairs.length - 1 ? "" : ",";
    return [...said, ...lines.slice(0, -1), `${lines.at(-1) ?? ""}${end}`];
  });
}

/** The lines of a value; every line except the first is indented. */
function write(value: JsonValue, path: readonly string[], commentOf: CommentOf): string[] {
  const indent = "  ".repeat(path.length);
  // Objects down to the server's section are always written over several lines.
  const short = path.length <= 2 && isJsonObject(value) ? undefined : inline(value);
  if (short !== undefined) return [short];
  if (Array.isArray(value)) {
    const items = value.map(
      (item, index) => `${indent}  ${visible(item)}${index === value.length - 1 ? "" : ","}`,
    );
    return ["[", ...items, `${indent}]`];
  }
  const pairs = isJsonObject(value) ? Object.entries(value) : [];
  return ["{", ...writeObject(pairs, path, commentOf), `${indent}}`];
}

type Unwritten = Omit<Policy, "text" | "strictText">;

function headOf(
  { settings }: Unwritten,
  { variables, isPrivate }: GatewayReach,
  { server, seed }: CheckReport,
): readonly string[] {
  const whose = server === null ? "a server" : `${server.name} ${server.version}`;
  return [
    `${POLICY_MARK} for ${whose}, made by waybill check (seed ${seed}).`,
    "Serve it with: waybill gateway --config <this file>",
    ...(settings.length === 0 ? ["No finding of the check can be repaired by a setting."] : []),
    ...(variables.length === 0
      ? []
      : [`Set these variables where the gateway starts: ${variables.join(", ")}.`]),
    ...(isPrivate ? ["Something below looks like a secret: keep this file to yourself."] : []),
  ];
}

/** What a setting does, and which findings it repairs. */
function sayings({ effect, repairs }: PolicySetting): readonly string[] {
  return repairs.length === 0 ? [effect] : [effect, `Repairs ${repairs.map(countText).join(", ")}.`];
}

const GAPS = "What no setting repairs, with the number of findings:";

/** The text of the file. Equal policies give equal bytes. */
export function writePolicy(policy: Unwritten, reach: GatewayReach, report: CheckReport): string {
  const commentOf: CommentOf = ([, name, ...path]) => {
    if (name === undefined) return [];
    const key = JSON.stringify(path);
    const setting = policy.settings.find((one) => JSON.stringify(one.path) === key);
    return setting === undefined ? [] : sayings(setting);
  };
  const gaps = policy.gaps.map(gapText);
  return [
    ...headOf(policy, reach, report).flatMap((line) => comment("", line)),
    ...write(policy.config, [], commentOf),
    ...(gaps.length === 0 ? [] : comment("", GAPS)),
    ...gaps.flatMap((gap) => comment("", gap)),
    "",
  ].join("\n");
}

/** The same as strict JSON, for editors and programs that take no comments. */
export function writeStrictPolicy(policy: Unwritten, reach: GatewayReach, report: CheckReport): string {
  const said = policy.settings
    .filter(({ path }) => path.length > 0)
    .map((setting) => `${setting.path.join(".")}: ${sayings(setting).join(" ")}`);
  const gaps = policy.gaps.map(gapText);
  const lines = [...headOf(policy, reach, report), ...said, ...(gaps.length === 0 ? [] : [GAPS, ...gaps])];
  const whole = { $comment: lines.map(plainLine), ...policy.config };
  return `${write(whole, [], () => []).join("\n")}\n`;
}

/** How many findings of a rule a setting repairs, or no setting repairs. */
export interface RuleCount {
  readonly rule: string;
  readonly findings: number;
}

/** One setting below the upstream's section of the file, and its purpose. */
export interface PolicySetting {
  /** Empty for what every gateway does, regardless of settings. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  readonly effect: string;
  readonly repairs: readonly RuleCount[];
}

/** A rule whose findings remain, and why. */
export interface PolicyGap extends RuleCount {
  /** The tools concerned; empty for the server as a whole. */
  readonly tools: readonly string[];
  readonly why: string;
}

/** The configuration that makes all possible repairs. The same report always gives the same policy. */
export interface Policy {
  /** The upstream's name in the file. */
  readonly name: string;
  readonly settings: readonly PolicySetting[];
  readonly gaps: readonly PolicyGap[];
  /** How many findings the settings repair. */
  readonly repaired: number;
  /** What `waybill gateway --config` reads. */
  readonly config: JsonObject;
  /** `config` as the text of the file: JSON with comments that explain each setting and list the remaining findings. */
  readonly text: string;
  /** The same as strict JSON: what the comments say is under the key `$comment`. */
  readonly strictText: string;
}
