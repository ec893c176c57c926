import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export interface TempFolder {
  readonly cwd: string;
  readonly home: string;
  readonly path: (relative: string) => string;
  readonly write: (relative: string, content: unknown) => string;
}

/** A real folder with a repository `repo/` to work in and a `home/`; it is gone after the test. */
export function createTempFolder(): TempFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "waybill-config-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = (relative: string): string => join(root, relative);
  const write = (relative: string, content: unknown): string => {
    mkdirSync(dirname(path(relative)), { recursive: true });
    writeFileSync(path(relative), typeof content === "string" ? content : JSON.stringify(content, null, 2));
    return path(relative);
  };
  mkdirSync(path("repo/.git"), { recursive: true });
  mkdirSync(path("home"));
  return { cwd: path("repo"), home: path("home"), path, write };
}
