const era = "2026-07-28";
const COLUMNS = 80;

interface Called {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string>>;
  /** The most tokens that the caller wants back. */
  readonly budgetTokens?: number;
}

interface Envelope {
  readonly success: boolean;
  readonly data: {
    readonly error_code?: string;
    readonly error_type?: string;
    readonly remediation?: string;
    readonly findings?: readonly unknown[];
    readonly total_findings?: number;
  };
  readonly error: string | null;
  readonly meta: {
    readonly content_fidelity?: string;
    readonly warnings?: readonly string[];
    readonly content_archive_hashes?: Readonly<Record<string, string>>;
    readonly warning_details?: readonly { readonly context?: { readonly retrieve?: { tool: string } } }[];
  };
}

/** One request of the modern era, which needs no session; `curl` does the same. */
export function requestOf({ tool, arguments: args, budgetTokens }: Called): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientCapabilities": {},
    ...(budgetTokens === undefined ? {} : { "waybill/contract": { budget_tokens: budgetTokens } }),
  };
  const params = { name: tool, arguments: args, _meta };
  return {
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": era,
      "Mcp-Method": "tools/call",
      "Mcp-Name": tool,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  };
}

async function ask(url: string, called: Called): Promise<Envelope> {
  const { headers, body } = requestOf(called);
  const response = await fetch(url, { method: "POST", headers, body });
  const { result } = (await response.json()) as {
    readonly result: { readonly content: readonly [{ readonly text: string }] };
  };
  return JSON.parse(result.content[0].text) as Envelope;
}

function show(called: Called, lines: Readonly<Record<string, string>>): string {
  const shown = Object.entries(lines).map(([name, text]) => `    ${name.padEnd(9)}${text}`);
  return [`  ${called.tool} ${JSON.stringify(called.arguments)}`, ...shown]
    .map((line) => (line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line))
    .join("\n");
}

const found: Called = { tool: "spec", arguments: { action: "get", spec_id: "my-feature" } };
const missing: Called = { tool: "spec", arguments: { action: "get", spec_id: "login" } };
const long: Called = {
  tool: "research",
  arguments: { action: "report", research_id: "research-001" },
  budgetTokens: 600,
};

/** A success, a failure with its remedy, and a cut with its handle: three calls through the gateway, each as a few lines. */
export async function threeAnswers(url: string): Promise<string> {
  const [success, failure, cut] = await Promise.all([ask(url, found), ask(url, missing), ask(url, long)]);
  const { warnings = [], warning_details: details = [], content_archive_hashes: hashes = {} } = cut.meta;
  const { retrieve } = details.find(({ context }) => context?.retrieve !== undefined)?.context ?? {};
  // Callers without sign-in, as over this HTTP, need the full hash.
  const [archive = ""] = Object.values(hashes);
  const { findings = [], total_findings: total } = cut.data;
  return [
    show(found, {
      success: String(success.success),
      data: JSON.stringify(success.data),
      meta: JSON.stringify(success.meta),
    }),
    show(missing, {
      success: String(failure.success),
      error: failure.error ?? "",
      code: `${failure.data.error_code}, of the type ${failure.data.error_type}`,
      remedy: failure.data.remediation ?? "",
    }),
    `${show(long, {
      budget: `${long.budgetTokens} tokens`,
      success: String(cut.success),
      data: `${findings.length} of ${total} findings, content_fidelity ${cut.meta.content_fidelity}`,
      warning: warnings.join(", "),
      rest: `the tool ${retrieve?.tool} gives it back, with this archive:`,
    })}\n    ${archive}`,
  ].join("\n\n");
}
