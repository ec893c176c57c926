import {
  type Arbitrary,
  array,
  assert,
  constantFrom,
  jsonValue,
  nat,
  oneof,
  option,
  property,
  record,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/arbitrary/law-runs.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../../core/json/json-value.ts";
import {
  claudeLines,
  clineDocument,
  codexLines,
  geminiLines,
  olderCodexLines,
  opencodeParts,
} from "./excerpts.fixture.ts";
import { historyFormats } from "./history-formats.ts";
import type { RecordedCall } from "./history-format.ts";

const excerpts: Readonly<Record<string, readonly JsonObject[]>> = {
  "claude-code": claudeLines,
  codex: [...codexLines, ...olderCodexLines],
  opencode: opencodeParts("/home/me"),
  "gemini-cli": geminiLines("/home/me"),
  cline: [clineDocument],
};

const values = jsonValue({ maxDepth: 3 }) as Arbitrary<JsonValue>;
/** Places to damage: at each step which member, and in the end what is there; undefined takes it away. */
const damage = record({
  line: nat(),
  path: array(nat(), { minLength: 1, maxLength: 9 }),
  put: option(
    oneof(values, constantFrom<JsonValue>("__proto__", "mcp__", "mcp____", "a__", "", -1, [], {})),
    { nil: undefined },
  ),
});

function damaged(
  value: JsonValue,
  path: readonly number[],
  put: JsonValue | undefined,
): JsonValue | undefined {
  const [step, ...rest] = path;
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const key = step === undefined ? undefined : keys[step % Math.max(1, keys.length)];
  if (key === undefined) return put;
  const inner = damaged((value as JsonObject)[key] ?? null, rest, put);
  if (Array.isArray(value)) return value.flatMap((item, at) => (String(at) === key ? (inner ?? []) : [item]));
  const entries = Object.entries(value as JsonObject).flatMap(([name, each]) =>
    name === key ? (inner === undefined ? [] : [[name, inner]]) : [[name, each]],
  );
  return Object.fromEntries(entries) as JsonObject;
}

const isText = (value: unknown): boolean => typeof value === "string";

function expectCall(call: RecordedCall): void {
  const { id, session, tool, server, given, result, atMs, wholeIn, args } = call;
  expect([id, session, tool].every(isText)).toBe(true);
  expect([server, wholeIn].every((each) => each === undefined || isText(each))).toBe(true);
  expect(given?.every(isText) ?? true).toBe(true);
  expect(result === undefined || isJsonObject(result)).toBe(true);
  expect(isJsonObject(args)).toBe(true);
  expect(atMs === undefined || Number.isFinite(atMs)).toBe(true);
}

describe.each(historyFormats.map((format) => [format.client, format] as const))(
  "a reader of %s",
  (_name, format) => {
    it("reads whatever is in a history, and gives calls that are whole", () => {
      const lines = excerpts[format.id] ?? [];
      assert(
        property(array(damage, { maxLength: 6 }), array(values, { maxLength: 3 }), (damages, others) => {
          const history = [...lines, ...others] as JsonValue[];
          for (const { line, path, put } of damages) {
            const at = line % history.length;
            history[at] = damaged(history[at] ?? null, path, put) ?? null;
          }
          for (const files of format.files) {
            const calls: RecordedCall[] = [];
            let odd = 0;
            const findings = { call: (call: RecordedCall) => void calls.push(call), odd: () => void odd++ };
            const reader = files.open(findings, "a/b.jsonl", () => ["web shop"]);
            for (const value of history.filter(isJsonObject)) reader.take(value);
            reader.end?.();
            calls.forEach(expectCall);
            // A value holds at most as many calls as the excerpt has in all, and those put in its place.
            expect(calls.length + odd).toBeLessThanOrEqual(100);
          }
        }),
        lawRuns(1_000),
      );
    });
  },
);
