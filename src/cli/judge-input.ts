import type { DialectId } from "../core/contract/dialect-id.ts";
import { type Violation, ruleSeverities } from "../core/contract/rule.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../core/json/json-value.ts";
import { checkResult } from "../core/protocol/check-result.ts";
import { validateMessage } from "../core/protocol/validate-message.ts";
import { type Detection, detectDialect } from "../core/pipeline/dialect/detect-dialect.ts";
import {
  type ReadText,
  judgeRead,
  judgeValue,
  readText,
} from "../core/pipeline/dialect/validate-response.ts";
import type { LevelChoice } from "./choices.ts";
import type { Input } from "./input/read-input.ts";

export interface JudgeOptions {
  readonly dialect?: DialectId | undefined;
  readonly level?: LevelChoice | undefined;
  readonly method?: string | undefined;
  readonly tiers?: readonly string[] | undefined;
}

/** A verdict with its source, with the names of `--json`. */
export interface Judgement {
  readonly source: string;
  readonly valid: boolean;
  readonly dialect: DialectId | null;
  readonly level: "envelope" | "result" | "message" | null;
  /** Set for a bare result of the protocol itself, which has no dialect. */
  readonly method?: string;
  /** Why this dialect, if it was detected and not named. */
  readonly detected_because: string | null;
  readonly alternatives: readonly DialectId[];
  readonly violations: readonly Violation[];
}

/** The library's verdict on one input, at the requested level or the level that the input shows. */
export function judgeInput(input: Input, options: JudgeOptions): Judgement {
  const read = readText(input.bytes);
  const { value } = read;
  if (value !== undefined && isMessage(value, options))
    return judgeMessage(input, { ...read, value }, options);
  const answered = value === undefined ? undefined : protocolMethod(value, options);
  if (value !== undefined && answered !== undefined)
    return judgeProtocol(input, { ...read, value }, answered);
  const { dialect, level = "auto", tiers } = options;
  const asked = level === "message" ? "auto" : level;
  const { verdict, detection } = judgeRead(read, { dialect, level: asked, tiers });
  return {
    source: input.name,
    valid: verdict.valid,
    dialect: verdict.dialect ?? null,
    level: verdict.level ?? null,
    detected_because: detection?.because ?? null,
    alternatives: verdict.alternatives,
    violations: verdict.violations,
  };
}

/** The methods whose results have rules. */
export const resultMethods: readonly string[] = ["initialize", "tools/list", "tools/call"];

/** Every tool in a list has an `inputSchema`; items of other lists do not. */
function isToolList({ tools }: JsonObject): boolean {
  if (!Array.isArray(tools) || tools.length === 0) return false;
  return tools.every((tool) => isJsonObject(tool) && Object.hasOwn(tool, "inputSchema"));
}

/** Which result of the protocol itself a value is: as named, else by keys that no response has. */
function protocolMethod(
  value: JsonValue,
  { dialect, level = "auto", method }: JudgeOptions,
): string | undefined {
  if (level === "envelope" || level === "message") return undefined;
  if (method !== undefined) return ["initialize", "tools/list"].find((known) => known === method);
  if (dialect !== undefined || !isJsonObject(value)) return undefined;
  const isInitialize = ["protocolVersion", "capabilities", "serverInfo"].every((key) =>
    Object.hasOwn(value, key),
  );
  if (isInitialize) return "initialize";
  return isToolList(value) ? "tools/list" : undefined;
}

function judgeProtocol(input: Input, read: ReadText & { value: JsonValue }, method: string): Judgement {
  const found = checkResult(read.value, "", { method, checkToolResult: undefined });
  const violations = [...read.violations, ...found];
  return {
    source: input.name,
    valid: violations.every(({ severity }) => severity !== "MUST"),
    dialect: null,
    level: "result",
    method,
    detected_because: null,
    alternatives: [],
    violations,
  };
}

/** A message or a batch is recognised by its `jsonrpc` member. */
function isMessage(value: JsonValue, { level = "auto" }: JudgeOptions): boolean {
  if (level !== "auto") return level === "message";
  const messages = Array.isArray(value) ? value : [value];
  return messages.some((message) => isJsonObject(message) && Object.hasOwn(message, "jsonrpc"));
}

function judgeMessage(input: Input, read: ReadText & { value: JsonValue }, options: JudgeOptions): Judgement {
  const { dialect, method, tiers } = options;
  const detections: Detection[] = [];
  const checkToolResult = (result: JsonValue): readonly Violation[] => {
    const { verdict, detection } = judgeValue(result, { dialect, level: "result", tiers });
    // A number that became Infinity stops the judgement before the dialect is detected.
    if (dialect === undefined) detections.push(detection ?? detectDialect(result));
    return verdict.violations;
  };
  const exchange = exchangeIn(read.value);
  const violations =
    exchange === undefined
      ? validateMessage(read.value, { method, checkToolResult }).violations
      : validateMessage(exchange.response, {
          method,
          checkToolResult,
          request: exchange.request,
        }).violations.map((violation) => ({ ...violation, path: `/response${violation.path}` }));
  const all = [...read.violations, ...violations];
  // A batch may answer in several dialects; then no dialect is given for the whole.
  const [first] = detections;
  const agreed = detections.every((other) => other.dialect === first?.dialect) ? first : undefined;
  return {
    source: input.name,
    valid: all.every(({ severity }) => severity !== "MUST"),
    dialect: dialect ?? agreed?.dialect ?? null,
    level: "message",
    detected_because: agreed?.because ?? null,
    alternatives: agreed?.alternatives ?? [],
    violations: all,
  };
}

/** A request and its response in one file, so that ids can be compared. */
function exchangeIn(value: JsonValue): { request: JsonValue; response: JsonValue } | undefined {
  if (!isJsonObject(value) || Object.keys(value).sort().join() !== "request,response") return undefined;
  const { request = null, response = null } = value;
  return { request, response };
}

/** The number of violations of each severity, most binding first. */
export function countSeverities(violations: readonly Violation[]): readonly (readonly [string, number])[] {
  return ruleSeverities.map((severity) => [
    severity,
    violations.filter((violation) => violation.severity === severity).length,
  ]);
}
