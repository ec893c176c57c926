import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { tenantKey } from "../store-rules.ts";

/** A real directory that is gone after the test. */
export function createTempDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "waybill-store-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Where a file store keeps an entry. */
export function entryPath(directory: string, tenant: string, hash: string): string {
  return join(directory, "entries", tenantKey(tenant), hash.slice(0, 2), hash);
}
