import type { PresenceTable } from "../../../contract/profile.ts";

/** Seed 002's minimal error shows no request id unless the client gave one. */
export const scalpelPresence: Readonly<Record<string, Partial<PresenceTable>>> = {
  minimal: { requestId: "given" },
};
