import { brokenServers } from "./broken-servers.ts";
import { goodServer, patientServer } from "./good-server.ts";
import type { RawServer } from "./raw-server.ts";
import { samplesServer } from "./samples-server.ts";

/** A server that breaks nothing, `good` or `samples`, or the one that breaks a rule. */
export function findServer(name: string): RawServer {
  if (name === "samples") return samplesServer();
  if (name === "good") return patientServer();
  const server = goodServer();
  const broken = brokenServers.find(({ rule }) => rule === name);
  if (broken === undefined) throw new Error(`No server breaks ${name}`);
  broken.change(server);
  return server;
}
