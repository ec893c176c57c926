import { readFile } from "node:fs/promises";
import type { ContractErrorCode } from "../../src/core/contract/contract-error.ts";
import { type ErrorEntry, errorRegistry } from "../../src/core/contract/error-registry.ts";
import { faults } from "../../src/core/contract/faults.ts";
import { errorTypeTable, errorTypes } from "../../src/core/contract/error-data.ts";
import { warningRows } from "../../src/core/contract/warning-rows.ts";
import { payloadRules, markedRule } from "../../src/core/pipeline/outcome/failure-payload.ts";
import type { FailureRule } from "../../src/core/pipeline/outcome/failure-rule.ts";
import { failureTextRules, vetoes } from "../../src/core/pipeline/outcome/failure-rules.ts";
import { unmarkedRules } from "../../src/core/pipeline/outcome/unmarked-failure.ts";
import { nestedRules } from "../../src/core/pipeline/outcome/nested-failure.ts";
import { connectionCodes, fileCodes, statuses } from "../../src/core/pipeline/outcome/known-error.ts";
import { fillPlace, table } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";

const retryWords = {
  fix_input: "no: fix the input",
  reauthenticate: "no: authenticate again",
  never: "no",
  check_state: "maybe: check the state first",
  check_flag: "no: check the flag",
  after_delay: "yes, after the given delay",
  backoff: "yes, with backoff",
} as const;

/** One call of each ready-made fault; the code beside it is what the call really gives. */
const faultExamples = [
  ['faults.validation("The range is empty")', faults.validation("The range is empty")],
  ['faults.notFound("spec", id)', faults.notFound("spec", "id")],
  ["faults.unauthorized()", faults.unauthorized()],
  [
    'faults.forbidden("Read only", { permission: "write" })',
    faults.forbidden("Read only", { permission: "write" }),
  ],
  ['faults.conflict("The task is done already")', faults.conflict("The task is done already")],
  [
    'faults.rateLimited({ limit: 100, period: "minute", retryAfterSeconds: 45 })',
    faults.rateLimited({ limit: 100, period: "minute", retryAfterSeconds: 45 }),
  ],
  ['faults.featureDisabled("beta-search")', faults.featureDisabled("beta-search")],
  [
    'faults.upgradeRequired({ feature: "taint", tier: "pro", reason: "…" })',
    faults.upgradeRequired({ feature: "taint", tier: "pro", reason: "…" }),
  ],
  [
    'faults.unavailable("The index is away", { retryAfterSeconds: 5 })',
    faults.unavailable("The index is away", { retryAfterSeconds: 5 }),
  ],
  ["faults.timeout(2_000)", faults.timeout(2_000)],
  ['faults.invalidCursor("expired")', faults.invalidCursor("expired")],
  ["faults.internal()", faults.internal()],
] as const;

/** The codes that `faults.fromResponse` really gives, each with its statuses. */
function statusRows(): string[] {
  const groups = new Map<string, string[]>();
  const statuses = [400, 401, 403, 404, 408, 409, 410, 412, 413, 422, 423, 429, 500, 501, 502, 503, 504];
  for (const status of statuses) {
    const { code } = faults.fromResponse(new Response(null, { status }));
    groups.set(code, [...(groups.get(code) ?? []), String(status)]);
  }
  return [...groups].map(([code, found]) => `| ${found.join(", ")} | \`${code}\` |`);
}

/** Rows of errors that get a code without a fault: what is thrown, in groups of one code each. */
function knownRows(): string[] {
  const groups = new Map<string, string[]>();
  const add = (code: string, name: string): void =>
    void groups.set(code, [...(groups.get(code) ?? []), name]);
  for (const [name, [code]] of Object.entries(fileCodes)) add(code, `\`${name}\``);
  for (const [name, [code]] of Object.entries(connectionCodes)) add(code, `\`${name}\``);
  add("UNAVAILABLE", "`AbortError`");
  add("UNAVAILABLE", "`TypeError: fetch failed`");
  add("TIMEOUT", "`TimeoutError`");
  for (const [status, [code]] of Object.entries(statuses)) add(code, `HTTP ${status}`);
  return [...groups].map(([code, names]) => `| \`${code}\` | ${names.join(", ")} |`);
}

function errorRow(entry: ErrorEntry): string {
  const aliases = entry.aliases.map((alias) => `\`${alias}\``).join(", ");
  const scalpel = `\`${entry.scalpel}\`${entry.scalpelTwin ? "" : " (coarser)"}`;
  const numbers = `${entry.http} | ${entry.jsonRpc}`;
  return `| \`${entry.code}\` | ${entry.says} | ${aliases} | \`${entry.type}\` | ${retryWords[entry.retry]} | ${numbers} | ${scalpel} | ${entry.remediation} |`;
}

