import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";

/** `${NAME}` in a header is an environment variable, so that no secret appears in a process list. */
export function fillHeaders(
  headers: Readonly<Record<string, string>>,
  env: CliIo["env"],
): Readonly<Record<string, string>> {
  const fill = (value: string): string =>
    value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
      const found = env[name];
      if (found !== undefined && found !== "") return found;
      throw new CliError(`A --header needs the variable ${name}, which is not set.`, {
        errorCode: "MISSING_REQUIRED",
        remediation: `Set ${name} where waybill is started.`,
      });
    });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}
