import { type ErrorEntry, errorRegistry } from "../../src/contract/error-registry.ts";
import { errorTypeTable, errorTypes } from "../../src/contract/error-types.ts";
import { warningRows } from "../../src/contract/warning-registry.ts";
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
    "Generated from `src/contract/error-rows.ts` and `src/contract/warning-registry.ts` by `npm run generate`.",
    "",
    "```ts",
    'import { errorRegistry, faults } from "waybill";',
    "",
    'throw faults.notFound("spec", id);                  // a fault with code, type, remediation and details',
    'errorRegistry.get("ALREADY_EXISTS")?.code;          // "DUPLICATE_ENTRY": aliases lead to their code',
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
