import { readFile } from "node:fs/promises";
import { join, normalize, sep } from "node:path";
import { ToolFault } from "waybill";
import type { DataFiles } from "../data-files.ts";

/** A source file of the workshop. Its text never gets into an error, and no other path than the caller's does. */
export async function readCode(data: DataFiles, path: string): Promise<string> {
  const folder = join(data.folder, "code") + sep;
  const file = normalize(join(folder, path));
  if (!file.startsWith(folder)) {
    throw new ToolFault(`Path is outside the workspace: ${path}`, { errorCode: "INVALID_PATH" });
  }
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new ToolFault(`File not found: ${path}`, { errorCode: "NOT_FOUND", cause });
  }
}
