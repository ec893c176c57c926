import { planUnwrap, selectServers } from "../../doors/gateway/wrap/plan-change.ts";
import type { CliIo } from "../cli-io.ts";
import type { Report } from "../report.ts";
import { type ChangeOptions, changeConfigs, checkChoice } from "../wrap/change-configs.ts";
import { chooseConfigs, openRecords } from "../wrap/choose-configs.ts";

/** Removes the gateway from entries that `wrap` changed, and changes nothing else. */
export async function unwrap(file: string | undefined, options: ChangeOptions, io: CliIo): Promise<Report> {
  checkChoice(file, options);
  const selection = selectServers(options.server);
  const records = openRecords(io);
  const plan = (path: string) => planUnwrap(path, { selection, records });
  return changeConfigs(
    chooseConfigs(file, io),
    plan,
    "unwrap",
    { ...options, isNamed: file !== undefined },
    io,
  );
}
