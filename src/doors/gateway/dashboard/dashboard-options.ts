import type { RunCheck } from "./dashboard-parts.ts";

/** The page that shows what the gateway does. It listens on 127.0.0.1 only, and asks for a link that works once. */
export interface DashboardOptions {
  /** Default: 3334, or a free one where that is taken; 0 takes a free one. A given port that is taken is an error. */
  readonly port?: number | undefined;
  /** The page may call tools, run checks and change settings. Default: false. */
  readonly actions?: boolean | undefined;
  /** The page may show what calls carry: arguments, results, what was kept. Default: false. */
  readonly bodies?: boolean | undefined;
  /** Checks a server when the page asks for it. Default: the page can run no check. */
  readonly check?: RunCheck | undefined;
}
