import * as z from "zod/mini";
import type { ClientLimit } from "../settings/call-budget.ts";
import { toKeyRing } from "../retrieve/cursor/cursor-options.ts";
import { checkOptions, refuseOptions, thrownBy } from "../../core/options/check-options.ts";
import {
  callback,
  judged,
  list,
  named,
  object,
  optionsOf,
  text,
  toggle,
  whole,
  withMethods,
} from "../../core/options/option-kinds.ts";
import { STORE_OFF, checkStoreSpec, storeProblem } from "../archive/open-store.ts";
import { RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { type TokenCounter, tokenEncodings } from "../../core/tokens/token-counter.ts";
import { codeTable } from "../settings/code-table.ts";
import { codeShape } from "../settings/kind-schemas.ts";
import { settingTable } from "../settings/table.ts";
import {
  checkFreeName,
  checkIsTool,
  checkName,
  checkNames,
  checkTool,
  rateLimit,
  toolOptions,
} from "../settings/check-tool.ts";
import type { ContractOptions, FitOptions, RedactOptions } from "../settings/contract-options.ts";
import type { ContractState } from "./contract-state.ts";
import { checkNoServerTool } from "./server-tool.ts";
import type { AnyTool } from "../settings/tool-definition.ts";

/** A counter that returns no number (a promise, for example) would let every result pass. */
const counter = judged((value) => {
  // A function that fetches a counter is called when one is needed: a Worker may fetch nothing at its start.
  if (tokenEncodings.some((name) => name === value) || typeof value === "function") return undefined;
  const own = Object(value) as Partial<TokenCounter>;
  if (typeof own.count !== "function")
    return `is not a counter: give one of ${tokenEncodings.join(", ")}, an object { encoding, count(text, limit) }, or a function that gives one.`;
  const counted: unknown = own.count("a test of the counter");
  if (typeof counted === "number" && counted >= 1 && Number.isFinite(counted)) return undefined;
  return "does not give a number: count() must return a whole number of tokens, at once.";
});

const pattern = z.instanceof(RegExp, { error: "Write a pattern: /…/." });

const clientLimit = object({
  match: pattern,
  name: text,
  tokens: z.optional(whole({ min: 1, unit: "tokens" })),
  bytes: z.optional(whole({ min: 1, unit: "bytes" })),
  factor: z.literal([1, 2], "Write 1 or 2."),
  says: z.string("Write a string."),
} satisfies Record<keyof ClientLimit, z.ZodMiniType>);

const fit = optionsOf<FitOptions>({
  ...codeShape(settingTable.fit.members, "contract"),
  clientLimits: z.union([toggle, list(clientLimit)], "Write true or false, or a list of limits."),
  counter,
});

/** The store methods that a cut needs; commands that list or sweep need more. */
const storeMethods = ["put", "get", "getRange", "find"];
const storeAdvice =
  "is not a store: give memoryStore(), fileStore(directory), redisStore(url), postgresStore(url), a text such as ./archive or redis://host, or false.";

/** A value that is not a store would lose the content of the first cut. */
const store = judged((value) => {
  if (value === false || value === STORE_OFF) return undefined;
  if (typeof value === "string") {
    const problem = thrownBy(() => checkStoreSpec(value));
    return problem === undefined ? undefined : `cannot be used. ${problem}`;
  }
  const given = Object(value) as Readonly<Record<string, unknown>>;
  return storeMethods.every((name) => typeof given[name] === "function") ? undefined : storeAdvice;
});

/** "yes" or -1 would trust no proxy, or read an entry that the caller wrote. */
const proxies =
  "Write the number of proxies in front of the server: true for one, or a whole number of 0 or more.";
const trustProxy = z.union([z.boolean(proxies), z.int(proxies).check(z.gte(0, proxies))], proxies);

const redact = optionsOf<RedactOptions>({
  allow: list(z.union([z.string(), pattern], "Write a string or a pattern.")),
  patterns: list(object({ label: text, pattern })),
  successes: toggle,
});

/** The allowed values of each contract option; the gateway has some of these options for each upstream server. */
export const contractKinds = {
  ...codeShape(settingTable, "contract"),
  ...codeShape(codeTable, "contract"),
  tools: z.array(z.unknown(), "Write a list of tools made by defineTool()."),
  toolSettings: named(toolOptions),
  fit,
  store,
  rateLimit,
  tiers: withMethods(["of", "require"], "give what defineTiers() returns"),
  flags: withMethods(["evaluate", "withDefinitions"], "give what defineFlags() returns"),
  features: named(toggle),
  redact: z.union([toggle, redact], "Write true or false, or { allow, patterns, successes }."),
  mapError: callback,
  tenant: callback,
  trustProxy,
  cursorKeys: judged((value) => {
    const problem = thrownBy(() => void toKeyRing(value as string));
    return problem === undefined ? undefined : `cannot be used. ${problem}`;
  }),
  config: judged((value) =>
    typeof value === "object" && value !== null
      ? undefined
      : "is not a configuration: give what loadConfig() or followConfig() returns.",
  ),
  logger: withMethods(["info", "warn", "error"], "give pino, or an object with info, warn and error"),
  requestIds: callback,
  now: callback,
} satisfies Record<keyof ContractOptions, z.ZodMiniType>;

/** Those that an upstream of a gateway has, too. */
export const upstreamKinds = {
  ...codeShape(settingTable, "upstream"),
  fit,
  rateLimit,
  redact: contractKinds.redact,
  toolSettings: contractKinds.toolSettings,
};

const contractOptions = optionsOf<ContractOptions>(contractKinds);

const owner = "createContract";

/** Refuses a value that is not a tool, and two tools of one name. */
export function checkToolList(
  who: string,
  tools: readonly unknown[],
  retrieveName: string = RETRIEVE_TOOL,
): void {
  const seen = new Set<unknown>();
  for (const [index, tool] of (tools as readonly Partial<AnyTool>[]).entries()) {
    checkIsTool(who, ["tools", index], tool);
    checkTool(tool.name, tool.config, tool.handler);
    checkFreeName(tool.name, retrieveName);
    if (seen.has(tool.name)) {
      const message = `Two tools are called "${tool.name}". Give each a name of its own, or take one off the list.`;
      refuseOptions(who, [{ path: ["tools", index, "name"], part: "value", message }]);
    }
    seen.add(tool.name);
  }
}

/** Refuses wrong options before they are used. */
export function checkContractOptions(options: ContractOptions): void {
  checkOptions(owner, contractOptions, options);
  checkToolList(owner, options.tools ?? [], options.retrieve?.name);
}

/**
 * The operator's secret signs cursors if the code gives no keys; a secret that is too short would fail the
 * first page.
 */
function checkSecret({ options, effective }: ContractState): void {
  const { secret } = effective.settings;
  if (options.cursorKeys !== undefined || secret === undefined) return;
  const problem = thrownBy(() => void toKeyRing(secret.reveal()));
  if (problem === undefined) return;
  const message = `The secret of the configuration (WAYBILL_SECRET) cannot be used. ${problem}`;
  refuseOptions(owner, [{ path: ["config", "secret"], part: "value", message }]);
}

/** The command line asks for what the code has switched off: masking nothing would pass for masking everything. */
function checkRedact({ options, masksSuccesses }: ContractState): void {
  if (options.redact !== false || !masksSuccesses) return;
  const message = `"redact" is false, and --redact-successes asks to mask successes. Leave out one of them.`;
  refuseOptions(owner, [{ path: ["redact"], part: "value", message }]);
}

/** Refuses unknown or unusable settings, and a path that can never be a folder: all of them would fail calls. */
export function checkContract(state: ContractState): void {
  const { options, effective } = state;
  const profiles = Object.keys(effective.settings.profiles);
  checkName(owner, ["profile"], options.profile, profiles);
  for (const name of options.allow?.profiles ?? []) checkName(owner, ["allow", "profiles"], name, profiles);
  for (const [name, settings] of Object.entries(options.toolSettings ?? {}))
    checkNames(state, owner, settings, ["toolSettings", name]);
  checkSecret(state);
  checkRedact(state);
  if (effective.serverTool)
    checkNoServerTool(
      owner,
      (options.tools ?? []).map(({ name }) => name),
    );
  if (typeof effective.store !== "string") return;
  const problem = storeProblem(effective.store);
  if (problem !== undefined)
    refuseOptions(owner, [{ path: ["store"], part: "value", message: `"store" ${problem}` }]);
}
