import { createHash } from "node:crypto";

/** Each client has its own quotas: one for each tool, or one for all tools. */
const limitScopes = ["tool", "client"] as const;
type LimitScope = (typeof limitScopes)[number];

export interface LimitKeyParts {
  readonly tool: string;
  readonly principal?: string | undefined;
  readonly network?: string | undefined;
  readonly session?: string | undefined;
  readonly per: LimitScope;
}

const MAX_LENGTH = 200;

/**
 * The key of a quota. The client is the principal, else the network it calls from, else the session, else one for all.
 * A session comes last because anybody can open as many as they like.
 */
export function limitKey({ tool, principal, network, session, per }: LimitKeyParts): string {
  const client = clientOf(principal, network, session);
  // JSON keeps parts apart whatever characters they hold.
  const key = JSON.stringify(per === "tool" ? ["tool", tool, ...client] : ["client", ...client]);
  return key.length > MAX_LENGTH ? `sha256:${createHash("sha256").update(key).digest("hex")}` : key;
}

function clientOf(principal = "", network = "", session = ""): readonly string[] {
  if (principal !== "") return ["principal", principal];
  if (network !== "") return ["network", network];
  return session === "" ? ["local"] : ["session", session];
}
