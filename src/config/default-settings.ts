import { profiles } from "../contract/profile.ts";
import type { Settings } from "./settings.ts";

/** The settings of a server without config file and environment; a test compares them with what the resolver gives. */
export const defaultSettings: Settings = {
  dialect: "response-v2",
  profile: "standard",
  profileIsDefault: true,
  delivery: "mirror",
  encoding: "json",
  budget: { tokens: 8000, bytes: "off" },
  fit: { strategy: "head", maxBlobBytes: 1_048_576, clientLimits: false, withoutEnvelope: "auto" },
  allow: { dialects: [], profiles: ["minimal", "standard"], budgetOff: false },
  profiles,
  tools: {},
  excludeEmptyArrays: false,
  excludeEmptyObjects: false,
  excludeNullValues: false,
  tiers: { order: ["community", "pro", "enterprise"], default: "community" },
  flags: {},
  cursors: { acceptUnsigned: false, expiresInDays: 7 },
  validate: "never",
  pinned: [],
  origins: {},
};
