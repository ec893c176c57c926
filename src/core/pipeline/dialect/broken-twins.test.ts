import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DialectId } from "../../contract/dialect-id.ts";
import type { Rule } from "../../contract/rule.ts";
import { parseJson } from "../../json/parse-json.ts";
import { getByPointer } from "../../json/pointer.ts";
import { dialects } from "./dialects.ts";
import { jsonRules } from "./json-rules.ts";
import {
  type Verdict,
  carrierRules,
  recognitionRules,
  validateResponse,
  validateText,
} from "./validate-response.ts";

interface Twin {
  readonly file: string;
  readonly rule: string;
  /** Left out where it is detected. */
  readonly dialect?: DialectId;
  readonly level: "envelope" | "result";
  readonly strict?: true;
}

const folder = new URL("../../../../test/fixtures/broken/", import.meta.url);
const twins = JSON.parse(readFileSync(new URL("index.json", folder), "utf8")) as readonly Twin[];

const ruleLists = [
  ...Object.values(dialects).map((dialect) => dialect.rules),
  Object.values(jsonRules),
  Object.values(carrierRules),
  Object.values(recognitionRules),
];
const rules = new Map<string, Rule>(ruleLists.flat().map((rule) => [rule.id, rule]));

/** Where each twin is broken; json/depth points 1,001 levels down. */
const places: Readonly<Record<string, string>> = {
  "json/encoding": "",
  "json/syntax": "/data/tasks/2",
  "json/duplicate-key": "/data/status",
  "json/number-range": "/data/size",
  "json/number-precision": "/data/id",
  "json/lone-surrogate": "/data/title",
  "envelope/missing": "",
  "envelope/object": "",
  "envelope/root-keys": "/request_id",
  "envelope/success-type": "/success",
  "envelope/data-type": "/data",
  "envelope/error-type": "/error",
  "envelope/meta-type": "/meta",
  "envelope/success-error": "/error",
  "envelope/error-message": "/error",
  "meta/version": "/meta/version",
  "meta/request-id": "/meta/request_id",
  "meta/request-id-missing": "/meta",
  "meta/warnings": "/meta/warnings/0",
  "meta/upgrade-hints": "/meta/upgrade_hints/0/reason",
  "meta/tool-notes": "/meta/tool_version",
  "pagination/shape": "/meta/pagination/page_size",
  "pagination/has-more": "/meta/pagination",
  "pagination/fields": "/meta/pagination",
  "rate-limit/shape": "/meta/rate_limit/remaining",
  "rate-limit/reset-at": "/meta/rate_limit/reset_at",
  "rate-limit/remaining": "/meta/rate_limit/remaining",
  "telemetry/shape": "/meta/telemetry/duration_ms",
  "fidelity/level": "/meta/content_fidelity",
  "fidelity/version-missing": "/meta",
  "fidelity/version": "/meta/content_fidelity_schema_version",
  "fidelity/dropped-ids": "/meta/dropped_content_ids/0",
  "fidelity/archive-hashes": "/meta/content_archive_hashes/findings-e3b0c44298fc",
  "fidelity/omission": "/meta/content_fidelity",
  "warning/shape": "/meta/warning_details/0/code",
  "warning/message": "/meta/warning_details/0/message",
  "warning/severity": "/meta/warning_details/0/severity",
  "warning/context": "/meta/warning_details/0/context",
  "warning/code-missing": "/meta/warning_details/0",
  "warning/severity-missing": "/meta/warning_details/0",
  "warning/code-case": "/meta/warning_details/0/code",
  "error/fields": "/data/details",
  "error/code-missing": "/data",
  "error/type-missing": "/data",
  "error/remediation": "/data",
  "error/code-case": "/data/error_code",
  "error/type-known": "/data/error_type",
  "error/code-type": "/data/error_type",
  "error/retry-after": "/data",
  "data/no-metadata": "/data/request_id",
  "data/total-count": "/data/total_count",
  "batch/warning": "/meta",
  "batch/all-failed": "/success",
  "draft/error-data": "/data",
  "draft/meta": "/data/_meta",
  "draft/warnings": "/data/_warnings",
  "v1/error-text": "/error",
  "scalpel/object": "",
  "scalpel/data": "",
  "scalpel/field-type": "/duration_ms",
  "scalpel/key-known": "/risk",
  "scalpel/capabilities": "/capabilities",
  "scalpel/tier-known": "/tier",
  "scalpel/upgrade-hints": "/upgrade_hints/0",
  "scalpel/error": "/error",
  "scalpel/error-details": "/error/error_details",
  "scalpel/code-case": "/error/error_code",
  "scalpel/code-known": "/error/error_code",
  "result/object": "",
  "result/content": "/content/0/text",
  "result/is-error-type": "/isError",
  "result/structured-type": "/structuredContent",
  "result/mirror": "/content",
  "result/envelope-missing": "",
  "result/is-error": "/isError",
  "result/is-error-missing": "/isError",
  "drf/content": "/content",
  "drf/item-type": "/content/0",
  "drf/item-text": "/content/0",
  "drf/success-json": "/content/0/text",
  "drf/success-flag": "/isError",
  "drf/error-prefix": "/content/0/text",
  "drf/error-flag": "/isError",
};

/** No text can hold a function or a cycle, so this rule is broken by values below. */
const withoutText = "json/value";

function judge({ file, dialect, level }: Twin): Verdict {
  return validateText(readFileSync(new URL(file, folder)), { dialect, level });
}

function ruleOf({ rule }: Twin): Rule {
  const found = rules.get(rule);
  if (found === undefined) throw new Error(`${rule} is the twin of no rule: remove it from index.json.`);
  return found;
}

