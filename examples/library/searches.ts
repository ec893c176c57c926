// Tools that are data: each search of `searches.json` is one. `serve` asks for them again on SIGHUP.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type AnyTool, defineTool } from "waybill/server";
import * as z from "zod";
import { books } from "./books.ts";

const searches = z.array(z.object({ name: z.string(), description: z.string(), since: z.number() }));

const file = process.env["LIBRARY_SEARCHES"] ?? fileURLToPath(new URL("searches.json", import.meta.url));

export async function readSearches(): Promise<readonly AnyTool[]> {
  const read = searches.parse(JSON.parse(await readFile(file, "utf8")));
  return read.map(({ name, description, since }) =>
    defineTool(name, { description, annotations: { readOnlyHint: true } }, () => ({
      books: books.filter(({ year }) => year >= since).map(({ id, title, year }) => ({ id, title, year })),
    })),
  );
}
