import { type ErrorEntry, errorRegistry } from "../../src/contract/error-registry.ts";
import { faults } from "../../src/contract/faults.ts";
import { errorTypeTable, errorTypes } from "../../src/contract/error-types.ts";
import { warningRows } from "../../src/contract/warning.ts";
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

function errorSection(entry: ErrorEntry): string[] {
  const aliases =
    entry.aliases.length === 0
      ? ""
      : ` Also sent as ${entry.aliases.map((alias) => `\`${alias}\``).join(", ")}.`;
  return [
    `### ${entry.code}`,
    "",
    `${entry.says}.${aliases}`,
    "",
    `| type | retry | HTTP | JSON-RPC | scalpel |`,
    `| --- | --- | --- | --- | --- |`,
    `| \`${entry.type}\` | ${retryWords[entry.retry]} | ${entry.http} | ${entry.jsonRpc} | \`${entry.scalpel}\`${entry.scalpelTwin ? "" : " (coarser)"} |`,
    "",
    `Default remediation: ${entry.remediation}`,
    "",
  ];
}

/** The error and warning registries as a page. */
export function errorsPage(): GeneratedFile {
  const types = errorTypes.map((type) => {
    const { http, retry, says } = errorTypeTable[type];
    return `| \`${type}\` | ${says} | ${http} | ${retryWords[retry]} |`;
  });
  const warnings = warningRows.map(({ code, severity, says }) => `| \`${code}\` | ${severity} | ${says} |`);
  const lines = [
    "# Errors and warnings",
    "",
    "Generated from `src/contract/error-rows.ts` and `src/contract/warning.ts` by `npm run generate`.",
    "",
    "```ts",
    'import { ToolFault, errorRegistry, faults } from "waybill";',
    "",
    'throw faults.notFound("spec", id);                  // a fault with code, type, remediation and details',
    'errorRegistry.get("ALREADY_EXISTS")?.code;          // "DUPLICATE_ENTRY": aliases lead to their code',
    "```",
    "",
    "## Faults",
    "",
    "Thrown inside a tool, or made for `batchResponse`. Each takes a last argument of options that override what it sets: `errorCode`,",
    "`remediation`, `details`, `data`, `warnings`, `cause` (for the log only), …",
    "",
    "| fault | code |",
    "| --- | --- |",
    ...faultExamples.map(([call, fault]) => `| \`${call}\` | \`${fault.code}\` |`),
    "",
    "A code of your own needs its type, since the type says whether to retry:",
    "",
    "```ts",
    'throw new ToolFault("The month is closed", {',
    '  errorCode: "PERIOD_CLOSED",',
    '  errorType: "conflict",',
    '  remediation: "Book into the current month.",',
    "});",
    "```",
    "",
    "## Types",
    "",
    "| type | says | HTTP | retry? |",
    "| --- | --- | --- | --- |",
    ...types,
    "",
    "## Codes",
    "",
    ...errorRegistry.entries.flatMap(errorSection),
    "## Warnings",
    "",
    "Authors may use any other code; these are the ones with a meaning of their own.",
    "",
    "| code | severity | says |",
    "| --- | --- | --- |",
    ...warnings,
  ];
  return { path: "docs/errors.md", text: `${lines.join("\n")}\n` };
}
