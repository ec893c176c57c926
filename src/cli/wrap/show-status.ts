import { existsSync, realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { type ClientConfig, clientOf, readConfigFile } from "../../doors/gateway/wrap/client-configs.ts";
import { type ServerEntry, labelOf } from "../../doors/gateway/wrap/config-text.ts";
import { textList } from "../../doors/gateway/wrap/gateway-command.ts";
import { judgeEntry } from "../../doors/gateway/wrap/wrap-entry.ts";
import { readConfigText } from "../../doors/gateway/wrap/rewrite-config.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { serversBehind, serversFileOf } from "../../doors/gateway/wrap/merged-servers.ts";
import { WrapRecords } from "../../doors/gateway/wrap/plan-change.ts";
import { wrapFolder } from "../../doors/gateway/state-folder.ts";
import { type CliError, type CliIo, exitCodes, machineOf } from "../cli-io.ts";
import { alignRows, countOf, printable } from "../output/format-values.ts";
import type { CommandReport } from "../report.ts";
import { chooseConfigs, explainConfig, placesLookedAt } from "./change-configs.ts";
import { sayNoConfigs } from "./each-server.ts";
import { sayMerged } from "./say-counts.ts";

interface ServerStatus {
  readonly entry: ServerEntry;
  readonly state: "wrapped" | "broken" | "not wrapped" | "cannot be wrapped";
  readonly says: string;
  /** What a merged entry stands for. */
  readonly merged?: MergedStatus | undefined;
}

interface MergedStatus {
  readonly servers: readonly string[];
  /** The file as it was before its servers were merged, and its record; undefined if they are not there. */
  readonly backup?: string | undefined;
  readonly record?: string | undefined;
}

interface FileStatus {
  readonly config: ClientConfig;
  readonly servers: readonly ServerStatus[];
  readonly problem?: CliError | undefined;
}

/** Shows for each server whether it is wrapped, and whether the wrapped command still exists. */
export async function wrapStatus(file: string | undefined, io: CliIo): Promise<CommandReport> {
  const files: FileStatus[] = [];
  for (const config of file === undefined ? await everyConfig(io) : chooseConfigs(file, io)) {
    try {
      files.push({
        config,
        servers: await readStatus(config.path, wrapFolder(machineOf(io))),
      });
    } catch (error) {
      const problem = explainConfig(config.path, error);
      if (file !== undefined) throw problem;
      files.push({ config, servers: [], problem });
    }
  }
  const all = files.flatMap(({ servers }) => servers);
  const broken = all.filter(({ state }) => state === "broken").length;
  const isFailed = broken > 0 || files.some(({ problem }) => problem !== undefined);
  return {
    exitCode: isFailed ? exitCodes.violated : exitCodes.fine,
    data: { files: files.map(toJson) },
    failure: isFailed ? { message: failureOf(broken), errorCode: "OPERATION_FAILED" } : undefined,
    text: (paint) => {
      if (files.length === 0) return sayNoConfigs(placesLookedAt(io));
      const lines = files.flatMap(({ config, servers, problem }) => [
        paint.bold(`${config.client}  ${printable(config.path)}`),
        ...(problem === undefined ? [] : [`  ${paint.red(printable(problem.message))}`]),
        ...alignRows(servers.map((one) => ["", labelOf(one.entry), one.state, sayAll(one)])),
      ]);
      return [...lines, paint.bold(sayTotal(all))].join("\n");
    },
  };
}

function sayAll({ says, merged }: ServerStatus): string {
  if (merged === undefined) return says;
  const { servers, backup } = merged;
  const kept = backup === undefined ? [] : [`the file as it was: ${backup}`];
  return printable([...(says === "" ? [] : [says]), `in place of ${servers.join(", ")}`, ...kept].join("; "));
}

/** A merged entry counts as the servers behind it. */
function sayTotal(all: readonly ServerStatus[]): string {
  const serversIn = (some: readonly ServerStatus[]): number =>
    some.reduce((sum, { merged }) => sum + (merged?.servers.length ?? 1), 0);
  const merged = all.filter((one) => one.merged !== undefined);
  const wrapped = serversIn(all.filter(({ state }) => state === "wrapped"));
  const how = merged.length === 0 ? "" : ` (${sayMerged(merged.length, serversIn(merged))})`;
  return `${countOf(serversIn(all), "server")}, ${wrapped} wrapped${how}`;
}

/** The files of this user's clients, and every other file that `wrap` has written and that is still there. */
async function everyConfig(io: CliIo): Promise<readonly ClientConfig[]> {
  const known = chooseConfigs(undefined, io);
  const folder = wrapFolder(machineOf(io));
  if (folder === undefined) return known;
  const real = new Set(known.map(({ path }) => realpathSync(path)));
  const others = (await new WrapRecords(folder).files()).filter(
    (path) => !real.has(path) && existsSync(path),
  );
  return [...known, ...others.map((path) => ({ client: clientOf(path, machineOf(io)), path }))];
}

function failureOf(broken: number): string {
  return broken > 0 ? `${countOf(broken, "wrapped server")} cannot start` : "A config file cannot be read";
}

async function readStatus(path: string, folder: string | undefined): Promise<ServerStatus[]> {
  const { text, realPath } = await readConfigFile(path);
  const { entries } = await readConfigText(text, realPath);
  const records = folder === undefined ? undefined : new WrapRecords(folder);
  return Promise.all(
    entries.map(async (entry): Promise<ServerStatus> => {
      const status = statusOf(entry);
      const servers = await serversBehind(entry);
      if (servers === undefined) return status;
      const [backup, record] = [records?.backupOf(realPath), records?.recordOf(realPath)].map((place) =>
        place !== undefined && existsSync(place) ? place : undefined,
      );
      return { ...status, merged: { servers, backup, record } };
    }),
  );
}

function statusOf(entry: ServerEntry): ServerStatus {
  const judged = judgeEntry(entry, false);
  if (judged.kind === "left") return { entry, state: "cannot be wrapped", says: judged.reason };
  if (judged.kind !== "wrapped") return { entry, state: "not wrapped", says: "" };
  const missing = missingFile(entry);
  if (missing === undefined) return { entry, state: "wrapped", says: "" };
  return {
    entry,
    state: "broken",
    says: `${missing} is not there any more: unwrap it, then wrap it again`,
  };
}

/** The missing file of the gateway's command, for example after an update of Node. */
function missingFile(entry: ServerEntry): string | undefined {
  const { launch, programKey } = entry;
  const program = launch.get(programKey)?.value;
  const [main] = textList(launch.get("args")?.value) ?? [];
  return [program, main, serversFileOf(entry)].find(
    (path): path is string => typeof path === "string" && isAbsolute(path) && !existsSync(path),
  );
}

function toJson({ config, servers, problem }: FileStatus): JsonObject {
  return {
    client: config.client,
    path: config.path,
    ...(problem === undefined ? {} : { problem: problem.message }),
    servers: servers.map(({ entry, state, says, merged }) => ({
      name: entry.name,
      ...(entry.project === undefined ? {} : { project: entry.project }),
      state,
      ...(says === "" ? {} : { reason: says }),
      ...(merged === undefined
        ? {}
        : {
            in_place_of: merged.servers,
            backup: merged.backup ?? null,
            record: merged.record ?? null,
          }),
    })),
  };
}
