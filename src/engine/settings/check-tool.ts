import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../../core/contract/contract-error.ts";
import { errorRegistry, isScreamingSnake } from "../../core/contract/error-registry.ts";
import { errorTypes } from "../../core/contract/error-data.ts";
import { checkOptions, refuseOptions } from "../../core/options/check-options.ts";
import {
  callback,
  choice,
  judged,
  list,
  named,
  number,
  object,
  optionsOf,
  text,
  toggle,
  whole,
} from "../../core/options/option-kinds.ts";
import { type PathSegment, formatPath } from "../../core/options/explain-issues.ts";
import { adviseName, didYouMean } from "../../core/text/did-you-mean.ts";
import type { ContractOptions } from "./contract-options.ts";
import { codeTable } from "./code-table.ts";
import { codeShape } from "./kind-schemas.ts";
import type { SettingsResolver } from "./settings-resolver.ts";
import { settingTable } from "./table.ts";
import type { BreakerRule, ToolConfig, ToolOptions } from "./tool-definition.ts";

export const rateLimit = object(
  {
    limit: whole({ min: 1 }),
    periodSeconds: whole({ min: 1, max: Math.floor(MAX_TIMER_MS / 1000), unit: "seconds" }),
  },
  "Write { limit, periodSeconds }.",
);

const breaker = z.union(
  [
    z.literal(true),
    optionsOf<BreakerRule>({
      failureShare: number({ min: 0, max: 1 }),
      minimumCalls: whole({ min: 1 }),
      windowMs: number({ min: 1 }),
      resetMs: number({ min: 1 }),
    }),
  ],
  "Write true, or { failureShare, minimumCalls, windowMs, resetMs }.",
);

const cache = object(
  {
    ttlMs: number({ min: 1 }),
    staleMs: z.optional(number({ min: 0 })),
    maxEntries: z.optional(whole({ min: 1 })),
  },
  "Write { ttlMs }.",
);

/** What RFC 6749 allows in a scope. A space would make two of one. */
const scope = judged((value) =>
  typeof value === "string" && /^[!#-[\]-~]{1,200}$/.test(value)
    ? undefined
    : 'is not a scope: write letters, digits and signs, without spaces and quotes, such as "tasks:write".',
);

const toolShape: Readonly<Record<keyof ToolOptions, z.ZodMiniType>> = {
  ...codeShape(settingTable, "tool"),
  ...codeShape(codeTable, "tool"),
  scopes: list(scope).check(z.minLength(1, "Name at least one.")),
  rateLimit,
  breaker,
  cache,
};

/** The options that can be set for a tool that is defined elsewhere. */
export const toolOptions = optionsOf<ToolOptions>(toolShape);

const standardSchema = judged((value) => {
  const { "~standard": standard } = Object(value) as { "~standard"?: { validate?: unknown } };
  if (typeof standard?.validate === "function") return undefined;
  return "is not a schema: give one of a library of Standard Schema, such as z.object({ … }).";
});

/** An unknown code needs a type: without it, a caller does not know what to do. */
function wrongCode(code: string, type: unknown): string | undefined {
  const known = errorRegistry.get(code);
  const shown = `is ${JSON.stringify(code)}`;
  if (known !== undefined)
    return type === undefined || type === known.type
      ? undefined
      : `${shown}, which has the type ${known.type}. Leave "type" out.`;
  if (!isScreamingSnake(code)) return `${shown}. Write a code in capitals, such as NOT_FOUND.`;
  if (type !== undefined) return undefined;
  const meant = didYouMean(
    code,
    errorRegistry.entries.map((entry) => entry.code),
  );
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return `${shown}, which is no code of the registry.${hint} A code of your own needs its "type": ${errorTypes.join(", ")}.`;
}

const fault = object(
  {
    code: text,
    type: z.optional(choice(errorTypes)),
    when: text,
    remediation: z.optional(text),
    retryable: z.optional(toggle),
    details: z.optional(standardSchema),
  },
  "Write { code, when }.",
).check((payload) => {
  const { code, type } = payload.value;
  const message = wrongCode(code, type);
  if (message !== undefined)
    payload.issues.push({ code: "custom", path: ["code"], message, input: payload.value });
});

const toolConfig = optionsOf<ToolConfig>({
  ...toolShape,
  title: z.string("Write a string."),
  description: z.string("Write a string."),
  inputSchema: standardSchema,
  outputSchema: standardSchema,
  errors: named(fault),
  format: callback,
  paging: toggle,
  annotations: named(z.unknown()),
  icons: list(named(z.unknown())),
  _meta: named(z.unknown()),
});

const handlerOf = object({
  handler: judged((value) =>
    typeof value === "function" ? undefined : "is not a function: give the function that runs the tool.",
  ),
});

/** The protocol's rule for names; some clients drop a tool with any other name. */
const toolName = /^[A-Za-z0-9_.-]{1,128}$/;

/** Configs that were checked, and that are their authors' objects: factories register the same tools for every request. */
const known = new WeakSet<object>();

/** Refuses a tool whose name, config or handler is wrong. */
export function checkTool(name: unknown, config: unknown, handler: unknown): void {
  if (typeof name !== "string" || !toolName.test(name)) {
    const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 60)) : typeof name;
    const message = `The name of a tool is ${shown}. Write 1 to 128 letters, digits, dots, dashes or underscores.`;
    refuseOptions("defineTool", [{ path: ["name"], part: "value", message }]);
  }
  if (typeof config === "object" && config !== null && known.has(config) && typeof handler === "function")
    return;
  checkOptions(`Tool ${name}`, toolConfig, config, "The config");
  checkOptions(`Tool ${name}`, handlerOf, { handler });
  known.add(config as object);
}

