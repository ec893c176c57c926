import { resolve } from "node:path";
import {
  type ClientConfig,
  clientOf,
  clientPlaces,
  findClientConfigs,
} from "../../doors/gateway/wrap/client-configs.ts";
import { ConfigFileError } from "../../doors/gateway/wrap/config-file.ts";
import { ConfigTextError } from "../../doors/gateway/wrap/config-text.ts";
import { wrapFolder } from "../../doors/gateway/state-folder.ts";
import { WrapRecords } from "../../doors/gateway/wrap/wrap-record.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { machineOf } from "../machine.ts";
import { printable } from "../output/format-values.ts";

/** The one named file, or the files of all of this user's clients. */
export function chooseConfigs(file: string | undefined, io: CliIo): readonly ClientConfig[] {
  const machine = machineOf(io);
  if (file === undefined) return findClientConfigs(machine);
  const path = resolve(io.cwd, file);
  return [{ client: clientOf(path, machine), path }];
}

/** Where this user's clients would keep their servers. */
export function placesLookedAt(io: CliIo): readonly string[] {
  return clientPlaces(machineOf(io)).map(({ client, path }) => `${client}: ${path}`);
}

/** The records of this user. */
export function openRecords(io: CliIo): WrapRecords {
  const folder = wrapFolder(machineOf(io));
  if (folder !== undefined) return new WrapRecords(folder);
  throw new CliError("There is no folder for what `unwrap` will need: this user has no home.", {
    remediation: "Set XDG_STATE_HOME to a folder that lasts.",
  });
}

const kindCodes = {
  absent: "NOT_FOUND",
  unreadable: "INVALID_FORMAT",
  unwritable: "FORBIDDEN",
  changed: "CONFLICT",
} as const;

/** Why a file could not be used, as a command-line error; other errors are thrown again. */
export function explainConfig(path: string, error: unknown): CliError {
  const name = printable(path);
  if (error instanceof ConfigTextError) {
    return new CliError(`${name}: ${printable(error.message)}`, {
      remediation: "Correct the file, or let its client write it anew; nothing was changed.",
    });
  }
  if (!(error instanceof ConfigFileError)) throw error;
  const isInput = error.kind === "absent" || error.kind === "unreadable";
  return new CliError(`${name}: ${printable(error.message)}`, {
    exitCode: isInput ? exitCodes.usage : exitCodes.violated,
    errorCode: kindCodes[error.kind],
  });
}
