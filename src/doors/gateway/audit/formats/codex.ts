import { type JsonObject, isJsonObject, jsonIn } from "../../../../core/json/json-value.ts";
import {
  type Findings,
  type HistoryFormat,
  type HistoryReader,
  type RecordedCall,
  folderOf,
  listIn,
  member,
  objectIn,
  textIn,
  textResult,
  timeOf,
} from "./history-format.ts";

/**
 * Rollouts of Codex: one JSON value a line. An `item_completed` holds the whole result of the server, the
 * `function_call_output` behind it what the model was given. A script has one output for all the calls that it made.
 */
export const codex: HistoryFormat = {
  id: "codex",
  client: "Codex",
  clientName: "codex-mcp-client",
  triedWith: "0.166.0",
  folders: (machine) =>
    ["sessions", "archived_sessions"].map((name) => folderOf(machine, "CODEX_HOME", ".codex") + `/${name}`),
  files: [
    {
      path: /(?:^|\/)rollout-[^/]*\.jsonl$/,
      holding: "lines",
      open: (findings, path) => new Rollout(findings, path),
    },
  ],
};

/** More calls than any turn has open at once: an older one is told without what its model was given. */
const MAX_WAITING = 64;

/** The mark of a cut in the middle; the rollout of a model that Codex does not know counts characters. */
const CUT = /…\d+ (?:tokens|chars) truncated…/;
/** The line that Codex writes above a result. */
const FRAME = /^Wall time: [\d.]+ seconds\nOutput:\n?/;
const PREFIX = "mcp__";

type Asked = Pick<RecordedCall, "server" | "tool" | "args">;

class Rollout implements HistoryReader {
  readonly #findings: Findings;
  readonly #path: string;
  /** What models asked for, and calls that ended: by the id of the call. */
  readonly #asked = new Map<string, Asked>();
  readonly #waiting = new Map<string, RecordedCall>();
  #session: string;
  #turn = "";
  #model: string | undefined;

  constructor(findings: Findings, path: string) {
    this.#findings = findings;
    this.#path = path;
    this.#session = path;
  }

  take(line: JsonObject): void {
    const payload = objectIn(line, "payload");
    const kind = `${textIn(line, "type")}/${textIn(payload, "type") ?? ""}`;
    if (payload === undefined) return;
    if (kind === "session_meta/") this.#session = textIn(payload, "id") ?? this.#path;
    else if (kind === "turn_context/") {
      this.#model = textIn(payload, "model");
      this.#turn = textIn(payload, "turn_id") ?? "";
    } else if (kind === "response_item/function_call") this.#ask(payload);
    else if (kind === "event_msg/item_completed") this.#note(line, payload, objectIn(payload, "item"));
    else if (kind === "response_item/function_call_output") this.#answer(line, payload);
  }

  end(): void {
    for (const id of this.#waiting.keys()) this.#tell(id);
  }

  #ask(payload: JsonObject): void {
    const id = textIn(payload, "call_id");
    const asked = askedIn(payload);
    if (asked === undefined) return;
    if (id === undefined) return this.#findings.odd();
    const [oldest] = this.#asked.size < MAX_WAITING ? [] : this.#asked.keys();
    if (oldest !== undefined) this.#asked.delete(oldest);
    this.#asked.set(id, asked);
  }

  #note(line: JsonObject, payload: JsonObject, item: JsonObject | undefined): void {
    if (textIn(item, "type") !== "McpToolCall") return;
    const id = textIn(item, "id");
    const [server, tool] = [textIn(item, "server"), textIn(item, "tool")];
    const result = resultOf(item);
    if (id === undefined || server === undefined || tool === undefined || result === undefined)
      return this.#findings.odd();
    this.#asked.delete(id);
    const [oldest] = this.#waiting.size < MAX_WAITING ? [] : this.#waiting.keys();
    if (oldest !== undefined) this.#tell(oldest);
    this.#tell(id);
    const turn = textIn(payload, "turn_id") ?? this.#turn;
    const args = objectIn(item, "arguments") ?? {};
    this.#waiting.set(id, this.#callOf(line, { server, tool, args }, `${turn} ${id}`, result));
  }

  #callOf(line: JsonObject, asked: Asked, id: string, result: JsonObject): RecordedCall {
    return {
      ...asked,
      id: `${this.#session} ${id}`,
      session: this.#session,
      atMs: timeOf(member(line, "timestamp")),
      model: this.#model,
      result,
      given: undefined,
      isCut: false,
    };
  }

  #tell(id: string): void {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (call !== undefined) this.#findings.call(call);
  }

  /** The output may be whole here, without the mark, and have been cut later: then the client's row says so. */
  #answer(line: JsonObject, payload: JsonObject): void {
    const id = textIn(payload, "call_id") ?? "";
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    const texts = textsOf(payload);
    const isCut = texts.some((text) => CUT.test(text));
    const known =
      this.#waiting.get(id) ?? (asked && this.#callOf(line, asked, `${this.#turn} ${id}`, resultIn(texts)));
    this.#waiting.delete(id);
    if (known === undefined) return;
    const isWhole = asked === undefined || !isCut;
    this.#findings.call({
      ...known,
      isCut,
      given: isCut ? texts : undefined,
      result: isWhole ? known.result : undefined,
    });
  }
}

/** Until version 0.100 the name contains the server; since then a namespace does. */
function askedIn(payload: JsonObject): Asked | undefined {
  const name = textIn(payload, "name") ?? "";
  const namespace = textIn(payload, "namespace");
  const whole = namespace?.startsWith(PREFIX) === true ? `${namespace.replace(/__$/, "")}__${name}` : name;
  const end = whole.indexOf("__", PREFIX.length + 1);
  if (!whole.startsWith(PREFIX) || end === -1) return undefined;
  const args = jsonIn(textIn(payload, "arguments") ?? "");
  return {
    server: whole.slice(PREFIX.length, end),
    tool: whole.slice(end + 2),
    args: isJsonObject(args) ? args : {},
  };
}

/** The result of the server, or Codex's words about a call that had none. */
function resultOf(item: JsonObject | undefined): JsonObject | undefined {
  const message = textIn(objectIn(item, "error"), "message");
  return objectIn(item, "result") ?? (message === undefined ? undefined : textResult([message], true));
}

/** Bytes of pictures are no texts. */
function textsOf(payload: JsonObject): readonly string[] {
  const output = member(payload, "output");
  const texts =
    typeof output === "string"
      ? [output]
      : listIn(payload, "output").flatMap((part) => textIn(part, "text") ?? []);
  const [first = "", ...rest] = texts;
  const bare = first.replace(FRAME, "");
  return bare === "" ? rest : [bare, ...rest];
}

/** Rollouts before version 0.150 have only what is shown: the JSON of the blocks, or of the structure. */
function resultIn(texts: readonly string[]): JsonObject {
  const [text = ""] = texts;
  const said = texts.length === 1 ? jsonIn(text) : undefined;
  if (isJsonObject(said)) return { content: [], structuredContent: said };
  const areBlocks = Array.isArray(said) && said.every((block) => textIn(block, "type") !== undefined);
  return areBlocks ? { content: said } : textResult(texts);
}