/** Refuses a value that is not a tool, such as a variable that is not set yet; `place` is its path in the options. */
export function checkIsTool(owner: string, place: readonly PathSegment[], tool: unknown): void {
  const found = kindOfTool(tool);
  if (found === undefined) return;
  const shown = place.length === 0 ? "The tool" : formatPath(place);
  const message = `${shown} is ${found}. Give a tool made by defineTool().`;
  refuseOptions(owner, [{ path: place, part: "value", message }]);
}

/** The kind of a value that is not a tool; undefined for a tool. */
function kindOfTool(tool: unknown): string | undefined {
  if (tool === undefined || tool === null) return String(tool);
  if (typeof tool !== "object") return `a ${typeof tool}`;
  if (Array.isArray(tool)) return "a list";
  if ("then" in tool) return "a promise";
  const isTool = "name" in tool || "handler" in tool;
  return isTool ? undefined : "an object without name and handler";
}

/** Refuses the name of the tool that a contract adds itself. */
export function checkFreeName(name: unknown, retrieveName: string): void {
  if (name !== retrieveName) return;
  const message = `The name ${name} is taken: Waybill adds a tool of that name, which gives back what was cut from long results. Choose another name, or give that one another: retrieve: { name }.`;
  refuseOptions(`Tool ${name}`, [{ path: ["name"], part: "value", message }]);
}

/** Refuses a tool without a description: a model chooses by it. A server of the SDK may register one without. */
export function checkDescription(name: string, { description }: Pick<ToolConfig, "description">): void {
  if (description !== undefined && description.trim() !== "") return;
  const found = description === undefined ? "missing" : "empty";
  const message = `"description" is ${found}. Write what the tool does: a model chooses a tool by it.`;
  refuseOptions(`Tool ${name}`, [{ path: ["description"], part: "value", message }]);
}

/** Refuses a name that is not in the list of known names. */
export function checkName(
  owner: string,
  path: readonly string[],
  given: string | undefined,
  allowed: readonly string[],
): void {
  if (given === undefined || allowed.includes(given)) return;
  const message = `"${path.join(".")}" is ${JSON.stringify(given)}. ${adviseName(given, allowed)}`;
  refuseOptions(owner, [{ path, part: "value", message }]);
}

/** Refuses a tier or profile that the contract does not have; the tool alone cannot check this. */
export function checkNames(
  { options, effective }: { readonly options: ContractOptions; readonly effective: SettingsResolver },
  owner: string,
  { tier, profile }: Pick<ToolOptions, "tier" | "profile">,
  path: readonly string[] = [],
): void {
  // Without configured tiers the tool stays closed for every caller, and the refusal says so.
  if (options.tiers !== undefined) checkName(owner, [...path, "tier"], tier, options.tiers.order);
  checkName(owner, [...path, "profile"], profile, Object.keys(effective.settings.profiles));
}
