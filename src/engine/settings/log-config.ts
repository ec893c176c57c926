import type { Log } from "../observe/log-event.ts";
import type { ConfigSource } from "./contract-options.ts";
import type { LoadedConfig } from "./resolve-config.ts";
import type { ConfigWatch } from "./watch-config.ts";

/** Logs the notices of the configuration, one line each. */
export function logNotices(notices: readonly string[], log: Log): void {
  for (const notice of notices) log.warn("config-notice", { notice });
}

/** A part of a configuration, such as what it says of one upstream: all parts share what was said of the whole. */
export interface ConfigPart extends ConfigWatch {
  readonly said: Set<string>;
}

function isPart(config: ConfigSource): config is ConfigPart {
  return "said" in config;
}

function isWatch(config: ConfigSource): config is ConfigWatch {
  return "onChange" in config && "onProblem" in config;
}

type Said = Partial<Pick<LoadedConfig, "notices" | "proposal">>;

/** Logs the result of an edit: it applies, or it is broken and the last good settings stay. */
export function logConfig(
  config: ConfigSource,
  log: Log,
  { proposes, onReload }: { readonly proposes: boolean; readonly onReload: () => void },
): void {
  const read = "current" in config ? config.current : config;
  const said = isPart(config) ? config.said : new Set<string>();
  const sayNew = ({ notices = [], proposal }: Said): void => {
    const all = proposes && proposal !== undefined ? [...notices, proposal] : notices;
    const fresh = all.filter((notice) => !said.has(notice));
    for (const notice of fresh) said.add(notice);
    logNotices(fresh, log);
  };
  sayNew(read as Said);
  if (!isWatch(config)) return;
  config.onProblem((problem) => {
    log.error("config-problem", {
      problem: problem.message,
      hint: "The last good configuration stays in use until the file is corrected.",
    });
  });
  config.onChange((loaded) => {
    const files = loaded.files.filter(({ status }) => status === "used").map(({ path }) => path);
    log.info("config-reloaded", { files });
    sayNew(loaded);
    onReload();
  });
}
