// Real servers behind the built gateway on stdio, once for each reader: which results leave as the very bytes that the
// server sent in this call, and what becomes of the others.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type JsonObject, isJsonObject, jsonIn } from "../../../src/core/json/json-value.ts";
import type { Reader } from "../../../src/core/readers/reader.ts";
import { type Before, WARNED, changesIn, judgeBefore } from "./judge-result.ts";
import type { RealServer } from "./real-servers.ts";
import { StdioClient } from "./stdio-client.ts";

export const cliFile = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const tap = fileURLToPath(new URL("tap.mjs", import.meta.url));

/** How a gateway learns who reads: by the setting, or by a name that it does not know. */
export interface AskedFor {
  readonly id: string;
  readonly reader: Reader;
  readonly words: readonly string[];
}

export interface Asked {
  readonly server: string;
  readonly tool: string;
  readonly reader: string;
  readonly before: Before;
  readonly isSame: boolean;
  readonly changes: readonly string[];
  /** The lines, where the promise is broken. */
  readonly lines?: readonly [given: string, sent: string];
}

const resultOf = ({ result }: JsonObject): JsonObject =>
  isJsonObject(result) ? result : { content: [], isError: true };

/** The last answer in what the server said. */
function answerIn(log: string, id: unknown): string {
  const lines = readFileSync(log, "utf8").split("\n");
  return (
    lines.findLast((line) => {
      const message = jsonIn(line);
      return isJsonObject(message) && message["id"] === id && message["method"] === undefined;
    }) ?? ""
  );
}

type Fits = (tool: string, result: JsonObject) => boolean | undefined;

/** Whether a structure keeps to its tool's schema, by the server's own list. */
function schemasOf(list: JsonObject): Fits {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const { tools } = resultOf(list);
  const all = Array.isArray(tools) ? tools.filter(isJsonObject) : [];
  const schemas = new Map(
    all.flatMap(({ name, outputSchema }) => {
      if (!isJsonObject(outputSchema)) return [];
      const { $schema: _draft, ...schema } = outputSchema;
      return [[name, ajv.compile(schema)] as const];
    }),
  );
  return (tool, { structuredContent }) => {
    const validate = schemas.get(tool);
    return validate === undefined
      ? undefined
      : structuredContent !== undefined && validate(structuredContent);
  };
}

export async function askReader(
  server: RealServer,
  { id, reader, words }: AskedFor,
  countTokens: (text: string) => number,
): Promise<readonly Asked[]> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-tap-"));
  const log = join(folder, "said.jsonl");
  const tapped = [tap, log, process.execPath, ...server.args];
  const args = [cliFile, "gateway", "--store", "memory", ...words, "--", process.execPath, ...tapped];
  const client = new StdioClient({ args, env: server.env ?? {}, cwd: server.cwd });
  try {
    await client.open("a-client-without-a-row");
    const listed = await client.ask("tools/list");
    const fitsOf = schemasOf(jsonIn(answerIn(log, listed.message["id"])) as JsonObject);
    const asked: Asked[] = [];
    for (const [tool, given] of server.calls) {
      const heard = await client.call(tool, given);
      const line = answerIn(log, heard.message["id"]);
      if (line === "") throw new Error(`${server.name} ${tool}: no answer (${heard.line.slice(0, 200)})`);
      const own = resultOf(jsonIn(line) as JsonObject);
      const sent = resultOf(heard.message);
      const isSame = heard.line === line;
      // A failure that is not marked is one all the same.
      const isFailure = own["isError"] === true || sent["isError"] === true;
      const judged = { reader, countTokens, fits: fitsOf(tool, own) };
      const changes = isSame ? [] : changesIn(own, sent);
      const judgedBefore = isFailure ? "failure" : judgeBefore(own, judged);
      const before = changes.includes(WARNED) ? "a warning" : judgedBefore;
      const isBroken = before === "everything" && !isSame;
      asked.push({
        server: server.name,
        tool,
        reader: id,
        before,
        isSame,
        changes,
        ...(isBroken ? { lines: [line, heard.line] } : {}),
      });
    }
    return asked;
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
