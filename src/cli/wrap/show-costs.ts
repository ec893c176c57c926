import type { ClientConfig } from "../../doors/gateway/wrap/client-configs.ts";
import { type ServerEntry, labelOf } from "../../doors/gateway/wrap/config-text.ts";
import {
  type ServerCost,
  UnansweredError,
  measureServer,
  openServer,
  serverReach,
} from "../../doors/gateway/wrap/measure-server.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { type TokenCounter, loadCounter } from "../../core/tokens/token-counter.ts";
import { type CliIo, exitCodes, machineOf, readVersion } from "../cli-io.ts";
import { alignRows, countOf } from "../output/format-values.ts";
import type { CommandReport } from "../report.ts";
import { eachServer, sayNoConfigs } from "./each-server.ts";

const DEFAULT_SECONDS = 30;

interface Measured {
  readonly config: ClientConfig;
  readonly entry?: ServerEntry | undefined;
  readonly cost?: ServerCost | undefined;
  /** Why the server was not measured, or why it failed. */
  readonly reason?: string | undefined;
  readonly isFailed?: boolean | undefined;
}

/** Starts each server itself, without the gateway, lists its tools and shows their cost before the first call. */
export async function wrapMeasure(
  file: string | undefined,
  options: { readonly server?: readonly string[] | undefined; readonly timeout?: number | undefined },
  io: CliIo,
): Promise<CommandReport> {
  const counter = await loadCounter();
  const timeoutMs = (options.timeout ?? DEFAULT_SECONDS) * 1_000;
  const { results, lookedAt } = await eachServer<Measured>(
    file,
    options,
    io,
    (config, entry) => measure(config, entry, { counter, timeoutMs, io }),
    (config, reason) => ({ config, reason, isFailed: true }),
  );
  return reportOf(results, lookedAt);
}

async function measure(
  config: ClientConfig,
  entry: ServerEntry,
  {
    counter,
    timeoutMs,
    io,
  }: { readonly counter: TokenCounter; readonly timeoutMs: number; readonly io: CliIo },
): Promise<Measured> {
  const reach = serverReach(entry, { env: io.env, home: machineOf(io).home });
  if ("reason" in reach) return { config, entry, reason: reach.reason };
  if ("url" in reach && !/^https?:$/.test(protocolOf(reach.url))) {
    return { config, entry, reason: "its url is not one of http or https", isFailed: true };
  }
  try {
    const server = openServer(reach, { env: io.env, cwd: io.cwd });
    try {
      return {
        config,
        entry,
        cost: await measureServer(server.link, { version: readVersion(), timeoutMs, counter }),
      };
    } finally {
      await server.close();
    }
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error;
    return { config, entry, reason: error.message, isFailed: true };
  }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}

/** The cost of all servers of one config together: a conversation takes place in one client. */
interface ClientTotal {
  readonly config: ClientConfig;
  readonly servers: number;
  /** Before the first call, without the gateway and with it in front of every server. */
  readonly tokens: number;
  readonly gatewayTokens: number;
}

function totalsOf(results: readonly Measured[]): readonly ClientTotal[] {
  const totals = new Map<string, ClientTotal>();
  for (const { config, cost } of results) {
    if (cost === undefined) continue;
    const own = cost.toolTokens + cost.instructionTokens;
    const before = totals.get(config.path) ?? { config, servers: 0, tokens: 0, gatewayTokens: 0 };
    totals.set(config.path, {
      config,
      servers: before.servers + 1,
      tokens: before.tokens + own,
      gatewayTokens: before.gatewayTokens + own + cost.gatewayTokens,
    });
  }
  return [...totals.values()];
}

/** The line for one client; its file is named if another of its files is listed too. */
function totalLine(
  { config, servers, tokens, gatewayTokens }: ClientTotal,
  all: readonly ClientTotal[],
): string {
  const isAlone = all.filter((each) => each.config.client === config.client).length === 1;
  const who = isAlone ? config.client : `${config.client} (${config.path})`;
  return `${who}: ${tokens} tokens in every conversation, before the first call; ${gatewayTokens} with the gateway in front of ${servers === 1 ? "it" : `all ${servers}`}`;
}

function reportOf(results: readonly Measured[], lookedAt: readonly string[]): CommandReport {
  const failed = results.filter(({ isFailed }) => isFailed === true).length;
  const totals = totalsOf(results);
  return {
    exitCode: failed > 0 ? exitCodes.unreachable : exitCodes.fine,
    data: {
      servers: results.map(toJson),
      clients: totals.map(({ config, servers, tokens, gatewayTokens }) => ({
        client: config.client,
        path: config.path,
        servers,
        tokens,
        tokens_with_gateway: gatewayTokens,
      })),
      total_tokens: totals.reduce((sum, { tokens }) => sum + tokens, 0),
    },
    failure:
      failed > 0
        ? { message: `${countOf(failed, "server")} could not be measured`, errorCode: "UNAVAILABLE" }
        : undefined,
    text: (paint) => {
      if (lookedAt.length > 0) return sayNoConfigs(lookedAt);
      const head = ["client", "server", "tools", "tokens", "instructions", "largest tool"];
      const rows = results.map(({ config, entry, cost, reason }) =>
        cost === undefined
          ? [config.client, entry === undefined ? "" : labelOf(entry), "-", "-", "-", reason ?? ""]
          : [
              config.client,
              entry === undefined ? "" : labelOf(entry),
              String(cost.tools),
              String(cost.toolTokens),
              String(cost.instructionTokens),
              cost.largest === undefined ? "" : `${cost.largest.name} (${cost.largest.tokens})`,
            ],
      );
      const sums = totals.map((each) => paint.bold(totalLine(each, totals)));
      return [...alignRows([head, ...rows]), ...sums].join("\n");
    },
  };
}

function toJson({ config, entry, cost, reason }: Measured): JsonObject {
  return {
    client: config.client,
    path: config.path,
    name: entry?.name ?? null,
    ...(entry?.project === undefined ? {} : { project: entry.project }),
    ...(reason === undefined ? {} : { reason }),
    ...(cost === undefined
      ? {}
      : {
          tools: cost.tools,
          tool_tokens: cost.toolTokens,
          instruction_tokens: cost.instructionTokens,
          gateway_tokens: cost.gatewayTokens,
          largest_tool: cost.largest === undefined ? null : { ...cost.largest },
        }),
  };
}
