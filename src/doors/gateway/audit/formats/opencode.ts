import { lstatSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type JsonObject, isJsonObject, jsonIn } from "../../../../core/json/json-value.ts";
import type { Machine } from "../../state-folder.ts";
import { clientPlaces } from "../../wrap/client-configs.ts";
import { readJsonConfig } from "../../wrap/read-json-config.ts";
import {
  type Findings,
  type HistoryFormat,
  type HistoryReader,
  type ServerNames,
  folderOf,
  listIn,
  member,
  objectIn,
  textIn,
  textResult,
  timeOf,
} from "./history-format.ts";

/**
 * opencode keeps parts of messages: since 1.2 as rows of an SQLite database, before as one small file each. A part has
 * the text that the model was given, and the file with the whole of what was cut; of a structure it has nothing.
 */
export const opencode: HistoryFormat = {
  id: "opencode",
  client: "opencode",
  clientName: "opencode",
  triedWith: "1.18.33",
  folders: (machine) => [`${folderOf(machine, "XDG_DATA_HOME", ".local", "share")}/opencode`],
  files: [
    {
      path: /^opencode\.db$/,
      holding: {
        query:
          "select id, session_id as sessionID, data, (select directory from session where session.id = part.session_id) as project from part where data like '%\"tool\"%' and length(data) < 67108864",
      },
      open: (findings, _path, servers) => ({ take: (row) => takeRow(row, findings, servers) }),
    },
    {
      path: /^storage\/part\/[^/]+\/[^/]+\.json$/,
      holding: "document",
      open: (findings, _path, servers): HistoryReader => ({
        take: (part) => notePart(part, { ...rowOf(part), servers }, findings),
      }),
    },
  ],
  serverNames: openCodeServers,
};

interface Place {
  readonly id: string | undefined;
  readonly session: string | undefined;
  readonly project: string | undefined;
  readonly servers: ServerNames;
}

const rowOf = (value: JsonObject): Omit<Place, "servers"> => ({
  id: textIn(value, "id"),
  session: textIn(value, "sessionID"),
  project: textIn(value, "project"),
});

function takeRow(row: JsonObject, findings: Findings, servers: ServerNames): void {
  const part = jsonIn(textIn(row, "data") ?? "");
  if (isJsonObject(part)) notePart(part, { ...rowOf(row), servers }, findings);
  else findings.odd();
}

/** opencode's own tools: any other is a server's, or a plugin's. */
const own: ReadonlySet<string> = new Set(
  "apply_patch bash batch codesearch edit glob grep invalid list lsp multiedit patch plan_enter plan_exit question read skill task todoread todowrite webfetch websearch write".split(
    " ",
  ),
);

function notePart(part: JsonObject, { id, session, project, servers }: Place, findings: Findings): void {
  const name = textIn(part, "tool");
  if (textIn(part, "type") !== "tool" || name === undefined || own.has(name)) return;
  const state = objectIn(part, "state");
  const status = textIn(state, "status");
  if (status === "pending" || status === "running") return;
  const isFailure = status === "error";
  const text = textIn(state, isFailure ? "error" : "output");
  if (id === undefined || session === undefined || text === undefined) return findings.odd();
  const metadata = objectIn(state, "metadata");
  const isCut = member(metadata, "truncated") === true;
  const pictures = listIn(state, "attachments").flatMap(pictureOf);
  const whole = textResult([text], isFailure);
  const server = servers(project).find((each) => name.startsWith(`${asPrefix(each)}_`));
  findings.call({
    id,
    session,
    server,
    tool: server === undefined ? name : name.slice(asPrefix(server).length + 1),
    args: objectIn(state, "input") ?? {},
    atMs: timeOf(member(objectIn(state, "time"), "start")),
    result: isCut ? undefined : { ...whole, content: [...listIn(whole, "content"), ...pictures] },
    given: [text],
    isCut,
    wholeIn: isCut ? textIn(metadata, "outputPath") : undefined,
  });
}

/** As opencode writes the name of a server in the name of a tool. */
const asPrefix = (server: string): string => server.replaceAll(/[^a-zA-Z0-9_-]/g, "_");

const DATA = /^data:([^;,]+);base64,/;

function pictureOf(attachment: unknown): readonly JsonObject[] {
  const url = textIn(attachment, "url") ?? "";
  const [head, mimeType] = DATA.exec(url.slice(0, 200)) ?? [];
  if (head === undefined || mimeType === undefined) return [];
  return [{ type: "image", data: url.slice(head.length), mimeType }];
}

const MAX_CONFIG_BYTES = 1024 * 1024;
/** Projects whose configuration is looked at. */
const MAX_PROJECTS = 1_000;

/** The names of opencode's servers: in its history a name and a tool's name are one word. */
function openCodeServers(machine: Machine): ServerNames {
  const ofUser = clientPlaces(machine)
    .filter(({ client }) => client === "opencode")
    .flatMap(({ path }) => namesIn(path));
  const known = new Map<string | undefined, readonly string[]>([[undefined, longestFirst(ofUser)]]);
  return (project) => {
    const names = known.get(project);
    if (names !== undefined) return names;
    if (project === undefined || !isAbsolute(project) || known.size > MAX_PROJECTS)
      return longestFirst(ofUser);
    const files = ["opencode.json", "opencode.jsonc"].map((name) => join(project, name));
    const all = longestFirst([...ofUser, ...files.flatMap(namesIn)]);
    known.set(project, all);
    return all;
  };
}

const longestFirst = (names: readonly string[]): readonly string[] =>
  [...new Set(names)].sort((one, other) => other.length - one.length);

/** A project's folder is named by a history: only an ordinary, short file in it is opened. */
function namesIn(file: string): readonly string[] {
  try {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size > MAX_CONFIG_BYTES) return [];
    return readJsonConfig(readFileSync(file, "utf8")).entries.map(({ name }) => name);
  } catch {
    return [];
  }
}
