import { join } from "node:path";
import { type JsonObject, isJsonObject, jsonIn } from "../../../../core/json/json-value.ts";
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
 * Sessions of Cline's command line: one document with all messages. It has each result whole, as JSON; Cline cuts it
 * when it sends it to the model.
 */
export const cline: HistoryFormat = {
  id: "cline",
  client: "Cline",
  clientName: "Cline",
  triedWith: "3.0.65",
  folders: ({ home }) => [join(home, ".cline", "data", "sessions")],
  files: [
    {
      path: /\.messages\.json$/,
      holding: "document",
      open: (findings, path) => new Session(findings, path),
    },
  ],
};

/** Cline joins the names of a server and its tool by this; its own tools have no such name. */
const JOINT = "__";

class Session implements HistoryReader {
  readonly #findings: Findings;
  readonly #path: string;

  constructor(findings: Findings, path: string) {
    this.#findings = findings;
    this.#path = path;
  }

  take(document: JsonObject): void {
    const session = textIn(document, "sessionId") ?? this.#path;
    const inputs = new Map<string, JsonObject>();
    for (const message of listIn(document, "messages")) {
      const atMs = timeOf(member(message, "ts"));
      for (const block of listIn(message, "content")) {
        const kind = textIn(block, "type");
        if (kind === "tool_use") inputs.set(textIn(block, "id") ?? "", objectIn(block, "input") ?? {});
        else if (kind === "tool_result") this.#note(block, session, inputs, atMs);
      }
    }
  }

  #note(
    block: unknown,
    session: string,
    inputs: ReadonlyMap<string, JsonObject>,
    atMs: number | undefined,
  ): void {
    const name = textIn(block, "name") ?? "";
    const joint = name.indexOf(JOINT);
    if (joint < 1) return;
    const id = textIn(block, "tool_use_id");
    const result = resultOf(block);
    if (id === undefined || result === undefined) return this.#findings.odd();
    this.#findings.call({
      id: `${session} ${id} ${atMs}`,
      session,
      server: name.slice(0, joint),
      tool: name.slice(joint + JOINT.length),
      args: inputs.get(id) ?? {},
      atMs,
      result,
      given: undefined,
      isCut: false,
    });
  }
}

function resultOf(block: unknown): JsonObject | undefined {
  const said = jsonIn(textIn(block, "content") ?? "");
  if (!isJsonObject(said)) return undefined;
  const error = textIn(said, "error");
  if (member(block, "is_error") === true && error !== undefined) return textResult([error], true);
  return Array.isArray(member(said, "content")) || member(said, "structuredContent") !== undefined
    ? said
    : undefined;
}
