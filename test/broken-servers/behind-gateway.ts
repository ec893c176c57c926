import { resolveConfig } from "../../src/config/resolve-config.ts";
import type { ConfigWatch } from "../../src/config/watch-config.ts";
import { openBridge } from "../../src/gateway/bridge.ts";
import { readGatewayConfig } from "../../src/gateway/config/read-gateway-config.ts";
import { contractFor } from "../../src/gateway/upstream-contract.ts";
import type { Link } from "../../src/link/link.ts";
import { linkPair } from "../../src/link/link-pair.fixture.ts";

/** A file that never changes, as the gateway follows one. */
function watchOf(text: string): ConfigWatch {
  const loaded = resolveConfig({ waybill: { file: "policy.json", text, isFound: false }, environment: {} });
  const stop = (): void => undefined;
  return {
    current: { ...loaded, files: [] },
    onChange: () => stop,
    onProblem: () => stop,
    close: () => Promise.resolve(),
  };
}

/** A server in memory behind the gateway, which is configured by the text of a file with one upstream. */
export function behindGateway(open: () => Link, text: string): () => Link {
  const config = watchOf(text);
  const { upstreams } = readGatewayConfig(config.current, {});
  const [[name, upstream] = []] = Object.entries(upstreams);
  if (name === undefined || upstream === undefined) throw new Error("The file names no server");
  return () => {
    const state = contractFor(name, upstream, { upstreams, config, store: "memory" });
    const [client, near] = linkPair();
    const { hide, callTimeoutMs } = upstream;
    openBridge({ state, client: near, upstream: open(), hide, callTimeoutMs });
    return client;
  };
}
