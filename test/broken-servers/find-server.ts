import { brokenServers } from "./broken-servers.ts";
import { goodServer } from "./good-server.ts";
import type { RawServer } from "./raw-server.ts";

/** The good server, or the one that breaks a rule. */
export function findServer(rule: string): RawServer {
  const server = goodServer();
  if (rule === "good") return server;
  const broken = brokenServers.find((one) => one.rule === rule);
  if (broken === undefined) throw new Error(`No broken server for ${rule}`);
  broken.change(server);
  return server;
}
