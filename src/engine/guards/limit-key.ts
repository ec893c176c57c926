import { createHash } from "node:crypto";

/** Each client has quotas of its own: one a tool, or one over all tools. */
const limitScopes = ["tool", "client"] as const;
type LimitScope = (typeof limitScopes)[number];

export interface LimitKeyParts {
  readonly tool: string;
  readonly principal?: string | undefined;
  readonly session?: string | undefined;
  readonly per: LimitScope;
}

const MAX_LENGTH = 200;

/** The key of a quota. The client is the principal, else the session, else the one local user of a process. */
export function limitKey({ tool, principal, session, per }: LimitKeyParts): string {
  const client = clientOf(principal, session);
  // JSON keeps parts apart whatever characters they hold.
  const key = JSON.stringify(per === "tool" ? ["tool", tool, ...client] : ["client", ...client]);
  return key.length > MAX_LENGTH ? `sha256:${createHash("sha256").update(key).digest("hex")}` : key;
}

function clientOf(principal = "", session = ""): readonly string[] {
  if (principal !== "") return ["principal", principal];
  return session === "" ? ["local"] : ["session", session];
}
