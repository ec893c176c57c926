/** What is known about a client's handling of a result that is too long for it. */
export interface ClientLimit {
  /** Matches the client's own name, in lower case. */
  readonly match: RegExp;
  readonly name: string;
  readonly tokens?: number;
  readonly bytes?: number;
  /** 2 for a client that shows its model both channels, so that everything counts twice. */
  readonly factor: 1 | 2;
  readonly says: string;
}

/** A client whose channels are also known. */
export interface KnownClient extends ClientLimit {
  /** Which channel the client's model reads of a success that has both. Default: the structure. */
  readonly shows?: "texts";
}

/** Limits seen in practice; each is a client's own default, which its user may have changed. */
export const clientLimits: readonly KnownClient[] = [
  {
    name: "Claude Code",
    match: /^claude[-_ ]?code/,
    tokens: 25_000,
    factor: 1,
    says: "warns above 10,000 tokens; larger results go to a file (MAX_MCP_OUTPUT_TOKENS)",
  },
  {
    name: "Codex",
    match: /^codex/,
    tokens: 10_000,
    bytes: 10_000,
    factor: 1,
    says: "cuts the middle of longer results",
  },
  {
    name: "Copilot CLI",
    match: /^(?:github[-_ ])?copilot[-_ ]?cli/,
    bytes: 10_000,
    factor: 2,
    says: "cuts at 10 kB and shows both channels",
  },
  {
    name: "Copilot for JetBrains",
    match: /^(?:github[-_ ])?copilot.*(?:intellij|jetbrains)/,
    factor: 2,
    says: "shows both channels",
  },
  { name: "ChatGPT", match: /^(?:chatgpt|openai[-_ ]?mcp)/, factor: 2, says: "shows both channels" },
  {
    name: "opencode",
    match: /^opencode/,
    bytes: 50_000,
    factor: 1,
    shows: "texts",
    says: "cuts at 2,000 lines or 50 kB",
  },
  {
    name: "deepagents",
    match: /^deepagents/,
    tokens: 20_000,
    factor: 1,
    shows: "texts",
    says: "writes longer results to a file",
  },
  { name: "pi", match: /^pi(?:[-_ ]mcp)/, bytes: 51_200, factor: 1, says: "cuts at 50 KiB or 2,000 lines" },
];

export function clientLimitOf(
  name: string | undefined,
  known: readonly ClientLimit[] = clientLimits,
): ClientLimit | undefined {
  const lower = name?.toLowerCase();
  return lower === undefined ? undefined : known.find(({ match }) => match.test(lower));
}
