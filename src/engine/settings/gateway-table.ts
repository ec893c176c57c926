// The settings of a gateway that say how a server is reached, by whom, and where the gateway listens. In a file they are
// below `upstreams.<name>` and `http`; in code they are options of `createGateway`.

import { serverTransports } from "../../core/protocol/names.ts";
import type { SettingsTable } from "./table-types.ts";

const text = { is: "text" } as const;
const duration = { is: "duration", min: 1, max: 2_147_483_647, unit: "milliseconds" } as const;
const processes = { is: "whole", min: 1, max: 10_000 } as const;

/** How a server is reached, and who may reach it. Changing any of these in a file replaces the server. */
export const reachTable = {
  command: { kind: text, byCommand: true, file: "The program that is the server. Give this or url." },
  args: { kind: { is: "strings" }, byCommand: true, file: "The arguments of the command." },
  /** Added to a short list of safe variables; `inheritEnv` passes on everything except Waybill's own secrets. */
  env: {
    kind: { is: "named-strings" },
    byCommand: true,
    file: "Variables of the command, added to a short safe list. ${NAME} takes a variable of the gateway.",
  },
  inheritEnv: {
    kind: { is: "toggle" },
    byCommand: true,
    file: "Give the command all variables but Waybill's own secrets. Default: false.",
  },
  cwd: {
    kind: text,
    byCommand: true,
    file: "The folder that the command starts in. Default: that of the gateway.",
  },
  /** Processes at once over HTTP, including those that are ending. Default: 16. */
  maxProcesses: { kind: processes, byCommand: true, file: "Processes at once over HTTP. Default: 16." },
  /** The most processes of one caller. Default: half; all if callers cannot be told apart or there is only one. */
  maxProcessesPerCaller: {
    kind: processes,
    byCommand: true,
    file: "Of them, how many one caller may have. Default: half; all where callers cannot be told apart or there is one.",
  },
  /** How long an idle process is kept. Default: 300,000. */
  idleMs: {
    kind: duration,
    byCommand: true,
    file: "How long a process without requests is kept. Default: 300000.",
  },
  url: { kind: text, byUrl: true, file: "The address of the server, over HTTP. Give this or command." },
  /** Default: "auto", Streamable HTTP, or HTTP+SSE of 2024 with a server that refuses the greeting over it. */
  transport: {
    kind: { is: "choice", of: serverTransports },
    byUrl: true,
    file: "What the server speaks: http (Streamable HTTP), sse (HTTP+SSE of 2024), or auto, which tries both. Default: auto.",
  },
  /** Sent with every request, for servers that require a fixed key. */
  headers: {
    kind: { is: "named-strings" },
    byUrl: true,
    file: "Sent with every request to the url. ${NAME} takes a variable of the gateway.",
  },
  auth: { kind: { is: "own" }, file: "How callers over HTTP prove who they are. Default: none." },
  /** The tools that clients may know, by name or by pattern (`read_*`). Default: all. */
  allowTools: {
    kind: { is: "texts" },
    byCommand: true,
    byUrl: true,
    file: "The tools that are listed and callable, by name or by pattern (read_*). Default: all.",
  },
  /** Tools that are neither listed nor callable, by name or pattern. If the retrieval tool is hidden, cut content is not kept. */
  hide: {
    kind: { is: "texts" },
    byCommand: true,
    byUrl: true,
    file: "Tools that are neither listed nor callable, by name or by pattern (write_*).",
  },
  /** The names that clients know, by the server's own name or a pattern: `{ "gh_*": "github_*" }`. */
  renameTools: {
    kind: { is: "named-texts" },
    byCommand: true,
    byUrl: true,
    file: 'The names by which tools are listed and called, by the server\'s own: { "gh_*": "github_*" }.',
  },
  /** Descriptions in place of the server's, by the server's own name of a tool or a pattern. */
  describeTools: {
    kind: { is: "named-texts" },
    byCommand: true,
    byUrl: true,
    file: "Descriptions in place of the server's, by the server's own name of a tool or a pattern.",
  },
  rateLimit: { kind: { is: "own" }, file: "How many calls each caller has. Default: no limit." },
  redact: {
    kind: { is: "own" },
    file: 'Mask secrets in what leaves with a failure; { "successes": true } masks successes too. Default: true.',
  },
  /** How long the server may take for its first answer. Default: 60,000. */
  startTimeoutMs: {
    kind: duration,
    byCommand: true,
    byUrl: true,
    file: "How long the server may take to its first answer. Default: 60000.",
  },
  /**
   * Whether the gateway counts as ready only while this server can be called. Default: true for the only upstream, false
   * where there are several.
   */
  required: {
    kind: { is: "toggle" },
    byCommand: true,
    byUrl: true,
    file: "Whether /readyz is red while this server cannot be called. Default: true for the only server, false where there are several.",
  },
  /** How often it is found out over HTTP whether the server can be called. Default: "30s". */
  probe: {
    kind: { is: "span", min: "1s", max: "1d", off: true },
    byCommand: true,
    byUrl: true,
    file: 'How often it is found out, over HTTP, whether the server can be called: a command is started once at the start, and again while it cannot start; a url is asked each time. "off" asks nothing. Default: 30s.',
  },
  /** How long one tool call may take. Default: none; the client decides. */
  callTimeoutMs: {
    kind: duration,
    byCommand: true,
    byUrl: true,
    file: "How long one tool call may take. Default: no limit.",
  },
  /** How long any other request may take, except subscriptions and results of tasks. Default: 300,000. */
  requestTimeoutMs: {
    kind: duration,
    byCommand: true,
    byUrl: true,
    file: "How long any other request may take. Default: 300000.",
  },
  /** How long a call that asked for progress may be silent until the gateway says that it runs. Default: 15,000. */
  progressEveryMs: {
    kind: { is: "amount", unit: "milliseconds" },
    byCommand: true,
    byUrl: true,
    file: 'How long a call that asked for progress may be silent until the gateway says that it still runs, or "off". Default: 15000.',
  },
  /** Open requests over HTTP: of one session, or of one caller without a session. Default: 1,000. */
  maxOpenRequests: {
    kind: { is: "whole", min: 1, max: 100_000 },
    byCommand: true,
    byUrl: true,
    file: "Requests without an answer over HTTP, of one session or of one caller without one. Default: 1000.",
  },
  /** The longest message that is read: at least 65,536. Default: 134,217,728 (128 MiB). */
  maxMessageBytes: {
    // A tool list of some size must fit; otherwise no client could use the server at all.
    kind: { is: "whole", min: 65_536, max: 536_870_912, unit: "bytes" },
    byCommand: true,
    byUrl: true,
    file: "The longest message that is read. Default: 134217728 (128 MiB).",
  },
} as const satisfies SettingsTable;

