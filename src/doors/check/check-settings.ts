import * as z from "zod/mini";
import { dialectIds } from "../../core/contract/dialect-id.ts";
import { checkOptions } from "../../core/options/check-options.ts";
import {
  callback,
  choice,
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
import { serverTransports } from "../../core/protocol/names.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import {
  type CheckLimits,
  type CheckOptions,
  type CheckTarget,
  type CommandTarget,
  type LinkTarget,
  type UrlTarget,
  eraChoices,
} from "./check-options.ts";

/** Every limit with its value. */
export type Limits = { readonly [Name in keyof CheckLimits]-?: NonNullable<CheckLimits[Name]> };

const defaultLimits: Limits = {
  startMs: 30_000,
  callMs: 10_000,
  totalMs: 300_000,
  maxMessageBytes: 32 * 1024 * 1024,
  listPages: 50,
  tools: 200,
  callsPerTool: 12,
  restarts: 5,
};

const address = judged((value) => {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol);
  return isHttp ? undefined : "is not an address. Write one that begins with http:// or https://.";
});

const targets = {
  command: optionsOf<CommandTarget>({
    command: text,
    args: list(z.string()),
    env: named(z.string()),
    inheritEnv: toggle,
    cwd: text,
  }),
  url: optionsOf<UrlTarget>({
    url: address,
    headers: named(z.string()),
    transport: choice(serverTransports),
  }),
  link: optionsOf<LinkTarget>({ link: callback, name: text }),
} as const;

const milliseconds = whole({ min: 1, unit: "milliseconds" });
const count = whole({ min: 0 });
const manyArguments = judged((value) => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  return given.every(isJsonObject)
    ? undefined
    : "is neither an object of arguments nor a list of such objects.";
});

const options = optionsOf<CheckOptions>({
  era: choice(eraChoices),
  all: toggle,
  definitionsOnly: toggle,
  only: list(text),
  args: named(manyArguments),
  seed: whole({ min: 0, max: 0xffff_ffff }),
  dialect: choice(dialectIds),
  limits: optionsOf<CheckLimits>({
    startMs: milliseconds,
    callMs: milliseconds,
    totalMs: milliseconds,
    maxMessageBytes: whole({ min: 1_024, unit: "bytes" }),
    listPages: whole({ min: 1 }),
    tools: count,
    callsPerTool: whole({ min: 1 }),
    restarts: count,
  }),
  onProgress: callback,
  onStderr: callback,
  signal: withMethods(["addEventListener"], "give the signal of an AbortController"),
});

/** Throws a `ContractError` if the target or the options are wrong. */
export function checkCheckOptions(target: CheckTarget, given: CheckOptions): void {
  const named: Readonly<Record<string, unknown>> = { ...target };
  const kind = (["command", "url", "link"] as const).find((key) => named[key] !== undefined);
  const schema = kind === undefined ? object({ command: text }) : targets[kind];
  checkOptions("checkServer", schema, target, "The server");
  checkOptions("checkServer", options, given);
}

export function limitsOf({ limits = {} }: CheckOptions): Limits {
  const known = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(known) };
}
