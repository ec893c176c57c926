import type { ContractErrorCode } from "../../src/core/contract/contract-error.ts";
import { type ErrorEntry, errorRegistry } from "../../src/core/contract/error-registry.ts";
import { faults } from "../../src/core/contract/faults.ts";
import { errorTypeTable, errorTypes } from "../../src/core/contract/error-types.ts";
import { warningRows } from "../../src/core/contract/warning-rows.ts";
import { payloadRules, markedRule } from "../../src/core/pipeline/outcome/failure-payload.ts";
import type { FailureRule } from "../../src/core/pipeline/outcome/failure-rule.ts";
import { textRules, vetoes } from "../../src/core/pipeline/outcome/failure-rules.ts";
import { unmarkedRules } from "../../src/core/pipeline/outcome/foreign-failure.ts";
import { connectionCodes, fileCodes, statuses } from "../../src/core/pipeline/outcome/known-error.ts";
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

/** Faults that a tool says it may throw, and faults for what a service behind it did. */
function authorSections(): string[] {
  return [
    "## Declared faults",
    "",
    "A tool says in its options how it fails, and its handler throws one of these by its name:",
    "",
    "```ts",
    "const errors = {",
    '  not_found: { code: "NOT_FOUND", when: "No task has this id", details: z.object({ task_id: z.string() }) },',
    '  closed: { code: "PERIOD_CLOSED", type: "conflict", when: "The month is closed", retryable: false },',
    "} as const;",
    "",
    'defineTool("task_get", { description: "One task", inputSchema, errors }, ({ id }, ctx) => {',
    "  const task = tasks.get(id);",
    '  if (task === undefined) return ctx.fail("not_found", { task_id: id });',
    "  return task;",
    "});",
    "```",
    "",
    "| key | what it is |",
    "| --- | --- |",
    "| `code` | a code of the registry, or one of its aliases; a code of your own with its `type` |",
    "| `when` | when it happens, as a sentence. It is the message too, unless `ctx.fail(name, details, message)` is given one |",
    "| `remediation` | what the caller should do. Default: the registry's sentence for the code |",
    "| `retryable` | `false` tells clients not to try again, whatever the code; it is sent in `details.retryable` |",
    "| `details` | a schema of the details. The compiler asks `ctx.fail` for them |",
    "",
    "A name that is not declared and details of another type do not compile. An unknown code is refused when the tool is defined. At run time, a name",
    "that nobody declared is `INTERNAL_ERROR`, and details that break their schema are sent as they are; the log says what is wrong (`fault-details-wrong`).",
    "A tool with `errors` that fails with another code is sent as it is, and in development the log names that code once (`fault-not-declared`).",
    "`INTERNAL_ERROR`, `TIMEOUT` and `INVALID_CURSOR` need no declaration. Neither do refusals before the tool runs: wrong arguments, limits, tiers, flags.",
    "",
    "## Faults for what a service did",
    "",
    "```ts",
    "const response = await fetch(url, { signal: ctx.signal });",
    'if (!response.ok) throw faults.fromResponse(response, { service: "GitHub", resource: `issue ${id}` });',
    "```",
    "",
    "```ts",
    "try {",
    "  return await octokit.issues.get({ owner, repo, issue_number });",
    "} catch (error) {",
    '  throw faults.fromError(error, { service: "GitHub" });',
    "}",
    "```",
    "",
    "The caller gets code, type, the time to wait, `details.service` and `details.downstream_status` or `details.reason` (such as `ECONNREFUSED`), and a fixed",
    'sentence: "GitHub answered with HTTP 404 for issue 17: The resource does not exist". No text of the service goes out, and its body is not read but let go.',
    "The error itself is the fault's `cause`, for the log. All options of a fault override what is read, and `retryAfterSeconds` the time to wait.",
    "With an `errorCode` of yours, or a status that is not below, the sentence ends after the status.",
    "",
    "| status | code |",
    "| --- | --- |",
    ...statusRows(),
    "",
    "Any other 5xx is `UNAVAILABLE`, anything else `OPERATION_FAILED`. A 403 with `x-ratelimit-remaining: 0` is `RATE_LIMIT_EXCEEDED`. 401 and 403 are about the credentials that",
    'your server sent: if they are its own and not those of its caller, write `{ errorCode: "INTERNAL_ERROR" }`.',
    "",
    "The time to wait is read from `Retry-After` (seconds or a date) with `RATE_LIMIT_EXCEEDED`, `UNAVAILABLE` and `TIMEOUT`; where a limit is reached also from `RateLimit`,",
    "`RateLimit-Reset` and `X-RateLimit-Reset` (seconds, or a moment in seconds). More than a day is not sent: the caller of a limit",
    "is told not to retry today. Where no time is known, it is told to retry later.",
    "",
    "`faults.fromError` reads the status where axios, got, ky, octokit, ofetch, gaxios and the AWS SDK put it, the codes of Node and undici, `AbortError` and `TimeoutError`,",
    "in the error and up to three causes behind it. A fault is given back as it is. What it does not know is `INTERNAL_ERROR`: throw errors of files as they are.",
    "",
  ];
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

function textRuleRow({ id, confidence, gives, says }: FailureRule): string {
  const code = gives === "OPERATION_FAILED" ? "none" : /^[A-Z_]+$/.test(gives) ? `\`${gives}\`` : gives;
  return `| \`${id}\` | ${confidence} | ${code} | ${says} |`;
}

/** How failures of servers that know nothing of the contract are understood. */
function foreignSection(): string[] {
  return [
    "## Failures of other servers",
    "",
    'A server behind `attachContract` or the gateway has no codes. What it says of a failure in `_meta["io.modelcontextprotocol/toolFailure"]` decides first, also where `isError` is missing. Else rules read its words.',
    "Each has an id that stays and a confidence: `high` decides, `low` is only noted. In the `debug` profile a failure's `details.upstream` names the rule, its confidence and the original (at most 2,000 characters).",
    "How often they are right was measured on texts of servers that they were not written for: `test/corpus/README.md`.",
    "",
    "What no rule understands is `OPERATION_FAILED` with the server's own text. A rule that gives no code says that a retry cannot help (`details.retryable: false`), unless the text only fails to say why.",
    'A text that says how long to wait ("retry after 30s") gives `retry_after_seconds` with `RATE_LIMIT_EXCEEDED` and `UNAVAILABLE`. Only texts of at most 4,000 characters whose first line has at most 400 are read.',
    "",
    "### Failures that are not marked",
    "",
    'Many servers send a failure as an ordinary result. It becomes a failure where it reports one and nothing else; a result that also carries data, or that merely begins with "Error", stays a success with the warning',
    "`POSSIBLE_FAILURE`. JSON of at most 16,000 characters is read, other text of at most 1,000. A result that names its contract in `_meta` says failure as that contract does.",
    "A report that is only in `structuredContent` counts in the same way where the tool lists no output schema: alone, or as a flag or a lone `error` beside words of at most 1,000 characters, which stay; beside longer ones it is noted. Where a schema asks for it, the structure is data, and decides only with a text that repeats it.",
    "",
    "Where a rule decides, the rule may be wrong, so the server's own text stands before the failure as a block of its own, masked as the failure is and kept in the archive where it has no room; unless the failure's message is exactly that text.",
    "",
    "A file may hold anything. What a tool gives that is read-only (`readOnlyHint: true`; where the server gives no such hint, a name with the word `read`) and takes a path, a file, a URI, a URL or a query (an argument whose last word is one of these or `filename`) is a document:",
    "it stays a success with its text as it is, and `POSSIBLE_FAILURE` says that it reads like a failure. Only `isError` or the `toolFailure` key makes such a result a failure.",
    "",
    "| rule | what it looks for |",
    "| --- | --- |",
    ...[...payloadRules, markedRule, ...unmarkedRules].map(({ id, says }) => `| \`${id}\` | ${says} |`),
    "",
    "The first six decide (`high`) where the object has nothing but keys about the failure, else note (`low`); `payload/flag`, `payload/error-flag` and `payload/error-object` also decide beside up to three single values, such as echoed arguments.",
    "Codes inside a payload (`code`, `error_code`, `status`, …) come before the words of its message, except for 400, 422 and 500, which say less than words.",
    "",
    "### What a text says",
    "",
    "Asked in this order; the first that applies decides.",
    "",
    "| rule | confidence | code | what it looks for |",
    "| --- | --- | --- | --- |",
    ...textRules.map(textRuleRow),
    "",
    "Asked of everything that would invite a retry:",
    "",
    "| rule | confidence | code | what it looks for |",
    "| --- | --- | --- | --- |",
    ...vetoes.map(textRuleRow),
    "",
  ];
}

/** The error and warning registries as a page. */
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

export function errorsPage(): GeneratedFile {
  const types = errorTypes.map((type) => {
    const { http, retry, says } = errorTypeTable[type];
    return `| \`${type}\` | ${says} | ${http} | ${retryWords[retry]} |`;
  });
  const warnings = warningRows.map(({ code, severity, says }) => `| \`${code}\` | ${severity} | ${says} |`);
  const lines = [
    "# Errors and warnings",
    "",
    "Generated from `src/core/contract/error-rows.ts` and `src/core/contract/warning.ts` by `npm run generate`.",
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
    ...authorSections(),
    "## Errors that need no fault",
    "",
    "These get their code when a handler throws them as they are. The text that the caller gets is fixed; the error itself, with its paths and hosts, goes to the log.",
    "`mapError` comes first.",
    "",
    "| code | thrown |",
    "| --- | --- |",
    ...knownRows(),
    "",
    "The HTTP status is that of a service behind the tool, as axios, got, ky, octokit, ofetch, gaxios and the AWS SDK put it on their errors. Any other status (400, 401, 403, 422, …)",
    "stays `INTERNAL_ERROR`: the server asked in the wrong way, not its caller. So do a handler's own `ZodError`, a program that is not installed, and a file error that is the cause of another error.",
    "",
    ...foreignSection(),
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
    "",
    "## Mistakes of the programmer",
    "",
    "A `ContractError` is thrown at the author of a program and never sent to a model. Its message says what is wrong and what to do.",
    "",
    "| code | thrown when |",
    "| --- | --- |",
    ...Object.entries(mistakes).map(([code, when]) => `| \`${code}\` | ${when} |`),
    "",
    "## As data",
    "",
    "`errorRegistry.entries` has all codes, `warningRows` all warnings; `errorTypes`, `retryRules` and `severities` are the words that may stand in their",
    "fields. `createErrorRegistry(rows)` makes a registry of rows of your own. A code or an alias that comes twice is refused.",
  ];
  return { path: "docs/errors.md", text: `${lines.join("\n")}\n` };
}
