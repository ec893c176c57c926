// Closed sets and limits that the command line shows too. This file loads nothing: `waybill --help` does not wait for Zod.

/** The built-in profiles; profile.ts has what each shows. */
export const profileNames = ["minimal", "standard", "debug"] as const;
export type ProfileName = (typeof profileNames)[number];

/** What a validated value may be. */
export const responseLevels = ["auto", "envelope", "result"] as const;
export type ResponseLevel = (typeof responseLevels)[number];

/** When a document is digested. */
export const digestPolicies = ["off", "auto", "always"] as const;
export type DigestPolicy = (typeof digestPolicies)[number];

/** Limits of seed 001; lengths are code points. */
export const digestLimits = {
  summary: 2_000,
  keyPoints: 10,
  keyPoint: 500,
  snippets: 10,
  snippet: 500,
} as const;