/** The dashboard beside a gateway; `auth` and `check` have forms of their own. */
export const dashboardTable = {
  port: {
    kind: { is: "whole", min: 0, max: 65_535 },
    file: "Where the page listens; 0 takes a free port. Default: 3334, or a free one if that is taken.",
  },
  host: {
    kind: text,
    file: "The address to listen on. One that others can reach needs auth. Default: 127.0.0.1.",
  },
  allowedHosts: {
    kind: { is: "texts" },
    file: "Further names by which browsers call the page, for the check of the Host and Origin headers.",
  },
  actions: {
    kind: { is: "toggle" },
    file: "The page may call tools, run checks and change settings. Default: false.",
  },
  bodies: {
    kind: { is: "toggle" },
    file: "The page may show arguments, results and what was kept. Default: false.",
  },
  auth: {
    kind: { is: "own" },
    file: "Who may see the page: tokens or jwt, as of auth.gateway. Default: who opens a link that works once.",
  },
} as const satisfies SettingsTable;

export const httpTable = {
  /** Default: 3333; 0 takes a free port. */
  port: {
    kind: { is: "whole", min: 0, max: 65_535 },
    file: "Where to listen; 0 takes a free port. Default: 3333.",
  },
  /** Default: 127.0.0.1. A public address needs `auth: { gateway: … }` on every upstream. */
  host: {
    kind: text,
    file: "The address to listen on. One that others can reach needs auth.gateway on every upstream. Default: 127.0.0.1.",
  },
  /** More names that clients may use for the gateway, for the check of the Host header. */
  allowedHosts: {
    kind: { is: "texts" },
    file: "Further names that clients may call it by, for the check of the Host header.",
  },
  /** Web pages that may call, for the check of the Origin header. Default: pages of this machine. */
  allowedOrigins: {
    kind: { is: "texts" },
    file: "Web pages that may call it, for the check of the Origin header. Default: those of this machine.",
  },
  trustProxy: {
    kind: { is: "whole", min: 0, max: 100 },
    file: "How many proxies of your own are in front, each appending to X-Forwarded-For. Default: 0.",
  },
} as const satisfies SettingsTable;

/** When a name begins with its server's: where two servers have the same name, or always. */
export const prefixModes = ["collision", "always"] as const;

/** Several servers at one address. */
export const mergeTable = {
  /** Default: "collision". */
  prefix: {
    kind: { is: "choice", of: prefixModes },
    file: 'When a name begins with its server\'s, as in github_search: where two servers have the same name ("collision"), or always. Default: collision.',
  },
} as const satisfies SettingsTable;
