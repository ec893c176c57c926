// `waybill dev --dashboard`: the server under development behind a gateway of this process, whose page shows its calls and
// may make some. The server is another `waybill dev`, on stdio: it keeps the gateway's session while it is edited.

import { openGateway } from "../../doors/gateway/create-gateway.ts";
import type { GatewayEnd, GatewayOptions } from "../../doors/gateway/gateway-options.ts";
import { RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import { isLoopbackHost } from "../../core/text/network-address.ts";
import { type CliIo, CliError } from "../cli-io.ts";
import { checkUpstream } from "../gateway/check-upstream.ts";
import { explainStart, gatewayLog } from "../gateway/gateway-log.ts";
import { openBrowser } from "../login/open-browser.ts";

export interface DashboardedServer {
  /** What follows `waybill dev` for the inner process. */
  readonly words: readonly string[];
  readonly environment: CliIo["env"];
  /** A port, or an address and a port; undefined for stdio. */
  readonly http: string | undefined;
  /** The client whose model reads the results, if it was named. */
  readonly reader: string | undefined;
}

/** The name of the server in addresses and on the page. */
const NAME = "server";

/** The page may call tools and shows what they return, so no other user may reach it or the server. */
function portOf(http: string): number {
  const [, host = "127.0.0.1", port = ""] = /^(?:(.+):)?(\d+)$/.exec(http) ?? [];
  if (isLoopbackHost(host)) return Number(port);
  throw new CliError(`With --dashboard the server is for this machine alone, and ${host} is not.`, {
    remediation: "Give --http a port without an address, or leave --dashboard out.",
  });
}

function optionsOf({
  words,
  environment,
  http,
  reader,
}: DashboardedServer): Omit<GatewayOptions, "dashboard"> {
  const [script = ""] = process.argv.slice(1, 2);
  const args = [...process.execArgv, script, "dev", ...words];
  const env = Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return {
    upstreams: { [NAME]: { command: process.execPath, args, env, ...(reader && { reader }) } },
    retrieve: { name: RETRIEVE_TOOL },
    // What is shown is gone with this process, and nothing of it stays in the folder of other gateways.
    store: "memory",
    logLevel: "warn",
    ...(http === undefined ? {} : { http: { port: portOf(http) } }),
  };
}

/** Opens the page in the browser of a person at a terminal; for everybody else its link is printed. */
async function showPage(link: string, io: CliIo, note: (text: string) => void): Promise<void> {
  const page = new URL(link);
  const isOpen = io.isTTY.stderr && (await openBrowser(page, io));
  note(
    isOpen
      ? `the dashboard is open in your browser, at ${page.origin}`
      : `the dashboard opens once with ${link}`,
  );
}

/** Runs until the client leaves or a signal stops it. */
export async function serveBehindDashboard(
  server: DashboardedServer,
  io: CliIo,
  { say, note }: { readonly say: (line: string) => void; readonly note: (text: string) => void },
): Promise<GatewayEnd> {
  const options = optionsOf(server);
  const { logger } = gatewayLog("plain", io);
  const serverNote = (_name: string, line: string): void => say(line);
  const check = checkUpstream(() => options.upstreams, serverNote);
  const gateway = openGateway(
    { ...options, ...(logger && { logger }), dashboard: { actions: true, bodies: true, check } },
    { serverNote, announce: (link) => note(`the dashboard opens once with ${link}`) },
  );
  try {
    const { urls, dashboard } = await gateway.listen();
    for (const url of Object.values(urls)) note(`the server listens on ${url}`);
    if (dashboard !== undefined) await showPage(dashboard, io, note);
  } catch (error) {
    await gateway.close();
    throw explainStart(error);
  }
  const stopped = new Promise<void>((resolve) => io.onStop?.(resolve));
  const first = await Promise.race([gateway.ended(), stopped]);
  await gateway.close();
  return first ?? gateway.ended();
}
