// A program without a test runner that fuzzes a tool which forgets a promise, and prints what was found.

import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { defineTool } from "waybill/server";
import { fuzzTool } from "waybill/testing";
import * as z from "zod";

const save = async (name: string): Promise<void> => {
  if (name.includes("\0")) throw new TypeError("cannot be saved");
};

const forgetful = defineTool(
  "note_save",
  { description: "Saves a note", inputSchema: z.object({ name: z.string() }) },
  ({ name }) => {
    void save(name);
    return { saved: true };
  },
);

const { findings } = await fuzzTool(forgetful, { runs: 100, totalMs: 60_000, timeoutMs: 20_000 });
const left = readdirSync(tmpdir()).filter((name) => name.startsWith("waybill-fuzz-"));
const shown = findings.map(({ kind, message, arguments: args }) => ({ kind, message, args }));
process.stdout.write(JSON.stringify({ shown, left, listeners: process.listenerCount("unhandledRejection") }));
