import type { DialectId } from "../contract/dialect-id.ts";
import { type Violation, ruleSeverities } from "../contract/rule.ts";
import { decodeUtf8 } from "../json/decode-utf8.ts";
import { type JsonValue, isJsonObject } from "../json/json-value.ts";
import { type ParsedJson, parseJson } from "../json/parse-json.ts";
import { validateMessage } from "../jsonrpc/validate-message.ts";
import { type Detection, detectDialect } from "../pipeline/dialect/detect-dialect.ts";
import { violationsOfText } from "../pipeline/dialect/json-rules.ts";
import { validateResponse, validateText } from "../pipeline/dialect/validate-response.ts";
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
  const decoded = decodeUtf8(input.bytes);
  const parsed = decoded.ok ? parseJson(decoded.text) : undefined;
  if (parsed?.ok === true && isMessage(parsed.value, options)) return judgeMessage(input, parsed, options);
  const { dialect, level = "auto" } = options;
  const verdict = validateText(input.bytes, { dialect, level: level === "message" ? "auto" : level });
  const detection = parsed?.ok === true && dialect === undefined ? detectDialect(parsed.value) : undefined;
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

function judgeMessage(input: Input, parsed: ParsedJson & { ok: true }, options: JudgeOptions): Judgement {
  const { dialect, method } = options;
  const detections: Detection[] = [];
  const checkToolResult = (result: JsonValue): readonly Violation[] => {
    if (dialect === undefined) detections.push(detectDialect(result));
    return validateResponse(result, { dialect, level: "result" }).violations;
  };
  const exchange = exchangeIn(parsed.value);
  const violations =
    exchange === undefined
      ? validateMessage(parsed.value, { method, checkToolResult }).violations
      : validateMessage(exchange.response, {
          method,
          checkToolResult,
          request: exchange.request,
        }).violations.map((violation) => ({ ...violation, path: `/response${violation.path}` }));
  const all = [...violationsOfText(parsed.findings), ...violations];
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
