// The three protocols that clients speak to their model: chat completions, responses, Gemini. Each is read for two things,
// the tools on offer and what followed the last call, and written for two, a call and a closing word.

export interface Call {
  readonly name: string;
  readonly namespace?: string;
  /** A search for tools, or a script that calls them; without it the call of a function. */
  readonly form?: "search" | "script";
  /** Of a script its text. */
  readonly input: object | string;
}

export type Move = { readonly call: Call } | { readonly say: string };

export interface Dialect {
  /** Whether a request's path belongs to this protocol. */
  readonly serves: RegExp;
  offered(body: Body): readonly Call[];
  /** What the model is given since it asked for its tool: undefined before it asked. */
  given(body: Body): readonly unknown[] | undefined;
  /** How many tools it called so far. */
  calls(body: Body): number;
  /** The whole answer, and the events of the same answer as a stream. */
  whole(move: Move, body: Body): object;
  events(move: Move, body: Body): readonly string[];
}

interface ToolEntry {
  readonly type?: string;
  readonly name?: string;
  readonly function?: { readonly name: string };
  readonly tools?: readonly ToolEntry[];
  readonly functionDeclarations?: readonly { readonly name: string }[];
}

interface Entry {
  readonly role?: string;
  readonly type?: string;
  readonly tool_calls?: unknown;
  readonly tools?: readonly ToolEntry[];
  readonly parts?: readonly { readonly functionCall?: unknown; readonly functionResponse?: unknown }[];
}

/** The members of a request that are read, of any protocol. */
export interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly ToolEntry[];
  readonly messages?: readonly Entry[];
  readonly input?: string | readonly Entry[];
  readonly contents?: readonly Entry[];
}

/** Entries behind the last call, if a result is among them. */
function behind(
  entries: readonly Entry[],
  isCall: (entry: Entry) => boolean,
  isResult: (entry: Entry) => boolean,
): readonly Entry[] | undefined {
  const rest = entries.slice(entries.findLastIndex(isCall) + 1);
  return rest.some(isResult) ? rest : undefined;
}

const isChatCall = ({ tool_calls: calls }: Entry): boolean => Array.isArray(calls) && calls.length > 0;
const isResponsesCall = ({ type = "" }: Entry): boolean =>
  type.endsWith("_call") && !type.startsWith("tool_search");
const isGeminiCall = ({ parts = [] }: Entry): boolean =>
  parts.some((part) => part.functionCall !== undefined);

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (event: { readonly type: string; readonly sequence_number: number }): string =>
  `event: ${event.type}\n${data(event)}`;

const chat: Dialect = {
  serves: /\/chat\/completions$/,
  offered: ({ tools = [] }) => tools.map((tool) => ({ name: tool.function?.name ?? "", input: {} })),
  given: ({ messages = [] }) => behind(messages, isChatCall, (entry) => entry.role === "tool"),
  calls: ({ messages = [] }) => messages.filter(isChatCall).length,
  whole(move, body) {
    const message = { role: "assistant", ...chatDelta(move, body) };
    const choice = { index: 0, message, finish_reason: chatEnd(move) };
    return { ...chatHead(body, "chat.completion"), choices: [choice], usage: chatUsage };
  },
  events(move, body) {
    const head = chatHead(body, "chat.completion.chunk");
    const delta = { role: "assistant", ...chatDelta(move, body) };
    return [
      data({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }),
      data({ ...head, choices: [{ index: 0, delta: {}, finish_reason: chatEnd(move) }] }),
      data({ ...head, choices: [], usage: chatUsage }),
      "data: [DONE]\n\n",
    ];
  },
};

const chatUsage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
const chatHead = (body: Body, object: string): object => ({
  // LangGraph has a message take the place of an earlier one with its id.
  id: `chatcmpl-lab-${chat.calls(body)}`,
  object,
  created: 0,
  model: body.model ?? "lab",
});
const chatEnd = (move: Move): string => ("call" in move ? "tool_calls" : "stop");

