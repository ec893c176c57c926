import { parsePostgresUrl } from "../../engine/archive/postgres/postgres-address.ts";
import { createPostgresConnection } from "../../engine/archive/postgres/postgres-connection.ts";
import { formatBytes } from "../output/format-values.ts";
import type { Check } from "./check-runtime.ts";

const TIMEOUT_MS = 5_000;

/** What PostgreSQL reports about itself: whether what it acknowledged survives its end, and how large the database is. */
export async function describePostgres(address: string): Promise<Check> {
  const connection = createPostgresConnection(parsePostgresUrl(address), {
    timeoutMs: TIMEOUT_MS,
    connections: 1,
  });
  const id = "store-durability";
  try {
    const [row] = await connection.query(
      "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commits, pg_database_size(current_database()) AS bytes",
    );
    const size = `the database has ${formatBytes(Number(row?.["bytes"]))}`;
    const off = [
      ...(row?.["fsync"] === "off" ? ["fsync"] : []),
      ...(row?.["commits"] === "off" ? ["synchronous_commit"] : []),
    ];
    if (off.length === 0) return { id, status: "ok", says: `entries survive the end of PostgreSQL; ${size}` };
    return {
      id,
      status: "note",
      says: `a crash of PostgreSQL or its machine may lose what it kept last: ${off.join(" and ")} off; ${size}`,
      advice: "Set both on in postgresql.conf if hashes must outlive a crash.",
    };
  } catch {
    return { id, status: "note", says: "PostgreSQL does not tell how it is set up: this user may not ask" };
  } finally {
    await connection.close();
  }
}