describe("the broken twins", () => {
  it("are one for each rule that a text can break", () => {
    const broken = [...rules.keys()].filter((id) => id !== withoutText);
    expect(twins.map(({ rule }) => rule).sort()).toEqual(broken.sort());
  });

  it("are all listed, each in the file its rule names", () => {
    const messages = ["initialize", "jsonrpc", "tools-list"];
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json") && file !== "index.json")
      .filter((file) => !messages.some((family) => file.startsWith(`${family}/`)));
    expect(files.sort()).toEqual(twins.map(({ rule }) => `${rule}.json`).sort());
    expect(twins.map(({ file }) => file)).toEqual(twins.map(({ rule }) => `${rule}.json`));
  });

  // shows 001.23, 001.99 with data/no-metadata
  // shows 003.15, 003.20 with drf/content
  // shows 003.23 with drf/error-flag
  // shows 003.22 with drf/error-prefix
  // shows 003.16, 003.21 with drf/item-type
  // shows 003.18 with drf/success-flag
  // shows 003.17 with drf/success-json
  // shows 004.10 with envelope/data-type
  // shows 004.11 with envelope/error-type
  // shows 004.12 with envelope/meta-type
  // shows 000.22 with envelope/root-keys
  // shows 000.4, 001.15, 004.17 with envelope/success-error
  // shows 000.2, 001.12, 004.9 with envelope/success-type
  // shows 001.56, 004.32 with error/code-case
  // shows 004.32 with error/code-missing
  // shows 004.35 with error/fields
  // shows 001.58, 004.34 with error/remediation
  // shows 001.57, 004.33 with error/type-missing
  // shows 001.30 with fidelity/archive-hashes
  // shows 001.8 with fidelity/level
  // shows 001.32 with fidelity/omission
  // shows 001.9 with fidelity/version
  // shows 001.31 with fidelity/version-missing
  // shows 004.26 with meta/request-id-missing
  // shows 004.25 with meta/version
  // shows 001.3, 004.27 with meta/warnings
  // shows 004.20 with pagination/has-more
  // shows 001.153 with rate-limit/shape
  // shows 002.11 with scalpel/capabilities
  // shows 002.21 with scalpel/code-known
  // shows 002.15 with scalpel/data
  // shows 002.19 with scalpel/error
  // shows 002.22 with scalpel/error-details
  // shows 002.26 with scalpel/upgrade-hints
  // shows 001.43 with warning/code-missing
  // shows 001.45 with warning/message
  // shows 001.44 with warning/severity
  it.each(twins)("$rule is broken, and nothing else is", (twin) => {
    const { severity, fix } = ruleOf(twin);
    const { valid, violations } = judge(twin);
    expect(violations.map((violation) => [violation.rule, violation.severity])).toEqual([
      [twin.rule, severity],
    ]);
    expect(valid, "only a MUST makes the twin invalid").toBe(severity !== "MUST");
    expect(twin.strict ?? false).toBe(severity !== "MUST");

    const { message = "", path = "nowhere" } = violations[0] ?? {};
    const found = message.slice(0, -fix.length - 2);
    expect(message, "what was found, then how to fix it").toBe(`${found}. ${fix}`);
    expect(found).toMatch(/\S [^]*[^.:\s]$/);
    expect(found).not.toMatch(/undefined|\[object|is wrong: is /);

    const parsed = parseJson(readFileSync(new URL(twin.file, folder), "utf8"), { maxDepth: 2_000 });
    const around = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    expect(parsed.ok ? getByPointer(parsed.value, around) : twin.rule, "the place exists").toBeDefined();
    expect(path).toBe(places[twin.rule] ?? path);
  });

  it("have places only for rules that exist", () => {
    expect(Object.keys(places).filter((rule) => !rules.has(rule))).toEqual([]);
  });
});

describe("the rules", () => {
  it("have one meaning an id, wherever they are listed", () => {
    for (const rule of ruleLists.flat()) expect(rules.get(rule.id)).toEqual(rule);
  });

  it("are listed once a dialect", () => {
    for (const list of ruleLists) expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
  });

  it("speak in whole sentences", () => {
    const clipped = [...rules.values()].filter(
      ({ says, fix }) => says === fix || ![says, fix].every((sentence) => /^\S[^]*\.$/.test(sentence)),
    );
    expect(clipped.map(({ id }) => id)).toEqual([]);
  });
});

describe("json/value", () => {
  const cycle: Record<string, unknown> = { spec_id: "user-auth" };
  cycle["self"] = cycle;
  const values: [name: string, data: unknown, path: string][] = [
    ["a function", { run: () => 1 }, "/data/run"],
    ["NaN", { ratio: Number.NaN }, "/data/ratio"],
    ["a BigInt", { id: 1n }, "/data/id"],
    ["a cycle", cycle, "/data/self"],
    ["undefined in a list", { tasks: ["task-001", undefined] }, "/data/tasks/1"],
    ["a Date", { at: new Date(0) }, "/data/at"],
    ["a Map", { tasks: new Map() }, "/data/tasks"],
    ["a symbol", { kind: Symbol("kind") }, "/data/kind"],
  ];

  it.each(values)("is broken by %s, and nothing else is", (_, data, path) => {
    const meta = { version: "response-v2", request_id: "req_12345" };
    const { valid, violations } = validateResponse({ success: true, data, error: null, meta });
    expect(violations.map(({ rule, path, severity }) => ({ rule, path, severity }))).toEqual([
      { rule: "json/value", path, severity: "MUST" },
    ]);
    expect(violations[0]?.message).toMatch(/Convert the value before building the response\.$/);
    expect(valid).toBe(false);
  });
});
