import { type Reader, limitIn, paysTwice, sayReader } from "../../core/readers/reader.ts";
import { readerChosen, readerNamed, readers } from "../../core/readers/readers.ts";
import { type Settings, defaultSettings } from "../../engine/settings/settings.ts";
import type { Budget, Limit } from "../../core/pipeline/pipeline-context.ts";
import { loadConfig } from "../../engine/settings/load-config.ts";
import type { LoadedConfig } from "../../engine/settings/resolve-config.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { type CallBudget, settleBudget } from "../../engine/settings/call-budget.ts";
import { CliError, type CliIo, machineOf } from "../cli-io.ts";
import { explainStart } from "../gateway/gateway-log.ts";
import { checkGatewayOptions } from "../../doors/gateway/check-gateway-options.ts";
import { readGatewayConfig } from "../../doors/gateway/config/read-gateway-config.ts";
import { findClientConfigs } from "../../doors/gateway/wrap/client-configs.ts";
import { fromContractError } from "../report-error.ts";
import { type Check, checkStore } from "./check-runtime.ts";
import { existsSync } from "node:fs";
import type { OpenStoreOptions } from "../../engine/archive/open-store.ts";
import { storeLimitsOf } from "../../engine/settings/store-limits.ts";
import { isMemory } from "../archive/named-store.ts";
import { type GatewayView, type UpstreamView, viewGateway } from "../gateway/view-gateway.ts";

/** Checks the configuration; if it is broken, the checks that follow use the defaults. */
export async function checkConfig(
  configPath: string | undefined,
  io: CliIo,
): Promise<{
  readonly checks: readonly Check[];
  readonly settings: Settings;
  readonly loaded?: LoadedConfig | undefined;
}> {
  try {
    const loaded = await loadConfig({
      configPath,
      namedBy: "--config",
      cwd: io.cwd,
      home: io.env["HOME"],
      environment: io.env,
    });
    return { checks: [describeFiles(loaded), ...describeNotices(loaded)], settings: loaded.settings, loaded };
  } catch (error) {
    const known = ContractError.isInstance(error) ? fromContractError(error) : undefined;
    if (known === undefined) throw error;
    const says = [known.message, ...known.lines].join(" ");
    const advice = "Correct the named places; until then the defaults are what is checked here.";
    return { checks: [{ id: "config", status: "problem", says, advice }], settings: defaultSettings };
  }
}

function describeFiles({ files }: LoadedConfig): Check {
  const used = files.filter(({ status }) => status === "used").map(({ path }) => path);
  const says =
    used.length === 0
      ? "no configuration file: the defaults and the environment apply"
      : `valid: ${used.join(", ")}`;
  return { id: "config", status: "ok", says, details: { files: used } };
}

function describeNotices({ notices, proposal }: LoadedConfig): Check[] {
  return [...notices, ...(proposal === undefined ? [] : [proposal])].map((notice) => ({
    id: "config",
    status: "note",
    says: notice,
  }));
}

const SHORT_SECRET = 16;

/** The source of the key that signs cursors, in the order in which a server looks for it. The secret is never shown. */
export function checkCursorKey({ secret }: Settings, store: "lasting" | "broken" | "none"): Check {
  const id = "cursor-key";
  if (secret !== undefined) return checkSecret(secret.reveal().length);
  if (store === "lasting") {
    const says = "made once and kept in the store, so that restarts and replicas use the same key";
    return { id, status: "ok", says, details: { source: "store" } };
  }
  const why = store === "broken" ? "the store that should keep it cannot be used, so it is " : "";
  return {
    id,
    status: "note",
    says: `${why}random: cursors stop working when the server's process ends, and replicas refuse each other's`,
    advice:
      "Set WAYBILL_SECRET to random text, as from `openssl rand -hex 32`, or use a store that outlives the process.",
    details: { source: "random" },
  };
}

function checkSecret(length: number): Check {
  const check = { id: "cursor-key", says: "WAYBILL_SECRET is set", details: { source: "WAYBILL_SECRET" } };
  if (length >= SHORT_SECRET) return { ...check, status: "ok" };
  const advice = "It is short enough to be guessed: set random text, as from `openssl rand -hex 32`.";
  return { ...check, status: "note", advice };
}

/** The budget of a result, and what it means for clients with known limits. */
export function checkBudget(settings: Settings, client: string | undefined): readonly Check[] {
  const general = checkGeneral(settings);
  if (client === undefined)
    return [general, ...readers.filter(isLimited).map((reader) => checkClient(reader, settings))];
  const reader = findClient(client);
  return [general, reader === undefined ? unknownClient(client) : checkClient(reader, settings)];
}

/** Only a person decides to start servers. */
export function checkClientConfigs(io: CliIo): Check {
  const configs = findClientConfigs(machineOf(io));
  const names = [...new Set(configs.map(({ client }) => client))];
  const found = names.length === 0 ? "no config of a known client" : `configs of ${names.join(", ")}`;
  return {
    id: "clients",
    status: "ok",
    says: `${found}; \`waybill clients --check\` says what their models would lose, pay twice or get cut`,
    details: { configs: configs.map(({ path }) => path) },
  };
}

function checkGeneral({ budget }: Settings): Check {
  const settled = settleBudget(budget, undefined);
  const details = { tokens: settled.tokens, bytes: settled.bytes };
  const check = { id: "budget", says: describe(settled), details };
  const [floored] = settled.warnings;
  if (floored !== undefined) {
    return { ...check, status: "note", advice: `${floored.message}. Set a larger one.` };
  }
  if (settled.tokens !== "off" || settled.bytes !== "off") return { ...check, status: "ok" };
  const advice = "Set budget.tokens, 8000 by default, or clients cut long results in their own ways.";
  return { ...check, says: "off: nothing is cut", status: "note", advice };
}

