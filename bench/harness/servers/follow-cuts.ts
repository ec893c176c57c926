// Three long results of a real server behind the built gateway, for each kind of reader: what is sent, and whether the
// call that the notice proposes gives what is missing first, and everything that is missing in the places that it names.

import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../src/core/json/json-value.ts";
import { blocksOf, structureOf, textOf } from "../../../src/core/readers/facts-held.ts";
import { type Following, followsItems, followsLines } from "../../../test/journeys/following.fixture.ts";
import { allOf, headsIn, noticesIn } from "../../../test/journeys/proposed.fixture.ts";
import { cliFile } from "./ask-readers.ts";
import { writeLogLines } from "./log-lines.ts";
import { modulesFolder, sourceFile } from "./real-servers.ts";
import { StdioClient } from "./stdio-client.ts";

/** One of each kind: texts, the structure, both, all as JSON, the structure of tools without a schema, unknown, all. */
const kinds = ["gemini-cli", "codex", "qwen-code", "cline", "mastra", "unknown", "program"] as const;
/** The rest of the log has thousands. */
const MOST_PAGES = 15;
const LOG_BYTES = 30_000_000;

interface LongCall {
  readonly says: string;
  readonly tool: string;
  readonly path: string;
  readonly holds: "lines" | "items";
}

export interface FollowedCut {
  readonly call: string;
  readonly reader: string;
  readonly blocks: string;
  readonly texts: string;
  readonly structure: string;
  readonly notice: string;
  readonly follows: string;
}

const server = join(modulesFolder, "@modelcontextprotocol/server-filesystem/dist/index.js");

export async function followCuts(countTokens: (text: string) => number): Promise<readonly FollowedCut[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-cuts-")));
  const log = join(folder, "service.log");
  const file = openSync(log, "w");
  writeLogLines(LOG_BYTES, (lines) => writeSync(file, lines));
  closeSync(file);
  const calls: readonly LongCall[] = [
    { says: "source, 62 KB", tool: "read_text_file", path: sourceFile, holds: "lines" },
    { says: "tree", tool: "directory_tree", path: join(modulesFolder, "@opentelemetry"), holds: "items" },
    { says: "log, 30 MB", tool: "read_text_file", path: log, holds: "lines" },
  ];
  try {
    const tree = await askDirectly(folder, calls[1]);
    const found = new Map<string, FollowedCut[]>(calls.map(({ says }) => [says, []]));
    for (const reader of kinds) {
      const client = await openGateway(folder, reader);
      for (const call of calls) {
        const whole = call.holds === "items" ? tree : readFileSync(call.path, "utf8");
        found.get(call.says)?.push(await followOne(client, reader, call, whole, countTokens));
      }
      await client.close();
    }
    return [...found.values()].flat();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function askDirectly(folder: string, call: LongCall | undefined): Promise<string> {
  const client = new StdioClient({ args: [server, folder, modulesFolder] });
  await client.open("bench");
  const { message } = await client.call(call?.tool ?? "", { path: call?.path ?? "" });
  await client.close();
  return textOf(blocksOf(message["result"] as JsonObject)?.[0] ?? {});
}

async function openGateway(folder: string, reader: string): Promise<StdioClient> {
  const words = ["gateway", "--store", "memory", "--name", "files", "--reader", reader];
  const client = new StdioClient({
    args: [cliFile, ...words, "--", process.execPath, server, folder, modulesFolder],
  });
  await client.open("bench");
  await client.ask("tools/list");
  return client;
}

async function followOne(
  client: StdioClient,
  reader: string,
  { says, tool, path, holds }: LongCall,
  whole: string,
  countTokens: (text: string) => number,
): Promise<FollowedCut> {
  const { message } = await client.call(tool, { path });
  const sent = message["result"];
  if (!isJsonObject(sent)) return refusedRow(says, reader, message["error"]);
  const blocks = (blocksOf(sent) ?? []).map(textOf);
  const structure = structureOf(sent);
  const json = structure === undefined ? undefined : JSON.stringify(structure);
  const size = (texts: readonly string[]): string => {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const tokens = length > MOST_COUNTED ? "" : `, ${count(countTokens(texts.join("\n")))} tokens`;
    return `${count(length)} characters${tokens}`;
  };
  const row = {
    call: says,
    reader,
    blocks: `${blocks.length}`,
    texts: size(blocks),
    structure: json === undefined ? "none" : size([json]),
  };
  const [notice] = noticesIn(sent);
  const heads = headsIn(sent);
  if (notice === undefined) {
    const isWhole = heads.every((head) => head === whole);
    return {
      ...row,
      notice: "none",
      follows: isWhole ? "nothing is missing" : "NO NOTICE, AND NOT ALL OF IT",
    };
  }
  const ask = async (name: string, args: JsonObject): Promise<JsonObject> =>
    (await client.call(name, args)).message["result"] as JsonObject;
  const given = await allOf(ask, notice, MOST_PAGES);
  const judge = holds === "lines" ? followsLines : followsItems;
  const verdicts = heads.map((head) => judge(whole, head, given, notice.args));
  const places = [notice.line, notice.meta].filter((said) => said !== undefined);
  return { ...row, notice: places.map(countTokens).join(" and "), follows: sayVerdict(verdicts) };
}

/** Nothing is cut for a program, and stdio has a limit of its own. */
function refusedRow(call: string, reader: string, error: JsonValue | undefined): FollowedCut {
  const { message, data } = isJsonObject(error) ? error : {};
  const code = isJsonObject(data) ? data["error_code"] : undefined;
  const follows = `an error, ${JSON.stringify(code ?? message ?? "")}`;
  return { call, reader, blocks: "0", texts: "none", structure: "none", notice: "none", follows };
}

/** Longer texts are not counted: that takes a minute. */
const MOST_COUNTED = 1_000_000;

function sayVerdict(verdicts: readonly Following[]): string {
  const wrong = verdicts.find(({ problem }) => problem !== undefined);
  if (verdicts.length === 0) return "NO BEGINNING WAS FOUND";
  return wrong?.problem ?? verdicts[0]?.says ?? "";
}

function count(amount: number): string {
  return amount.toLocaleString("en-US");
}
