// The settings that only code can give: functions and objects with methods, which a file cannot write, and what belongs
// to the code of a server or tool, such as its guards. Types, checks and docs/reference/settings.md come from these rows.
// For a row of the kind `own`, contract-options.ts, tool-definition.ts and their checks say which values there are.

import { MAX_TIMER_MS } from "../../core/contract/contract-error.ts";
import { logForms } from "../observe/terminal.ts";
import type { SettingsTable } from "./table-types.ts";

const toggle = { is: "toggle" } as const;
const text = { is: "text" } as const;
const own = { is: "own" } as const;
const levels = ["debug", "info", "warn", "error", "silent"] as const;

/** Drafts of the MCP specification that results can also follow. */
const draftStandards = ["toolFailure"] as const;

export const codeTable = {
  /**
   * The server's name in logs, spans and the tenant of a local connection. Contracts with the same name in one process
   * share their memory of archives, the random key of cursors, and the counts of limits.
   */
  name: { kind: text, contract: true, code: "The name in logs, spans and tenants." },
  version: { kind: text, contract: true, tool: true, code: "The version that results may show." },
  tools: { kind: own, contract: true, code: "Tools that contract.server adds by itself." },
  toolSettings: { kind: own, contract: true, code: "Settings of single tools, by name." },
  config: { kind: own, contract: true, code: "What followConfig() or loadConfig() gives." },
  /** Draft dialect only: whether notes of a success are in `meta`, or in `data` as the draft's document shows. */
  draftNotes: {
    kind: { is: "choice", of: ["meta", "data"] },
    default: "meta",
    contract: true,
    code: "Where response-v2-draft has the notes of a success.",
  },
  /** The lowest tier that may call the tool. */
  tier: { kind: text, tool: true, code: "The lowest tier that may call the tool." },
  /** The feature flag that must be on. */
  flag: { kind: text, tool: true, code: "The feature flag that must be on." },
  /** The OAuth scopes that a caller over HTTP must have; all of them. On stdio they have no effect. */
  scopes: {
    kind: { is: "texts", least: "Name at least one." },
    tool: true,
    code: "The scopes that a caller over HTTP needs.",
  },
  tiers: { kind: own, contract: true, code: "What defineTiers() gives." },
  flags: { kind: own, contract: true, code: "What defineFlags() gives." },
  /**
   * Leave out of `tools/list` the tools whose `tier` or `flag` the caller does not have, as far as
   * authentication verified the caller. Calls of such a tool are still refused. Default: false.
   */
  hideGated: {
    kind: toggle,
    default: false,
    contract: true,
    code: "Whether lists leave out tools whose tier or flag the caller does not have.",
  },
  features: { kind: own, contract: true, code: "The features for which the tool server answers." },
  rateLimit: { kind: own, contract: true, tool: true, code: "How many calls each caller has." },
  /** What one call takes from the quota. */
  cost: { kind: { is: "whole", min: 0 }, default: 1, tool: true, code: "What one call takes of a quota." },
  timeoutMs: {
    kind: { is: "duration", min: 1, max: MAX_TIMER_MS },
    tool: true,
    code: "How long a call may take.",
  },
  concurrency: { kind: { is: "whole", min: 1 }, tool: true, code: "How many calls may run at once." },
  breaker: { kind: own, tool: true, code: "When a failing tool is not called for a while." },
  cache: { kind: own, tool: true, code: "How long an answer is given again." },
  /** How long a stored outcome answers a repeated idempotency key. */
  idempotencyMs: {
    kind: { is: "duration", min: 1, unit: "milliseconds" },
    default: 86_400_000,
    contract: true,
    code: "How long a stored outcome answers its idempotency key.",
  },
  /** The handler uses `ctx.archive`, so `waybill_retrieve` is listed even if nothing is ever cut. */
  archives: { kind: toggle, default: false, tool: true, code: "Whether the handler uses ctx.archive." },
  /** The path of an item's own id, to name the items that a cut left out. */
  idPath: { kind: text, tool: true, code: "The path of an item's id, by which a cut names items." },
  /** Takes the opt-in argument `_waybill {fields, budget_tokens, cursor}` from the model. */
  waybillArgument: {
    kind: toggle,
    default: false,
    contract: true,
    tool: true,
    code: "Whether tools take the argument _waybill.",
  },
  redact: { kind: own, default: true, contract: true, code: "Whether secrets are masked, and which." },
  /**
   * Drafts of the MCP specification to follow in addition. "toolFailure" adds its `_meta` key to failures.
   * Default: none.
   */
  standards: {
    kind: { is: "choices", of: draftStandards },
    contract: true,
    code: "Drafts of the specification that results follow too.",
  },
  mapError: { kind: own, contract: true, code: "The fault for an error that is no fault." },
  tenant: { kind: own, contract: true, code: "Whose data a call may see." },
  trustProxy: { kind: own, contract: true, code: "How many proxies append to X-Forwarded-For." },
  cursorKeys: { kind: own, contract: true, code: "The keys that sign cursors." },
  logger: { kind: own, contract: true, code: "What takes the log in place of stderr." },
  logLevel: {
    kind: { is: "choice", of: levels },
    default: "warn",
    contract: true,
    code: "The lowest level that is logged.",
  },
  /**
   * The form of the log on stderr: lines for people, JSON for programs, or "auto": as WAYBILL_LOG says, else plain on
   * a terminal and JSON anywhere else.
   */
  logForm: {
    kind: { is: "choice", of: ["auto", ...logForms] },
    default: "auto",
    contract: true,
    code: "The form of the log on stderr.",
  },
  requestIds: { kind: own, contract: true, code: "Makes the ids of requests." },
  now: { kind: own, contract: true, code: "The clock of caches and breakers." },
} as const satisfies SettingsTable;

export type CodeTable = typeof codeTable;
