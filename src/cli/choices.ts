// These lists are copies, because the originals load Zod, which `waybill --version` must not wait for. choices.test.ts
// compares them with the originals.
import type { DialectId } from "../core/contract/dialect-id.ts";

export const dialectChoices = [
  "response-v2",
  "response-v2-draft",
  "response-v1",
  "scalpel",
  "drf",
  "plain",
] as const satisfies readonly DialectId[];

/** The gateway's dialects; `auto` chooses for each result. */
export const gatewayDialectChoices = ["auto", ...dialectChoices] as const;

export const profileChoices = ["minimal", "standard", "debug"] as const;
export type ProfileChoice = (typeof profileChoices)[number];

export const levelChoices = ["auto", "envelope", "result", "message"] as const;
export type LevelChoice = (typeof levelChoices)[number];

export const shellChoices = ["bash", "zsh", "fish"] as const;
export type ShellChoice = (typeof shellChoices)[number];

/** The formats of a gateway's log. */
export const logForms = ["plain", "json"] as const;
export type LogForm = (typeof logForms)[number];

export const policyChoices = ["off", "auto", "always"] as const;
export type PolicyChoice = (typeof policyChoices)[number];

/** The upper limits of what a digest may be asked for. */
export const mostOfDigest = { snippets: 10, summaryChars: 2_000, keyPoints: 10 } as const;

export const reportChoices = ["pretty", "json", "junit", "sarif", "html"] as const;
export type ReportChoice = (typeof reportChoices)[number];

export const eraChoices = ["auto", "legacy", "modern"] as const;
export type EraChoice = (typeof eraChoices)[number];