function textRuleRow({ id, confidence = "high", code: one = "", gives = one, says }: FailureRule): string {
  const code = gives === "OPERATION_FAILED" ? "none" : /^[A-Z_]+$/.test(gives) ? `\`${gives}\`` : gives;
  return `| \`${id}\` | ${confidence} | ${code} | ${says} |`;
}

/** When each code of a ContractError is thrown; the compiler asks for all of them. */
const mistakes: Readonly<Record<ContractErrorCode, string>> = {
  EMPTY_MESSAGE: "a failure has no message",
  NOT_JSON: "a value cannot be written as JSON",
  INVALID_OPTION: "an option has a wrong value or name, or has no effect",
  INVALID_ENVELOPE:
    "an envelope, or a server, breaks the contract: `assertResponse`, `expectServer`, builders",
  UNKNOWN_DIALECT: "there is no dialect of this name",
  UNKNOWN_PROFILE: "there is no profile of this name",
  CANNOT_CARRY: "a dialect cannot hold this payload",
  UNREADABLE: "a response breaks a MUST, so that it cannot be read",
  INVALID_CONFIG: "a configuration file or a variable is wrong",
  INVALID_PAYLOAD: "a digest breaks its schema",
  MISSING_KEY: "a cursor is to be signed or read, and no key was given",
};

/** The tables of docs/errors.md by the names of their places; the rest of the page is written by hand. */
function errorTables(): Readonly<Record<string, string>> {
  const types = errorTypes.map((type) => {
    const { http, retry, says } = errorTypeTable[type];
    return `| \`${type}\` | ${says} | ${http} | ${retryWords[retry]} |`;
  });
  const ofType = errorTypes.map((type) => {
    const codes = errorRegistry.entries.filter((entry) => entry.type === type);
    return `| \`${type}\` | ${codes.map(({ code }) => `\`${code}\``).join(", ")} |`;
  });
  return {
    faults: table(
      ["fault", "code"],
      faultExamples.map(([call, fault]) => `| \`${call}\` | \`${fault.code}\` |`),
    ),
    statuses: table(["status", "code"], statusRows()),
    known: table(["code", "thrown"], knownRows()),
    types: table(["type", "says", "HTTP", "retry?"], types),
    codes: table(["type", "codes"], ofType),
    mistakes: table(
      ["code", "thrown when"],
      Object.entries(mistakes).map(([code, when]) => `| \`${code}\` | ${when} |`),
    ),
  };
}

export async function errorsPage(): Promise<GeneratedFile> {
  const path = "docs/errors.md";
  const page = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const text = Object.entries(errorTables()).reduce(
    (filled, [name, content]) => fillPlace(path, filled, name, `\n${content}\n`),
    page,
  );
  return { path, text };
}

/** Every code with all that the registry knows of it, and the rules that read failures of other servers. */
export function errorCodesPage(): GeneratedFile {
  const ruleHead = ["rule", "confidence", "code", "what it looks for"];
  const lines = [
    "# Error codes",
    "",
    "The codes one by one, and the rules that give other servers' failures a code; [errors and warnings](../errors.md) says how to use them.",
    "*Scalpel* is the code in that dialect. Generated from `src/core/contract/error-registry.ts` by `npm run generate`.",
    "",
    table(
      ["code", "says", "also sent as", "type", "retry", "HTTP", "JSON-RPC", "scalpel", "default remediation"],
      errorRegistry.entries.map(errorRow),
    ),
    "",
    "## Warnings",
    "",
    table(
      ["code", "severity", "says"],
      warningRows.map(({ code, severity, says }) => `| \`${code}\` | ${severity} | ${says} |`),
    ),
    "",
    "## Payloads that report a failure",
    "",
    table(
      ["rule", "what it looks for"],
      [...payloadRules, markedRule, ...nestedRules, ...unmarkedRules].map(
        ({ id, says }) => `| \`${id}\` | ${says} |`,
      ),
    ),
    "",
    "## What a text says",
    "",
    "Asked in this order; the first that applies decides.",
    "",
    table(ruleHead, failureTextRules.map(textRuleRow)),
    "",
    "Asked of everything that would invite a retry:",
    "",
    table(ruleHead, vetoes.map(textRuleRow)),
  ];
  return { path: "docs/reference/error-codes.md", text: `${lines.join("\n")}\n` };
}
