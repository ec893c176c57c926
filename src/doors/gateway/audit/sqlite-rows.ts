import { constants, lstatSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../core/json/json-value.ts";

/** What is used of `node:sqlite`, which Node has from 22.5 on. */
interface Sqlite {
  readonly DatabaseSync: new (path: string) => {
    prepare(query: string): {
      all(): readonly JsonObject[];
      iterate?(): Iterable<JsonObject>;
    };
    close(): void;
  };
}

/** The history is in a database, and this Node cannot read one. */
export class SqliteMissing extends Error {
  override readonly name = "SqliteMissing";
}

/** Node 22 prints a warning that its SQLite is experimental, whatever it is used for. */
function loadSqlite(): Sqlite {
  const warn: unknown = Reflect.get(process, "emitWarning");
  process.emitWarning = () => undefined;
  try {
    const sqlite = process.getBuiltinModule("node:sqlite") as Sqlite | undefined;
    if (sqlite === undefined) throw new SqliteMissing("This Node has no node:sqlite");
    return sqlite;
  } finally {
    Reflect.set(process, "emitWarning", warn);
  }
}

/**
 * The rows of a query over a copy of a database, made with the file beside it that has what was written last. SQLite
 * writes beside every database that it opens, and the client's own folder is only read.
 */
export async function* sqliteRows(file: string, query: string): AsyncGenerator<JsonObject> {
  const { DatabaseSync } = loadSqlite();
  const folder = await mkdtemp(join(tmpdir(), "waybill-audit-"));
  try {
    const copy = join(folder, "history.db");
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    if (isPlain(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE);
    const database = new DatabaseSync(copy);
    try {
      const statement = database.prepare(query);
      yield* statement.iterate?.() ?? statement.all();
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isPlain(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
