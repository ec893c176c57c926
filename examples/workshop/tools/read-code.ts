import { ToolFault } from "waybill";
import type { KeptData } from "../kept-data.ts";

const FOLDER = "code";

/** A path as it is without `.` and `..`; undefined where it leads out of the folder. */
function pathInFolder(path: string): string | undefined {
  const parts = [FOLDER];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts[0] === FOLDER ? parts.join("/") : undefined;
}

/** A source file of the workshop. Its text never gets into an error, and no other path than the caller's does. */
export async function readCode({ files }: KeptData, path: string): Promise<string> {
  const file = pathInFolder(path);
  if (file === undefined) {
    throw new ToolFault(`Path is outside the workspace: ${path}`, { errorCode: "INVALID_PATH" });
  }
  try {
    return await files.read(file);
  } catch (cause) {
    throw new ToolFault(`File not found: ${path}`, { errorCode: "NOT_FOUND", cause });
  }
}
