import { defaultSettings } from "../../config/default-settings.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { LoadedConfig } from "../../config/resolve-config.ts";
import type { Settings } from "../../config/settings.ts";
import { ContractError } from "../../contract/contract-error.ts";
import type { CliIo } from "../cli-io.ts";
import { fromContractError } from "../report-contract-error.ts";
import type { Check } from "./check.ts";

/** The configuration; a broken one leaves the defaults to the checks that follow. */
export async function checkConfig(
  configPath: string | undefined,
  io: CliIo,
): Promise<{ readonly checks: readonly Check[]; readonly settings: Settings }> {
  try {
    const loaded = await loadConfig({ configPath, cwd: io.cwd, home: io.env["HOME"], environment: io.env });
    return { checks: [describeFiles(loaded), ...describeNotices(loaded)], settings: loaded.settings };
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
      ? "no configuration file: the defaults and the environment hold"
      : `valid: ${used.join(", ")}`;
  return { id: "config", status: "ok", says, details: { files: used } };
}

function describeNotices({ notices }: LoadedConfig): Check[] {
  return notices.map((notice) => ({ id: "config", status: "note", says: notice }));
}
