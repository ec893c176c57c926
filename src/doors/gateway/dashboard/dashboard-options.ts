import type { RunCheck } from "./dashboard-parts.ts";

/** The page that shows the gateway's work. It listens on 127.0.0.1 only, and requires a link that works once. */
export interface DashboardOptions {
  /** Default: 3334, or a free port if that is taken; 0 takes a free port. A given port that is taken is an error. */
  readonly port?: number | undefined;
  /** The page may call tools, run checks and change settings. Default: false. */
  readonly actions?: boolean | undefined;
  /** The page may show the content of calls: arguments, results, archived data. Default: false. */
  readonly bodies?: boolean | undefined;
  /** Checks a server when the page asks for it. Default: the page cannot run checks. */
  readonly check?: RunCheck | undefined;
}
