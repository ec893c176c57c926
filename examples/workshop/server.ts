import { McpServer } from "@modelcontextprotocol/server";
import { fileURLToPath } from "node:url";
import { type Contract, createContract } from "waybill/server";
import { followConfig } from "waybill/config";
import { workshopTiers } from "./callers.ts";
import { DataFiles } from "./data-files.ts";
import { workshopFlags } from "./flags.ts";
import { workshopInfo, workshopTools } from "./workshop-tools.ts";

export interface Workshop {
  readonly contract: Contract;
  /** A server object; the SDK's HTTP handler asks for a new one with every request. */
  readonly build: () => McpServer;
  readonly close: () => Promise<void>;
}

/** One contract, made here and once: limits, keys and configuration outlive the server objects. */
export async function createWorkshop(environment: NodeJS.ProcessEnv = process.env): Promise<Workshop> {
  // The path is named, because a file that is only found may not say what requests are allowed.
  const ownFile = fileURLToPath(new URL("./waybill.config.jsonc", import.meta.url));
  const config = followConfig({
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    configPath: environment["WAYBILL_CONFIG"] ?? ownFile,
    environment,
  });
  const tiers = workshopTiers(environment);
  const contract = createContract({
    ...workshopInfo,
    // Workshops with one name in one process share their quotas and archives.
    name: environment["WORKSHOP_NAME"] ?? workshopInfo.name,
    config,
    tiers,
    flags: workshopFlags(environment),
    features: { pagination: true, progress: true },
    logLevel: environment["WORKSHOP_LOG"] === "off" ? "silent" : "warn",
    ...(environment["WORKSHOP_DRAFT_NOTES"] === "data" ? { draftNotes: "data" } : {}),
    ...(environment["WORKSHOP_VALIDATE"] === "always" ? { validate: "always" } : {}),
  });
  const tools = workshopTools(new DataFiles(), tiers, environment);
  return {
    contract,
    build: () =>
      contract
        .server(new McpServer(workshopInfo))
        .add(...tools)
        .addServerTool(),
    close: () => contract.close(),
  };
}