function isLimited(reader: Reader): boolean {
  return reader.limits.length > 0 || paysTwice(reader);
}

/** By the name that a client gives itself, or its name or id in our list. */
function findClient(client: string): Reader | undefined {
  const lower = client.trim().toLowerCase();
  return (
    readerNamed(lower) ?? readerChosen(lower) ?? readers.find(({ name }) => name.toLowerCase() === lower)
  );
}

function unknownClient(client: string): Check {
  return {
    id: "client",
    status: "note",
    says: `no limit of ${client} is known: the budget stays as it is`,
    advice: `Known are ${readers.map(({ name }) => name).join(", ")}.`,
  };
}

function checkClient(reader: Reader, { budget, fit }: Settings): Check {
  const lowered = settleBudget(budget, reader);
  const isLower = describe(lowered) !== describe(budget);
  const used = fit.clientLimits ? lowered : settleBudget(budget, undefined);
  const check = {
    id: `client ${reader.name}`,
    says: `${sayReader(reader)}; budget ${describe(used)}`,
    details: {
      client_tokens: limitIn(reader, "tokens") ?? null,
      client_bytes: limitIn(reader, "bytes") ?? null,
      client_characters: limitIn(reader, "characters") ?? null,
      factor: paysTwice(reader) ? 2 : 1,
      tokens: used.tokens,
      bytes: used.bytes,
    },
  };
  if (fit.clientLimits || !isLower) return { ...check, status: "ok" };
  const advice = `fit.client_limits: true would make it ${describe(lowered)} for this client.`;
  return { ...check, status: "note", advice };
}

function describe({ tokens, bytes, characters, lines }: Budget | CallBudget): string {
  const limits = [
    say(tokens, "tokens"),
    say(bytes, "bytes"),
    say(characters ?? "off", "characters"),
    say(lines ?? "off", "lines"),
  ];
  return limits.filter(Boolean).join(" and ") || "off";
}

function say(limit: Limit, unit: string): string {
  return limit === "off" ? "" : `${limit} ${unit}`;
}

/** What `waybill gateway` would do with the same files and environment; your own server may differ. */
export async function checkGateway(
  loaded: LoadedConfig | undefined,
  store: string | undefined,
  io: CliIo,
): Promise<readonly Check[]> {
  if (loaded === undefined) return [];
  try {
    const view = viewGateway(loaded, io);
    refuseAsTheGateway(loaded, io);
    const kept = store === undefined ? await checkOwnStore(view, storeLimitsOf(loaded.settings), io) : [];
    return [describeUse(view), ...kept, ...view.upstreams.map(checkUpstream)];
  } catch (error) {
    const explained = explainStart(error);
    const known = ContractError.isInstance(explained) ? fromContractError(explained) : explained;
    if (!(known instanceof CliError)) throw error;
    const says = [known.message, ...known.lines].join(" ");
    return [{ id: "gateway", status: "problem", says, advice: "Correct the named places." }];
  }
}

/** What is right in the file may still be refused when the gateway starts, such as a token that is too short. */
function refuseAsTheGateway(loaded: LoadedConfig, io: CliIo): void {
  const { upstreams, http, dashboard, merge, endpoints } = readGatewayConfig(loaded, io.env);
  if (Object.keys(upstreams).length > 0)
    checkGatewayOptions({ upstreams, http, dashboard, merge, endpoints });
}

function describeUse({ dialect, profile, budget, hasClientLimits }: GatewayView): Check {
  const tokens = budget.tokens === "off" ? "nothing is cut" : `${budget.tokens} tokens`;
  const limits = hasClientLimits ? "less for clients whose limit is known" : "the same for every client";
  return {
    id: "gateway",
    status: "ok",
    says: `dialect ${dialect}, profile ${profile}, ${tokens}, ${limits}`,
    details: { dialect, profile, tokens: budget.tokens, client_limits: hasClientLimits },
  };
}

const inMemory: Check = {
  id: "gateway-store",
  status: "note",
  says: "in memory: what the gateway cuts is lost when it ends, because no folder of yours can be written",
  advice: "Give --store, or set XDG_STATE_HOME to a folder that can be written.",
};

/** No store is named, so the gateway keeps what it cuts in a folder of the user. A missing folder is not created. */
async function checkOwnStore(
  { ownStore }: GatewayView,
  limits: OpenStoreOptions,
  io: CliIo,
): Promise<readonly Check[]> {
  if (ownStore === undefined) return [];
  if (isMemory(ownStore)) return [inMemory];
  if (!existsSync(ownStore)) {
    const says = `${ownStore}, which the first cut makes`;
    return [{ id: "gateway-store", status: "ok", says, details: { location: ownStore } }];
  }
  const [tried, ...others] = await checkStore(ownStore, io, limits);
  const size = others.find(({ id }) => id === "store-size");
  return [tried, size].flatMap((check) =>
    check === undefined ? [] : [{ ...check, id: `gateway-${check.id}` }],
  );
}

function checkUpstream({ name, reach, problem, tenantKey }: UpstreamView): Check {
  const check = { id: `upstream ${name}`, details: { reach, tenant_key: tenantKey } };
  if (problem === undefined) return { ...check, status: "ok", says: reach };
  return { ...check, status: "problem", says: problem, advice: "Until then its tools answer UNAVAILABLE." };
}
