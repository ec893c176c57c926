import type { JsonObject, JsonValue } from "../../../../core/json/json-value.ts";
import {
  type Findings,
  type HistoryFormat,
  type HistoryReader,
  folderOf,
  listIn,
  member,
  objectIn,
  textIn,
  timeOf,
} from "./history-format.ts";

/**
 * Transcripts of Claude Code: one JSON value a line, after public descriptions: its models cannot be played by a stub,
 * so it was not run. A `tool_use` names server and tool, the `tool_result` behind it has what the model was given.
 */
export const claudeCode: HistoryFormat = {
  id: "claude-code",
  client: "Claude Code",
  clientName: "claude-code",
  triedWith: undefined,
  folders: (machine) => [`${folderOf(machine, "CLAUDE_CONFIG_DIR", ".claude")}/projects`],
  files: [{ path: /\.jsonl$/, holding: "lines", open: (findings, path) => new Transcript(findings, path) }],
};

/** `mcp__<server>__<tool>` */
const NAME = /^mcp__(.+?)__(.+)$/s;
/** What replaces a result that is too long. */
const CUT = /^<persisted-output>|exceeds maximum allowed tokens|\[OUTPUT TRUNCATED/;
const SAVED = /saved to:? (\/[^\n]+?|[A-Z]:\\[^\n]+?)\.?(?:\n|$)/;
/** The marks are at the beginning or the end. */
const MARKED_CHARACTERS = 2_000;
/** More calls than any session has open at once. */
const MAX_ASKED = 1_000;

class Transcript implements HistoryReader {
  readonly #findings: Findings;
  readonly #path: string;
  readonly #asked = new Map<
    string,
    { readonly server: string; readonly tool: string; readonly args: JsonObject }
  >();

  constructor(findings: Findings, path: string) {
    this.#findings = findings;
    this.#path = path;
  }

  take(line: JsonObject): void {
    for (const block of listIn(objectIn(line, "message"), "content")) {
      const kind = textIn(block, "type");
      if (kind === "tool_use") this.#ask(block);
      else if (kind === "tool_result") this.#note(block, line);
    }
  }

  #ask(block: unknown): void {
    const name = textIn(block, "name") ?? "";
    if (!name.startsWith("mcp__")) return;
    const id = textIn(block, "id");
    const [, server, tool] = NAME.exec(name) ?? [];
    if (id === undefined || server === undefined || tool === undefined) return this.#findings.odd();
    const [oldest] = this.#asked.size < MAX_ASKED ? [] : this.#asked.keys();
    if (oldest !== undefined) this.#asked.delete(oldest);
    this.#asked.set(id, { server, tool, args: objectIn(block, "input") ?? {} });
  }

  #note(block: unknown, line: JsonObject): void {
    const id = textIn(block, "tool_use_id") ?? "";
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    this.#asked.delete(id);
    const shown = blocksOf(member(block, "content"));
    if (shown === undefined) return this.#findings.odd();
    const given = shown.flatMap((each) => textIn(each, "text") ?? []);
    const marks = given.map(
      (text) => `${text.slice(0, MARKED_CHARACTERS)}\n${text.slice(-MARKED_CHARACTERS)}`,
    );
    const isCut = marks.some((text) => CUT.test(text));
    this.#findings.call({
      ...asked,
      id,
      session: textIn(line, "sessionId") ?? this.#path,
      atMs: timeOf(member(line, "timestamp")),
      result: isCut ? undefined : resultOf(block, line, shown),
      given,
      isCut,
      wholeIn: isCut ? SAVED.exec(marks.join("\n"))?.[1] : undefined,
    });
  }
}

/** With a structure the model gets nothing else; the blocks are then beside the message. */
function resultOf(block: unknown, line: JsonObject, shown: readonly JsonObject[]): JsonObject {
  const structuredContent = objectIn(objectIn(line, "mcpMeta"), "structuredContent");
  const isError = member(block, "is_error") === true;
  const content =
    structuredContent === undefined ? shown : (blocksOf(member(line, "toolUseResult")) ?? shown);
  return { content, ...(structuredContent && { structuredContent }), ...(isError && { isError }) };
}

/** A text, or a list of blocks. */
function blocksOf(content: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return content === undefined ? [] : undefined;
  return content.flatMap(blockOf);
}

/** Pictures have the form of the model's API. */
function blockOf(block: JsonValue): readonly JsonObject[] {
  const source = objectIn(block, "source");
  const [data, mimeType] = [textIn(source, "data"), textIn(source, "media_type")];
  if (textIn(block, "type") === "image" && data !== undefined && mimeType !== undefined)
    return [{ type: "image", data, mimeType }];
  return textIn(block, "type") === "text" && textIn(block, "text") !== undefined ? [block as JsonObject] : [];
}
