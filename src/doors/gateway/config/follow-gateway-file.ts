import { isDeepStrictEqual } from "node:util";
import type { LoadedConfig } from "../../../engine/settings/resolve-config.ts";
import type { ConfigWatch } from "../../../engine/settings/watch-config.ts";
import { ContractError } from "../../../core/contract/contract-error.ts";
import type { ConfigSource } from "../../../engine/settings/contract-options.ts";
import type { Log } from "../../../engine/observe/log-event.ts";
import { type GatewayFile, readGatewayConfig } from "./read-gateway-config.ts";

export interface FollowOptions {
  /** Switches to the upstreams of the file; throws if one of them cannot be used. */
  readonly apply: (upstreams: GatewayFile["upstreams"]) => void;
  readonly log: Log;
}

function isWatch(config: ConfigSource): config is ConfigWatch {
  return "current" in config && "onChange" in config;
}

/**
 * Applies each change of a file to a running gateway. An edit that cannot be used changes nothing and is logged; a
 * change that needs a restart is logged. Returns a function that stops following.
 */
export function followGatewayFile(config: ConfigSource | undefined, options: FollowOptions): () => void {
  if (config === undefined || !isWatch(config)) return () => undefined;
  const { apply, log } = options;
  const http = config.current.gateway?.http;
  const take = (loaded: LoadedConfig): void => {
    // A file without servers does not affect servers that code or the command line named.
    if (loaded.gateway === undefined) return;
    try {
      const file = readGatewayConfig(loaded);
      if (!isDeepStrictEqual(loaded.gateway.http, http))
        log.warn("config-waits-for-restart", { hint: "Restart the gateway to apply the changed http." });
      apply(file.upstreams);
    } catch (error) {
      const problem = ContractError.isInstance(error) ? error.message : "An upstream could not be started.";
      log.error("config-problem", { problem, err: error });
    }
  };
  const stopChanges = config.onChange(take);
  const stopProblems = config.onProblem((error) => log.error("config-problem", { problem: error.message }));
  return () => {
    stopChanges();
    stopProblems();
  };
}
