import { ContractError } from "../../core/contract/contract-error.ts";
import type { Sdk } from "./serve-parts.ts";

/** The MCP SDK, which only those who serve with it install. `owner` is the function that needs it. */
export async function loadSdk(owner: string): Promise<Sdk> {
  try {
    return await import("@modelcontextprotocol/server");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const message = `${owner}: The MCP SDK is not installed. Run npm install @modelcontextprotocol/server.`;
    throw new ContractError("INVALID_OPTION", message, {}, { cause });
  }
}
