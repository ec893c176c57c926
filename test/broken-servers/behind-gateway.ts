import { resolveConfig } from "../../src/engine/settings/resolve-config.ts";
import type { ConfigWatch } from "../../src/engine/settings/watch-config.ts";
import { openBridge } from "../../src/doors/gateway/bridge/bridge.ts";
import { readGatewayConfig } from "../../src/doors/gateway/config/read-gateway-config.ts";
import { contractFor } from "../../src/doors/gateway/upstream-contract.ts";
import type { Link } from "../../src/engine/transport/link.ts";
import { linkPair } from "../../src/engine/transport/link-pair.fixture.ts";

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
