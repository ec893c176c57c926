import { ContractError } from "../../core/contract/contract-error.ts";
import { edgeRuntime } from "../runtime/edge-runtime.ts";

/** Refuses a store that needs files or lasting sockets on a runtime without them. `runtime` is for tests. */
export function assertServerRuntime(store: string, runtime: string | undefined = edgeRuntime()): void {
  if (runtime === undefined) return;
  const message = `${store} does not work on ${runtime}, which has neither files nor connections that last: use memoryStore(), or a store of your own.`;
  throw new ContractError("INVALID_OPTION", message, { option: "store" });
}
