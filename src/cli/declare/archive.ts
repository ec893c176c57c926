import type { Command } from "commander";
import type { ArchiveAskOptions, ArchiveGetOptions, ArchiveSearchOptions } from "../commands/archive-read.ts";
import type { ArchiveLsOptions, ArchiveSweepOptions } from "../commands/archive-list.ts";
import type { StoreOptions } from "../archive/named-store.ts";
import { addMatch, parseByteRange, parseTenant, parseUpTo, parseWhole } from "./option-values.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";

export const archiveExamples: readonly Example[] = [
  {
    args: "archive ls --store ./archive",
    output: "Nothing is kept there: nothing was cut yet, or all of it has expired.",
  },
];

const MAX_DAYS = 36_525;

const whose =
  "A result is kept for a tenant: local:<server name> for a server on stdio (default: local:waybill), the hash of " +
  "its command behind the gateway, sub:<subject> or token:<hash> for a caller over HTTP, or what the server's own " +
  "tenant() returns.";

const which = "a handle, a hash, a key of content_archive_hashes, or a waybill:// URI";

export function declareArchive(program: Command, context: DeclareContext): void {
  const archive = program
    .command("archive")
    .helpCommand(false)
    .summary("read and clean up the archive of cut results")
    .description(`Lists, reads, searches, asks and cleans up the archive of a server.\n\n${whose}`);
  declareLs(archive, context);
  declareTenants(archive, context);
  declareGet(archive, context);
  declareSearch(archive, context);
  declareAsk(archive, context);
  declareSweep(archive, context);
  addManual(archive, [0, 1, 2, 3], archiveExamples);
}

/** The options that select a store. */
function addStore(command: Command): Command {
  return command
    .option(
      "--store <store>",
      "a directory, redis://… or postgres://… (default: the configured store, else the gateway's folder)",
    )
    .option("--config <file>", "the configuration that names the store")
    .option(
      "--ttl-days <days>",
      "how many days entries live (default: store.ttl of the configuration, else what each was kept for)",
      parseUpTo(MAX_DAYS, "days"),
    );
}

function addTenant(command: Command): Command {
  return command.option(
    "--tenant <name>",
    "the tenant it was kept for: its name, or the digits that ls shows (default: any that has it)",
    parseTenant,
  );
}

function declareLs(archive: Command, { io, give }: DeclareContext): void {
  const command = archive
    .command("ls")
    .summary("list the entries")
    .description(
      "Lists what is kept, the newest first. A store has only a hash of a tenant's name: the name is shown if it " +
        "is local:waybill, the one you give, or a server of the configuration, else the beginning of the hash.",
    );
  addStore(command)
    .option(
      "--tenant <name>",
      "only what was kept for this tenant: its name, or the digits shown",
      parseTenant,
    )
    .option("--limit <n>", "show at most this many", parseWhole, 50)
    .action(async (options: ArchiveLsOptions) => {
      const { archiveLs } = await import("../commands/archive-list.ts");
      give(await archiveLs(options, io));
    });
  addManual(command, [0, 1, 2, 3], []);
}

function declareTenants(archive: Command, { io, give }: DeclareContext): void {
  const command = archive
    .command("tenants")
    .summary("list for whom something is kept")
    .description("Lists the tenants of a store: how much is kept for each, and how new the newest of it is.");
  addStore(command).action(async (options: StoreOptions) => {
    const { archiveTenants } = await import("../commands/archive-list.ts");
    give(await archiveTenants(options, io));
  });
  addManual(command, [0, 1, 2, 3], []);
}

function declareGet(archive: Command, { io, give }: DeclareContext): void {
  const command = archive
    .command("get")
    .summary("write out an entry, after checking its hash")
    .description(
      "Writes content to stdout or a file, byte for byte, after checking it against its sha256. " +
        `If the entry is not found or damaged, the exit code is 1.\n\n${whose}`,
    )
    .argument("<archive>", which);
  addTenant(addStore(command))
    .option(
      "--pointer <pointer>",
      "only the JSON at /findings/17, or items, one on each line: /findings/3..9, /findings/*",
    )
    .option(
      "--range <bytes>",
      "only bytes from S up to, not including, E: S-E; S- for the rest",
      parseByteRange,
    )
    .option("--out <file>", "write to this file")
    .action(async (reference: string, options: ArchiveGetOptions, own: Command) => {
      const { archiveGet } = await import("../commands/archive-read.ts");
      const { json } = own.optsWithGlobals<{ json?: boolean }>();
      give(await archiveGet(reference, { ...options, json }, io));
    });
  addManual(command, [0, 1, 2, 3], []);
}

function declareSearch(archive: Command, { io, give }: DeclareContext): void {
  const command = archive
    .command("search")
    .summary("find items of one entry")
    .description(
      "Finds items of one entry. An item must match every --match; the best matches for the words come first. " +
        `Prints one item on each line; --json has them whole.\n\n${whose}`,
    )
    .argument("<archive>", which)
    .argument("[query...]", 'words; "a phrase" in double quotes must be there');
  addTenant(addStore(command))
    .option(
      "--match <path=value>",
      "an exact value at a path, such as id=42 or user.login=ada; may be repeated",
      addMatch,
    )
    .option("--limit <n>", "show at most this many", parseWhole, 20)
    .action(async (reference: string, words: string[], options: ArchiveSearchOptions) => {
      const { archiveSearch } = await import("../commands/archive-read.ts");
      give(await archiveSearch(reference, words, options, io));
    });
  addManual(command, [0, 1, 2, 3], []);
}

function declareAsk(archive: Command, { io, give }: DeclareContext): void {
  const command = archive
    .command("ask")
    .summary("compute an answer from an entry")
    .description(
      "Puts a question to the whole of an entry, after checking it against its sha256: a JMESPath expression, such as " +
        '"count_by(tasks, &status)" or "tasks[?status==\'failed\'].id". Prints the answer as JSON. If the question ' +
        `is wrong, the exit code is 2, and stderr says where and what there is.\n\n${whose}`,
    )
    .argument("<archive>", which)
    .argument("<expression>", "the question; put it into quotes, for the shell");
  addTenant(addStore(command))
    .option("--timeout <seconds>", "stop computing after this long (default: 60)", parseWhole)
    .action(async (reference: string, expression: string, options: ArchiveAskOptions) => {
      const { archiveAsk } = await import("../commands/archive-read.ts");
      give(await archiveAsk(reference, expression, options, io));
    });
  addManual(command, [0, 1, 2, 3], []);
}

function declareSweep(archive: Command, { io, give }: DeclareContext): void {
  const command = archive
    .command("sweep")
    .summary("remove expired entries now")
    .description(
      "Removes expired entries, and the least recently used ones that are over the quota. A server does " +
        "this by itself. The limits are those of the configuration and the environment (store.ttl, store.max_bytes). " +
        "Without them an entry lives as long as its server was told, else 7 days, and all together may take 1 GiB.",
    );
  addStore(command)
    .option("--max-bytes <n>", "how much all entries may take together", parseWhole)
    .action(async (options: ArchiveSweepOptions) => {
      const { archiveSweep } = await import("../commands/archive-list.ts");
      give(await archiveSweep(options, io));
    });
  addManual(command, [0, 1, 2, 3], []);
}
