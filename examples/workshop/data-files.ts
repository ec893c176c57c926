import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KeptData } from "./kept-data.ts";

/** The workshop's data from its folder. */
export class DataFiles extends KeptData {
  constructor(folder: string = fileURLToPath(new URL("./data", import.meta.url))) {
    super({
      read: (path) => readFile(join(folder, path), "utf8"),
      has: (path) => existsSync(join(folder, path)),
    });
  }
}
