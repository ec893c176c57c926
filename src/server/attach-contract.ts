import { ContractError } from "../contract/contract-error.ts";
import type { ContractOptions } from "../engine/contract-options.ts";
import { MessageSession } from "../wire/message-session.ts";
import { type Contract, stateOf } from "./create-contract.ts";
import { hookTransport } from "./hook-transport.ts";

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
  const known = attached.get(server);
  if (known !== undefined && known === contract) return server;
  if (known !== undefined) {
    const message = "This server object is under a contract already: attach one contract to it, once.";
    throw new ContractError("INVALID_OPTION", message);
  }
  const state = stateOf(contract);
  hookTransport(server, (ports) => new MessageSession(state, ports));
  attached.set(server, contract);
  return server;
}
