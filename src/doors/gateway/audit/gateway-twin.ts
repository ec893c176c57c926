// What the gateway would have done with results that a client has had: each passes a real session of the gateway, with
// its own defaults, behind a client of that name. The server of the session is the history.

import { LEGACY_REVISION, TOOLS_CHANGED } from "../../../core/protocol/names.ts";
import { type AnsweredCall, isCut } from "../../../engine/call/answered-call.ts";
import { MessageSession } from "../../../engine/session/message-session.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { readerForModel } from "../../../core/readers/reader-for-model.ts";
import { readerNamed, unknownReader } from "../../../core/readers/readers.ts";
import type { Reader } from "../../../core/readers/reader.ts";
import { ServedSet } from "../served-set.ts";
import type { HistoryFormat, RecordedCall } from "./formats/history-format.ts";

/** One result as the gateway hands it on. */
export interface TwinResult {
  readonly result: JsonObject;
  /** Nothing was removed and nothing added. */
  readonly isUntouched: boolean;
  /** It was cut, and the whole of it would have been kept. */
  readonly isCut: boolean;
  readonly isFailure: boolean;
  /** It reads like a failure; the gateway would have left it a success, with a note that says so. */
  readonly mayBeFailure: boolean;
}

/** What the model behind a call is shown, by the client's row. */
export function readerOf(clientName: string, model: string | undefined): Reader {
  return readerForModel(readerNamed(clientName) ?? unknownReader, metaOf(model));
}

/** As Codex names the model of a call. */
const metaOf = (model: string | undefined): JsonObject | undefined =>
  model === undefined ? undefined : { "x-codex-turn-metadata": { model } };

/** More tools than a server offers; all are listed anew with each that is met. A call of any other is not in the list. */
const MAX_TOOLS = 500;

/** The gateway in front of one server of a client. */
class ServerTwin {
  readonly #session: MessageSession;
  readonly #tools = new Set<string>();
  #given: JsonObject = {};
  #answered: AnsweredCall | undefined;
  #id = 0;

  constructor(served: ServedSet, server: string, clientName: string) {
    // The name is only shown, and the command never run: no transport is opened.
    const { state } = served.add(server, { command: clientName });
    state.events.onAnswer({ answered: (_call, answered) => void (this.#answered = answered) });
    const toServer = (message: JsonObject): void => this.#serve(message);
    this.#session = new MessageSession(state, { toServer }, { isRemote: true });
    void this.#ask("initialize", {
      protocolVersion: LEGACY_REVISION,
      capabilities: {},
      clientInfo: { name: clientName, version: "0" },
    });
  }

  async answer(call: RecordedCall, result: JsonObject): Promise<TwinResult | undefined> {
    if (!this.#tools.has(call.tool) && this.#tools.size < MAX_TOOLS) {
      this.#tools.add(call.tool);
      void this.#session.told({ jsonrpc: "2.0", method: LEGACY_REVISION, TOOLS_CHANGED }, noCaller);
    }
    this.#given = result;
    this.#answered = undefined;
    const meta = metaOf(call.model);
    const answer = await this.#ask("tools/call", {
      name: call.tool,
      arguments: call.args,
      ...(meta && { _meta: meta }),
    });
    return this.#readAnswer(answer);
  }

  #readAnswer(answer: JsonObject | undefined): TwinResult | undefined {
    const answered = this.#answered;
    const result = answer?.["result"];
    if (answered === undefined || !isJsonObject(result)) return undefined;
    return {
      result,
      isUntouched: answered.isUntouched,
      isCut: isCut(answered),
      isFailure: answered.outcome?.ok === false,
      mayBeFailure:
        answered.outcome?.notes.warnings?.some(({ code }) => code === "POSSIBLE_FAILURE") === true,
    };
  }

  #ask(method: string, params: JsonObject): Promise<JsonObject | undefined> | undefined {
    const message: JsonObject = { jsonrpc: "2.0", id: (this.#id += 1), method, params };
    const verdict = this.#session.request(message, noCaller);
    if (verdict !== "forward") return verdict;
    this.#serve(message);
    return undefined;
  }

  /** The server: it lists the tools that were called, and gives the result that it once gave. */
  #serve({ id = null, method }: JsonObject): void {
    const result: JsonObject =
      method === "tools/list"
        ? { tools: [...this.#tools].map((name) => ({ name, inputSchema: { type: "object" } })) }
        : method === "tools/call"
          ? this.#given
          : {
              protocolVersion: LEGACY_REVISION,
              capabilities: { tools: {} },
              serverInfo: { name: "history", version: "0" },
            };
    void this.#session.response({ jsonrpc: "2.0", id, result });
  }
}

const noCaller = { extra: undefined, sessionId: undefined };

/** The gateways in front of all servers of all clients; what they cut is kept in memory, and forgotten at the end. */
export class GatewayTwin {
  readonly #served = new ServedSet({
    upstreams: {},
    store: "memory",
    logLevel: "silent",
    // The same figures in every run: an id is counted too.
    requestIds: () => "req_0123456789ab",
  });
  readonly #twins = new Map<string, ServerTwin>();

  async answer(
    { clientName }: Pick<HistoryFormat, "clientName">,
    call: RecordedCall,
    result: JsonObject,
  ): Promise<TwinResult | undefined> {
    await this.#served.openStore();
    const server = call.server ?? "";
    const key = JSON.stringify([clientName, server]);
    let twin = this.#twins.get(key);
    if (twin === undefined) this.#twins.set(key, (twin = new ServerTwin(this.#served, server, clientName)));
    return twin.answer(call, result);
  }

  close(): Promise<void> {
    return this.#served.close();
  }
}
