// Which tenants of a directory are stdio servers of the user who runs this process: an empty file for each,
// made by that user. Tenants of HTTP callers are never noted here, so these notes cannot be used to open
// their entries.

import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

const LOCAL = /^local:([0-9a-f]{32})$/;
const MARKER = /^[0-9a-f]{32}$/;
/** More servers than a user has: a lookup tries each of them. */
const MAX_TENANTS = 200;

function folderOf(directory: string): string {
  return join(directory, "local");
}

/** Notes a tenant. A missing directory is not made for it: then nothing is kept there either. */
export async function noteLocalTenant(directory: string, tenant: string): Promise<boolean> {
  const marker = LOCAL.exec(tenant)?.[1];
  if (marker === undefined) return false;
  const folder = folderOf(directory);
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  // If the tenant cannot be noted, only its own server opens its entries.
  return writeFile(join(folder, marker), "", { mode: 0o600, flag: "a" }).then(
    () => true,
    () => false,
  );
}

/** The tenants that were noted by this user. */
export async function localTenantsIn(directory: string): Promise<readonly string[]> {
  const folder = folderOf(directory);
  const names = await readdir(folder).catch(() => []);
  const user = process.getuid?.();
  const found: string[] = [];
  for (const name of names.filter((each) => MARKER.test(each)).slice(0, MAX_TENANTS)) {
    const owner = await stat(join(folder, name)).then(
      ({ uid }) => uid,
      () => undefined,
    );
    if (owner !== undefined && (user === undefined || owner === user)) found.push(`local:${name}`);
  }
  return found;
}
