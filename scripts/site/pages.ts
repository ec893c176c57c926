/** One page of the manual: its file in docs/ without `.md`, and what a reader finds there. */
export interface Page {
  readonly file: string;
  readonly says: string;
}

export interface Chapter {
  readonly title: string;
  readonly pages: readonly Page[];
}

function page(file: string, says: string): Page {
  return { file, says };
}

/** The manual in the order in which it is read; the site's menu, docs/README.md and llms.txt are made from it. */
export const chapters: readonly Chapter[] = [
  {
    title: "Start",
    pages: [
      page("first-hour", "from nothing to a wrapped client, a checked server and a server of your own"),
      page("lifecycle", "what happens to a tool result, in order"),
      page("faq", "short answers to what is asked first"),
      page("comparison", "other projects in this field, what they do and do not do, with dates"),
    ],
  },
  {
    title: "The five documents",
    pages: [
      page(
        "documents/000-foundry-first-guide",
        "Foundry's first guide, heading by heading, with answers of a run",
      ),
      page(
        "documents/001-foundry-later-guide",
        "Foundry's later guide: envelope, fidelity, warnings, errors, digests",
      ),
      page("documents/002-code-scalpel-envelope", "Code Scalpel's envelope, its file and its profiles"),
      page("documents/003-drf-mcp-schemas", "django-rest-framework-mcp's two levels of responses"),
      page("documents/004-foundry-user-guide", "the response contract of Foundry's user guide"),
      page("sources", "how many statements of each document hold"),
      page("deviations", "where Waybill departs from the documents, and why"),
      page("migration", "from Foundry MCP, Code Scalpel and django-rest-framework-mcp"),
    ],
  },
  {
    title: "Servers you do not own",
    pages: [
      page(
        "gateway",
        "the contract in front of a command or a URL: results, failures, HTTP, sign-in, limits",
      ),
      page(
        "login",
        "servers that want OAuth: one sign-in for all gateways of a user, or one for each caller",
      ),
      page("dashboard", "a page in your browser that shows what passes through the gateway"),
      page("wrap", "puts the gateway into the configuration of your clients, and takes it out again"),
      page(
        "audit",
        "what your servers cost so far, by the histories of your clients, and what the gateway would change",
      ),
      page("ledger", "what each server cost and saved behind the gateways of a user, day by day"),
      page("scaling", "many replicas behind a load balancer, with one Redis"),
      page("check", "judges a server by what it answers; every rule, with its fix"),
    ],
  },
  {
    title: "Servers you own",
    pages: [
      page("server", "serve, defineTool, createContract, attachContract and their options"),
      page("lint", "judges tools by their source, before they are served"),
      page("testing", "tools without a server, responses against the contract, fuzzing"),
      page("tiers-and-flags", "what a caller has paid for, and what is switched on"),
      page("observe", "traces, metrics, the log, and a listener for every call"),
      page("edge", "Cloudflare Workers, and what works on Node, Bun, Deno and Workers"),
    ],
  },
  {
    title: "Clients and digests",
    pages: [
      page("client", "reads every dialect: unwrap, page, retry, fetch what was cut"),
      page("digest", "a long document becomes a summary with quotes that can be checked"),
      page("install", "what an install brings, and what is installed beside it"),
      page("safe-fetching", "URLs of the public internet and nothing else"),
    ],
  },
  {
    title: "The six stages",
    pages: [
      page("contract", "the envelope: success, data, error, meta; builders, warnings, batches"),
      page("shape", "keep what was asked for: field filters, and lists as tables"),
      page("redaction", "secrets are masked"),
      page("fit", "keep what can be afforded: the budget and the cut"),
      page("archive", "lose nothing: stores, waybill_retrieve, pages and cursors"),
      page("questions", "an answer computed from the whole, in place of the whole"),
      page("dialects", "six ways to write an envelope, detection, translation, negotiation"),
      page("advertise", "output schemas in tools/list that hold for every answer"),
    ],
  },
  {
    title: "Commands, settings, verdicts",
    pages: [
      page("cli", "every command at work, with its output"),
      page("configuration", "the file, who wins, the environment, hot reload"),
      page("errors", "faults, error types, warnings, and what each failure becomes"),
      page("validate", "verdicts on responses and JSON-RPC messages"),
      page("jsonrpc", "builders and rules for JSON-RPC"),
      page("tokens", "exact token counts"),
    ],
  },
  {
    title: "Reference, generated",
    pages: [
      page("reference/commands", "every command and option, in the words of --help"),
      page("reference/settings", "every key of waybill.config.json, and where each setting can be set"),
      page("reference/error-codes", "every error code, and the rules that read other servers' failures"),
      page("reference/readers", "what the model behind each known client gets of a result"),
      page("clients", "what the models behind real clients were given, direct and behind the gateway"),
      page("reference/rules", "every rule of validate, check and lint, with its fix"),
      page("reference/statements", "every statement of the five source documents, and what becomes of it"),
      page("reference/exports", "every public name of the package, and the page that explains it"),
    ],
  },
  {
    title: "Background",
    pages: [
      page("security", "the model, who may read what, and what is left to you"),
      page("performance", "what everything costs, with the commands that measure it again"),
      page(
        "releasing",
        "versions of package and contract, deprecation, what 1.0 needs, how a release is made",
      ),
      page("house", "the source in four floors: where a new thing goes, who imports whom, how large it is"),
      page("fit-figures", "whether the answer is in what a cut keeps, or in one retrieval more"),
      page("token-costs", "what envelopes and definitions cost in tokens, and what a cut saves"),
    ],
  },
];

/** Pages by the names of their files. */
export const pages: readonly Page[] = chapters.flatMap(({ pages: listed }) => listed);
