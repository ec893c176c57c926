import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { MessageSession } from "../../engine/session/message-session.ts";
import { refuseOptions } from "../../core/options/check-options.ts";
import { type Problem, formatPath } from "../../core/options/explain-issues.ts";
import { type Contract, isContract, stateOf } from "./create-contract.ts";
import { hookTransport, hookedServer } from "./hook-transport.ts";

/** Refuses options that only work for the contract's own tools: here they would be ignored silently. */
function refuseIgnored({ tools, waybillArgument, toolSettings = {} }: ContractOptions): void {
  const argument = "the server itself reads its tools' arguments. Leave it out";
  const problems: Problem[] = [];
  const refuse = (path: readonly string[], why: string): void => {
    const message = `"${formatPath(path)}" has no effect on an attached server: ${why}.`;
    problems.push({ path, part: "key", message });
  };
  if (tools !== undefined)
    refuse(["tools"], "its tools stay as they are. Put tools of your own on contract.server(mcp)");
  if (waybillArgument !== undefined) refuse(["waybillArgument"], argument);
  for (const [name, settings] of Object.entries(toolSettings))
    if (settings?.waybillArgument !== undefined) refuse(["toolSettings", name, "waybillArgument"], argument);
  if (problems.length > 0) refuseOptions("attachContract", problems);
}

/**
 * Puts an existing server object, v1 or v2, under a contract without touching its handlers: every tool result and every
 * advertised schema is rewritten on its way out, behind the same guards as the contract's own tools. The default
 * dialect is `auto`: a result that fits is sent unchanged.
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
  const known = hookedServer(server);
  if (known?.attached === contract) return server;
  // The same contract may serve other server objects, which use all of its options.
  if (!isContract(contract)) refuseIgnored(contract);
  const state = stateOf(contract);
  const hooked = hookTransport(server, state, (ports) => new MessageSession(state, ports, { isOwn }));
  const isOwn = (name: string): boolean => hooked.own?.has(name) === true;
  hooked.attached = contract;
  return server;
}
