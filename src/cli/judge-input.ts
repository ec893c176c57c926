import type { DialectId } from "../contract/dialect-id.ts";
import { type Violation, ruleSeverities } from "../contract/rule.ts";
import { type JsonValue, isJsonObject } from "../json/json-value.ts";
import { validateMessage } from "../jsonrpc/validate-message.ts";
import { type Detection, detectDialect } from "../pipeline/dialect/detect-dialect.ts";
import { type ReadText, judgeRead, judgeValue, readText } from "../pipeline/dialect/validate-response.ts";
import type { LevelChoice } from "./choices.ts";
import type { Input } from "./input/read-input.ts";

export interface JudgeOptions {
  readonly dialect?: DialectId | undefined;
  readonly level?: LevelChoice | undefined;
  readonly method?: string | undefined;
}

/** A verdict with where it came from, in the words of `--json`. */
export interface Judgement {
  readonly source: string;
  readonly valid: boolean;
  readonly dialect: DialectId | null;
  readonly level: "envelope" | "result" | "message" | null;
  /** Why this dialect, when it was detected rather than named. */
  readonly detected_because: string | null;
  readonly alternatives: readonly DialectId[];
  readonly violations: readonly Violation[];
}

/** The library's verdict on one input, at the level that was asked for or that the input shows. */
export function judgeInput(input: Input, options: JudgeOptions): Judgement {
  const read = readText(input.bytes);
  const { value } = read;
  if (value !== undefined && isMessage(value, options))
    return judgeMessage(input, { ...read, value }, options);
  const { dialect, level = "auto" } = options;
  const { verdict, detection } = judgeRead(read, { dialect, level: level === "message" ? "auto" : level });
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

/** A message or a batch shows by its `jsonrpc` member. */
function isMessage(value: JsonValue, { level = "auto" }: JudgeOptions): boolean {
  if (level !== "auto") return level === "message";
  const messages = Array.isArray(value) ? value : [value];
  return messages.some((message) => isJsonObject(message) && Object.hasOwn(message, "jsonrpc"));
}

function judgeMessage(input: Input, read: ReadText & { value: JsonValue }, options: JudgeOptions): Judgement {
  const { dialect, method } = options;
  const detections: Detection[] = [];
  const checkToolResult = (result: JsonValue): readonly Violation[] => {
    const { verdict, detection } = judgeValue(result, { dialect, level: "result" });
    // A number that became Infinity stops the judgement before the dialect is looked for.
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
  // A batch may answer in several dialects; then none stands for the whole.
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

/** A request and the response to it in one file, so that ids can be compared. */
function exchangeIn(value: JsonValue): { request: JsonValue; response: JsonValue } | undefined {
  if (!isJsonObject(value) || Object.keys(value).sort().join() !== "request,response") return undefined;
  const { request = null, response = null } = value;
  return { request, response };
}

/** How many violations of each severity, most binding first. */
export function countSeverities(violations: readonly Violation[]): readonly (readonly [string, number])[] {
  return ruleSeverities.map((severity) => [
    severity,
    violations.filter((violation) => violation.severity === severity).length,
  ]);
}
