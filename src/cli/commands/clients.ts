import type { JsonObject } from "../../core/json/json-value.ts";
import { type Reader, type Shown, sayReader } from "../../core/readers/reader.ts";
import { programReader, readers, unknownReader } from "../../core/readers/readers.ts";
import { CliError, type CliIo, exitCodes } from "../cli-io.ts";
import { alignRows } from "../output/format-values.ts";
import type { CommandReport } from "../report.ts";

/** What a model gets, in few words. */
const shownWords: Readonly<Record<Shown, string>> = {
  blocks: "the blocks",
  structure: "the structure",
  either: "one of the two",
  both: "both",
  "structure-for-texts": "the structure, if all blocks are texts",
  "structure-if-untyped": "the structure, if the tool has no schema",
  "both-for-one-text": "both, beside a single text",
  whole: "all, as JSON",
};

export interface ClientsCommandOptions {
  readonly check?: boolean | undefined;
  readonly server?: readonly string[] | undefined;
  readonly timeout?: number | undefined;
}

/** Prints what the model behind each known client gets of a result, or tries it with the servers of this user. */
export async function clients(
  file: string | undefined,
  { check, server, timeout }: ClientsCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  if (check === true) {
    const { checkClients } = await import("../wrap/check-clients.ts");
    return checkClients(file, { server, timeout }, io);
  }
  if (file !== undefined || server !== undefined || timeout !== undefined)
    throw new CliError("A file, --server and --timeout go with --check: the table is about no server.", {
      remediation: "Say `waybill clients --check`.",
    });
  return printTable();
}

function printTable(): CommandReport {
  const rows = [...readers, unknownReader, programReader];
  const table = rows.map((reader) => [
    reader.name,
    reader.id,
    shownWords[reader.success],
    shownWords[reader.failure],
    limitsOf(reader),
    reader.drops.join(", "),
    `${reader.known.by} ${reader.known.on}`,
  ]);
  const head = ["client", "reader", "of a success", "of a failure", "what it does", "drops", "known by"];
  return {
    exitCode: exitCodes.fine,
    data: { clients: rows.map(toJson) },
    text: (paint) => {
      const [title = "", ...lines] = alignRows([head, ...table]);
      return [
        paint.bold(title),
        ...lines,
        "",
        "A result has blocks (texts, pictures, links) and may have a structure. A client is recognised by the name that it",
        "gives itself; `waybill gateway --reader <reader>`, or `reader` in a configuration, says it for a connection.",
      ].join("\n");
    },
  };
}

function limitsOf(reader: Reader): string {
  return reader === programReader ? "gets everything: nothing is cut" : sayReader(reader);
}

function toJson({ match, ...reader }: Reader): JsonObject {
  return { ...reader, match: match?.source ?? null } as unknown as JsonObject;
}
