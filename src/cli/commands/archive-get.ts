import { decodeUtf8 } from "../../core/json/decode-utf8.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { toBase64 } from "../../engine/retrieve/read-entry.ts";
import type { ArchiveEntry } from "../../engine/archive/archive-store.ts";
import { findEntry } from "../archive/find-entry.ts";
import { type StoreOptions, withStore } from "../archive/named-store.ts";
import { readTenantNames } from "../archive/tenant-names.ts";
import { splitRangeUri } from "../archive/parse-options.ts";
import { type ByteRange, type Selected, readSelection } from "../archive/read-selection.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { formatBytes, printable, printableLines } from "../output/format-values.ts";
import { refuseOwnStore, writeOutput } from "../output/write-output.ts";
import type { Report } from "../report.ts";

export interface ArchiveGetOptions extends StoreOptions {
  readonly tenant?: string | undefined;
  readonly pointer?: string | undefined;
  readonly range?: ByteRange | undefined;
  readonly out?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Returns an archived entry, checked against its hash: to stdout, or to a file. */
export async function archiveGet(given: string, options: ArchiveGetOptions, io: CliIo): Promise<Report> {
  const { reference, range = options.range } = splitRangeUri(given);
  const { pointer, out } = options;
  if (range !== undefined && pointer !== undefined) {
    throw new CliError("--range counts bytes and --pointer names a value: give one of them.");
  }
  const names = await readTenantNames(options.config, io);
  return withStore(options, io, async (store) => {
    const { entry, tenant, remarks } = await findEntry(store, options.tenant, reference, names);
    const selected = await readSelection({ store, tenant }, entry, { range, pointer });
    const about = describe(entry, selected, pointer);
    if (out !== undefined && out !== "-") {
      if (store.kind === "file") await refuseOwnStore("--out", out, store.location, io);
      return { ...(await writeOut(out, selected, about, io)), remarks };
    }
    const decoded = selected.isText ? decodeUtf8(selected.bytes) : undefined;
    const text = decoded?.ok === true ? decoded.text : undefined;
    if (text === undefined && io.isTTY.stdout && options.json !== true) throw refuseTerminal(entry);
    return {
      exitCode: exitCodes.fine,
      remarks,
      data: { ...about, ...(text === undefined ? { base64: toBase64(selected.bytes) } : { text }) },
      text: () => printableLines((text ?? "").replace(/\n$/, "")),
      // A terminal gets safe text; a pipe or a file gets the exact bytes.
      raw: io.isTTY.stdout ? undefined : pointer === undefined ? selected.bytes : withLineEnd(selected.bytes),
    };
  });
}

function describe(entry: ArchiveEntry, { from, to }: Selected, pointer: string | undefined): JsonObject {
  return {
    archive: `sha256:${entry.hash}`,
    verified: true,
    content_type: entry.contentType,
    bytes: entry.bytes,
    ...(from === undefined || to === undefined ? {} : { from, to }),
    ...(pointer === undefined ? {} : { pointer }),
  };
}

async function writeOut(out: string, { bytes }: Selected, about: JsonObject, io: CliIo): Promise<Report> {
  await writeOutput(out, bytes, io);
  return {
    exitCode: exitCodes.fine,
    data: { ...about, out, written_bytes: bytes.length },
    text: () => `wrote ${formatBytes(bytes.length)} to ${printable(out)}; the content matches its sha256`,
  };
}

function refuseTerminal({ contentType }: ArchiveEntry): CliError {
  return new CliError(`The content is ${printable(contentType)}, which would garble a terminal.`, {
    remediation: "Write it to a file with --out <file>, or pipe it on.",
  });
}

function withLineEnd(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, Buffer.from("\n")]);
}
