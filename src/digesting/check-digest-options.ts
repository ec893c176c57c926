import { ContractError } from "../contract/contract-error.ts";
import { digestLimits } from "../contract/digest-payload.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { type DigestOptions, digestPolicies, sourceQualities } from "./digest-options.ts";

const limits = {
  minChars: [0, Number.MAX_SAFE_INTEGER],
  maxSnippets: [0, digestLimits.snippets],
  snippetChars: [40, digestLimits.snippet],
  summaryChars: [0, digestLimits.summary],
  maxKeyPoints: [0, digestLimits.keyPoints],
  minScore: [0, 1],
  maxBytes: [1, Number.MAX_SAFE_INTEGER],
  maxPages: [1, Number.MAX_SAFE_INTEGER],
  // A longer timer of JavaScript runs out at once.
  readTimeoutMs: [1, 2 ** 31 - 1],
} as const satisfies Partial<Record<keyof DigestOptions, readonly [number, number]>>;

const choices = {
  policy: digestPolicies,
  quality: sourceQualities,
  minQuality: sourceQualities,
  compat: ["foundry"],
} as const satisfies Partial<Record<keyof DigestOptions, readonly string[]>>;

const kinds = {
  query: "string",
  contentType: "string",
  name: "string",
  fetch: "function",
  onProgress: "function",
  isolate: "boolean",
} as const satisfies Partial<Record<keyof DigestOptions, "string" | "function" | "boolean">>;

/** What an object given for an option must be able to do. */
const methods = {
  summariser: ["summarise"],
  cache: ["get", "set"],
  signal: ["throwIfAborted"],
} as const satisfies Partial<Record<keyof DigestOptions, readonly string[]>>;

const known = [
  ...Object.keys(limits),
  ...Object.keys(choices),
  ...Object.keys(kinds),
  ...Object.keys(methods),
];

function refuse(says: string): never {
  throw new ContractError("INVALID_OPTION", `${says} Correct the digest's options.`);
}

function shown(value: unknown): string {
  return typeof value === "number" || typeof value === "string" ? JSON.stringify(value) : typeof value;
}

function checkNumber(name: string, value: unknown, [min, max]: readonly [number, number]): void {
  const isWhole = name === "minScore" || Number.isInteger(value);
  if (typeof value === "number" && isWhole && value >= min && value <= max) return;
  refuse(
    `${name} is ${typeof value === "number" ? value : shown(value)}, not a number from ${min} to ${max}.`,
  );
}

function checkMethods(name: string, value: unknown, needed: readonly string[]): void {
  const given: Readonly<Record<string, unknown>> = Object(value) as Record<string, unknown>;
  const missing = needed.find((method) => typeof given[method] !== "function");
  if (missing !== undefined) refuse(`${name} has no method ${missing}.`);
}

/** Options are checked before anything is read: a mistyped number must not cost a download. */
export function checkDigestOptions(options: DigestOptions): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given as readonly (readonly [string, unknown])[]) {
    const has = (table: object): boolean => Object.hasOwn(table, name);
    if (has(limits)) checkNumber(name, value, limits[name as keyof typeof limits]);
    else if (has(choices)) {
      const allowed: readonly unknown[] = choices[name as keyof typeof choices];
      if (!allowed.includes(value)) refuse(`${name} is ${shown(value)}, not one of ${allowed.join(", ")}.`);
    } else if (has(kinds)) {
      const kind = kinds[name as keyof typeof kinds];
      if (typeof value !== kind) refuse(`${name} is ${shown(value)}, not a ${kind}.`);
    } else if (has(methods)) checkMethods(name, value, methods[name as keyof typeof methods]);
    else {
      const meant = didYouMean(name, known);
      refuse(`There is no option ${name}${meant === undefined ? "" : `; did you mean ${meant}`}.`);
    }
  }
}
