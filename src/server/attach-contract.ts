import type { ContractOptions } from "../engine/contract-options.ts";
import { MessageSession } from "../wire/message-session.ts";
import { type Contract, stateOf } from "./create-contract.ts";
import { ownToolsOf } from "./contract-server.ts";
import { hookTransport, innerServer } from "./hook-transport.ts";

const attached = new WeakMap<object, object>();

/**
 * Puts an existing server object, v1 or v2, under a contract without touching its handlers: every tool result and
 * every advertised schema is rewritten on its way out, behind the same guards that tools of one's own have.
 *
 * @example
 * const server = attachContract(existingServer, {
 *   name: "legacy",
 *   toolSettings: { search: { timeoutMs: 10_000, rateLimit: { limit: 60, periodSeconds: 60 } } },
 * });
 */
export function attachContract<Server extends object>(
  server: Server,
  contract: Contract | ContractOptions = {},
): Server {
  const inner = innerServer(server);
  if (attached.get(inner) === contract) return server;
  const state = stateOf(contract);
  const isOwn = (name: string): boolean => ownToolsOf(inner)?.has(name) === true;
  hookTransport(server, state, (ports) => new MessageSession(state, ports, { isOwn }));
  attached.set(inner, contract);
  return server;
}