function chatDelta(move: Move, body: Body): object {
  if ("say" in move) return { content: move.say };
  const call = { name: move.call.name, arguments: JSON.stringify(move.call.input) };
  return {
    content: null,
    tool_calls: [{ index: 0, id: `call_lab_${chat.calls(body)}`, type: "function", function: call }],
  };
}

const entriesOf = ({ input }: Body): readonly Entry[] => (typeof input === "string" ? [] : (input ?? []));

const responses: Dialect = {
  serves: /\/responses$/,
  /** Codex gives tools with the request, as an entry of its own, or as what a search found: a model searches once a call. */
  offered(body) {
    const entries = entriesOf(body);
    const calls = [body, ...entries].flatMap(({ tools = [] }) => tools.flatMap(offeredHere));
    const sinceCall = entries.slice(entries.findLastIndex(isResponsesCall) + 1);
    const hasSearched = sinceCall.some(({ type }) => type === "tool_search_output");
    return hasSearched ? calls.filter(({ form }) => form !== "search") : calls;
  },
  given: (body) =>
    behind(
      entriesOf(body).filter(({ type = "" }) => !type.startsWith("tool_search")),
      isResponsesCall,
      (entry) => entry.type?.endsWith("_output") === true,
    ),
  calls: (body) => entriesOf(body).filter(isResponsesCall).length,
  whole: (move, body) => ({ ...responseHead(body), status: "completed", output: [responseItem(move, body)] }),
  events(move, body) {
    const item = responseItem(move, body);
    const response = { ...responseHead(body), status: "in_progress", output: [] };
    return [
      { type: "response.created", response },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: responses.whole(move, body) },
    ].map((event, index) => named({ ...event, sequence_number: index }));
  },
};

/** Codex puts the tools of a server into a namespace. */
function offeredHere(tool: ToolEntry): readonly Call[] {
  const { type, name = "", tools = [] } = tool;
  if (type === "namespace") return tools.flatMap(offeredHere).map((call) => ({ ...call, namespace: name }));
  if (type === "tool_search") return [{ name: type, form: "search", input: {} }];
  return [{ name, ...(type === "custom" && { form: "script" }), input: {} }];
}

const responseHead = (body: Body): object => ({
  id: `resp_lab_${responses.calls(body)}`,
  object: "response",
  created_at: 0,
  model: body.model ?? "lab",
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 20,
  },
});

function responseItem(move: Move, body: Body): object {
  if ("say" in move) {
    const content = [{ type: "output_text", text: move.say, annotations: [] }];
    return { type: "message", id: "msg_lab", role: "assistant", status: "completed", content };
  }
  const { name, namespace, form, input } = move.call;
  // Outputs are put to calls by these ids.
  const id = `${form ?? "lab"}_${responses.calls(body)}`;
  const head = { call_id: `call_${id}`, status: "completed" };
  if (form === "search")
    return { ...head, type: "tool_search_call", id: `ts_${id}`, execution: "client", arguments: input };
  const called = { ...head, name, ...(namespace !== undefined && { namespace }) };
  if (form === "script") return { ...called, type: "custom_tool_call", id: `ctc_${id}`, input };
  return { ...called, type: "function_call", id: `fc_${id}`, arguments: JSON.stringify(input) };
}

const gemini: Dialect = {
  serves: /:(?:streamGenerateContent|generateContent)$/,
  offered: ({ tools = [] }) =>
    tools.flatMap((tool) => (tool.functionDeclarations ?? []).map(({ name }) => ({ name, input: {} }))),
  given: ({ contents = [] }) =>
    behind(contents, isGeminiCall, ({ parts = [] }) =>
      parts.some((part) => part.functionResponse !== undefined),
    ),
  calls: ({ contents = [] }) => contents.filter(isGeminiCall).length,
  whole(move) {
    const part =
      "say" in move ? { text: move.say } : { functionCall: { name: move.call.name, args: move.call.input } };
    const content = { role: "model", parts: [part] };
    return {
      candidates: [{ content, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    };
  },
  events: (move, body) => [data(gemini.whole(move, body))],
};

export const dialects: readonly Dialect[] = [chat, responses, gemini];
