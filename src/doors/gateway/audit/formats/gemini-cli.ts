import { join } from "node:path";
import { type JsonObject, jsonIn } from "../../../../core/json/json-value.ts";
import {
  type Findings,
  type HistoryFormat,
  type HistoryReader,
  listIn,
  member,
  objectIn,
  textIn,
  textResult,
  timeOf,
} from "./history-format.ts";

/**
 * Sessions of Gemini CLI: one JSON value a line, before version 0.40 one document. A message of the model has its calls
 * with what the model was given. What was cut is whole in a file of its own.
 */
export const geminiCli: HistoryFormat = {
  id: "gemini-cli",
  client: "Gemini CLI",
  clientName: "gemini-cli-mcp-client",
  triedWith: "0.61.0",
  folders: ({ home }) => [join(home, ".gemini", "tmp")],
  files: [
    {
      path: /(?:^|\/)chats\/(?:[^/]+\/)?[^/]+\.jsonl$/,
      holding: "lines",
      open: (findings, path) => new Session(findings, path),
    },
    {
      path: /(?:^|\/)chats\/session-[^/]+\.json$/,
      holding: "document",
      open: (findings, path) => new Session(findings, path),
    },
  ],
  unframe: (text) => textsIn(text).join("\n"),
};

class Session implements HistoryReader {
  readonly #findings: Findings;
  #session: string;

  constructor(findings: Findings, path: string) {
    this.#findings = findings;
    this.#session = path;
  }

  /** A message, the head of a file, a whole document, or a change that puts messages in place of all before. */
  take(value: JsonObject): void {
    this.#session = textIn(value, "sessionId") ?? this.#session;
    const set = objectIn(value, "$set");
    for (const message of [value, ...listIn(value, "messages"), ...listIn(set, "messages")])
      for (const call of listIn(message, "toolCalls")) this.#note(call, timeOf(member(message, "timestamp")));
  }

  #note(call: unknown, atMs: number | undefined): void {
    const named = /^(.+) \((.+) MCP Server\)$/s.exec(textIn(call, "displayName") ?? "");
    const name = textIn(call, "name");
    if (name === undefined || (named === null && !name.startsWith("mcp_"))) return;
    const [first, ...others] = listIn(call, "result");
    // A call that is not answered yet is written down too.
    if (first === undefined) return;
    const id = textIn(call, "id");
    const response = objectIn(objectIn(first, "functionResponse"), "response");
    const [output, error] = [textIn(response, "output"), textIn(response, "error")];
    const shown = error ?? output;
    if (id === undefined || shown === undefined) return this.#findings.odd();
    const wholeIn = error === undefined ? CUT.exec(shown)?.[1] : undefined;
    const given = error === undefined ? textsIn(shown.replace(CUT, "")) : [shown];
    const whole = error === undefined ? { ...textResult(given) } : failureIn(error);
    const result = { ...whole, content: [...listIn(whole, "content"), ...others.flatMap(pictureOf)] };
    this.#findings.call({
      id: `${this.#session} ${id}`,
      session: this.#session,
      server: named?.[2],
      tool: named?.[1] ?? name,
      args: objectIn(call, "args") ?? {},
      atMs,
      result: wholeIn === undefined ? result : undefined,
      given,
      isCut: wholeIn !== undefined,
      wholeIn,
    });
  }
}

const CUT =
  /^Output too large\. Showing first [\d,]+ and last [\d,]+ characters\. For full output see: ([^\n]+)\n/;
const OPEN = "<untrusted_context>\n";
const CLOSE = "\n</untrusted_context>";

/** The texts that Gemini CLI puts between marks, without the marks. */
function textsIn(shown: string): readonly string[] {
  const [, ...framed] = shown.split(OPEN);
  if (framed.length === 0) return [shown];
  return framed.map((text) => {
    const end = text.lastIndexOf(CLOSE);
    return end === -1 ? text : text.slice(0, end);
  });
}

const RESPONSE = " with response: ";

/** A failure is shown as the JSON of the server's result, or of an error in its place. */
function failureIn(error: string): JsonObject {
  const at = error.indexOf(RESPONSE);
  const parts = at === -1 ? undefined : jsonIn(error.slice(at + RESPONSE.length));
  const [first] = Array.isArray(parts) ? parts : [];
  const said = objectIn(objectIn(objectIn(first, "functionResponse"), "response"), "error");
  if (said !== undefined && Array.isArray(member(said, "content"))) return said;
  return textResult([textIn(said, "message") ?? error], true);
}

function pictureOf(part: unknown): readonly JsonObject[] {
  const inline = objectIn(part, "inlineData");
  const [mimeType, data] = [textIn(inline, "mimeType"), textIn(inline, "data")];
  return mimeType === undefined || data === undefined ? [] : [{ type: "image", data, mimeType }];
}
