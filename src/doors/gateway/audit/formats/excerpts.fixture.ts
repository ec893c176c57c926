// A few calls of a server `shop` as each client writes them down, after files that the clients themselves made in
// `test/clients`; those of Claude Code after public descriptions.

import type { JsonObject } from "../../../../core/json/json-value.ts";

const text = (value: string): JsonObject => ({ type: "text", text: value });
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const LONG = "a row of the long list\n".repeat(3_000);

const stamp = "2026-11-10T08:00:00.000Z";
const line = (type: string, payload: object): JsonObject =>
  ({ timestamp: stamp, ordinal: 1, type, payload }) as unknown as JsonObject;

function codexCall(id: string, tool: string, said: object, output: unknown): readonly JsonObject[] {
  const item = {
    type: "McpToolCall",
    id,
    server: "shop",
    tool,
    arguments: { q: id },
    status: "completed",
    ...said,
  };
  return [
    line("response_item", {
      type: "function_call",
      name: tool,
      namespace: "mcp__shop",
      arguments: "{}",
      call_id: id,
    }),
    line("event_msg", { type: "item_completed", thread_id: "t1", turn_id: "turn1", item }),
    line("response_item", { type: "function_call_output", call_id: id, output }),
  ];
}

const frame = "Wall time: 0.0016 seconds\nOutput:";

export const codexLines: readonly JsonObject[] = [
  line("session_meta", { id: "t1", cli_version: "0.166.0" }),
  line("turn_context", { turn_id: "turn1", model: "gpt-5.5" }),
  ...codexCall("c1", "find", { result: { content: [text("two hats")] } }, [
    { type: "input_text", text: frame },
    { type: "input_text", text: "two hats" },
  ]),
  ...codexCall(
    "c2",
    "list",
    { result: { content: [text(LONG)] } },
    `${frame}\n${LONG.slice(0, 20_000)}…4000 tokens truncated…${LONG.slice(-20_000)}`,
  ),
  ...codexCall("c3", "buy", { status: "failed", error: { message: "tool call failed for `shop/buy`" } }, [
    { type: "input_text", text: frame },
    { type: "input_text", text: "tool call failed for `shop/buy`" },
  ]),
];

/** Before version 0.150 a rollout had what was shown alone. */
export const olderCodexLines: readonly JsonObject[] = [
  line("session_meta", { id: "t0", cli_version: "0.73.0" }),
  line("response_item", {
    type: "function_call",
    name: "mcp__shop__find",
    arguments: '{"q":"hat"}',
    call_id: "c1",
  }),
  line("response_item", {
    type: "function_call_output",
    call_id: "c1",
    output: '[{"text":"two hats","type":"text"}]',
  }),
  line("response_item", {
    type: "function_call",
    name: "stock",
    namespace: "mcp__shop__",
    arguments: "{}",
    call_id: "c2",
  }),
  line("response_item", { type: "function_call_output", call_id: "c2", output: `${frame}\n{"hats":2}` }),
];

const geminiCall = (id: string, tool: string, response: object, more: readonly object[] = []): object => ({
  id,
  name: `mcp_shop_${tool}`,
  displayName: `${tool} (shop MCP Server)`,
  args: { q: id },
  status: "success",
  result: [{ functionResponse: { id, name: `mcp_shop_${tool}`, response } }, ...more],
});

const framed = (value: string): string => `<untrusted_context>\n${value}\n</untrusted_context>`;

export const geminiLines = (home: string): readonly JsonObject[] =>
  [
    { sessionId: "g1", kind: "main", startTime: stamp },
    { id: "m1", timestamp: stamp, type: "user", content: [{ text: "Hats?" }] },
    { id: "m2", timestamp: stamp, type: "gemini", content: "", model: "gemini-2.5-flash" },
    {
      id: "m2",
      timestamp: stamp,
      type: "gemini",
      toolCalls: [
        geminiCall("c1", "find", { output: `${framed("two hats")}\n${framed("one cap")}` }),
        geminiCall("c2", "list", {
          output: `Output too large. Showing first 8,000 and last 32,000 characters. For full output see: ${home}/.gemini/tmp/p/tool-outputs/session-g1/c2.txt\n${framed(LONG).slice(0, 8_000)}\n\n... [29,043 characters omitted] ...\n\n${framed(LONG).slice(-32_000)}`,
        }),
        geminiCall("c3", "buy", {
          error:
            'MCP tool \'buy\' reported tool error for function call: {"name":"buy","args":{}} with response: [{"functionResponse":{"name":"buy","response":{"error":{"content":[{"type":"text","text":"no such hat"}],"isError":true}}}}]',
        }),
        geminiCall("c4", "show", { output: framed("a picture") }, [
          { inlineData: { mimeType: "image/png", data: PIXEL } },
        ]),
        { id: "own", name: "read_file", displayName: "ReadFile", result: [{}] },
        { id: "c5", name: "mcp_shop_wait", displayName: "wait (shop MCP Server)", status: "executing" },
      ],
    },
  ] as unknown as readonly JsonObject[];

export const keptByGemini = { "p/tool-outputs/session-g1/c2.txt": framed(LONG) };

export const clineDocument = {
  version: 1,
  sessionId: "k1",
  messages: [
    { role: "user", content: [text("Hats?")], ts: Date.parse(stamp) },
    {
      role: "assistant",
      ts: Date.parse(stamp),
      content: [
        { type: "tool_use", id: "c1", name: "shop__find", input: { q: "hat" } },
        { type: "tool_use", id: "c2", name: "read_files", input: {} },
      ],
    },
    {
      role: "user",
      ts: Date.parse(stamp),
      content: [
        {
          type: "tool_result",
          tool_use_id: "c1",
          name: "shop__find",
          content: JSON.stringify({ content: [text("two hats")], structuredContent: { hats: 2 } }),
        },
        { type: "tool_result", tool_use_id: "c2", name: "read_files", content: "a file" },
        {
          type: "tool_result",
          tool_use_id: "c3",
          name: "shop__buy",
          content: '{"error":"no such hat"}',
          is_error: true,
        },
      ],
    },
  ],
} as unknown as JsonObject;

const opencodePart = (id: string, tool: string, state: object): JsonObject =>
  ({ id, sessionID: "o1", messageID: "m1", type: "tool", tool, callID: id, state }) as unknown as JsonObject;

export const opencodeParts = (home: string): readonly JsonObject[] => [
  opencodePart("p1", "web_shop_find", {
    status: "completed",
    input: { q: "hat" },
    output: "two hats",
    metadata: { truncated: false },
    time: { start: Date.parse(stamp) },
  }),
  opencodePart("p2", "web_shop_list", {
    status: "completed",
    input: {},
    output: `${LONG.slice(0, 50_000)}\n\n...19000 bytes truncated...`,
    metadata: { truncated: true, outputPath: `${home}/.local/share/opencode/tool-output/tool_2` },
  }),
  opencodePart("p3", "web_shop_buy", { status: "error", input: {}, error: "no such hat" }),
  opencodePart("p4", "bash", { status: "completed", input: {}, output: "a file" }),
  opencodePart("p5", "web_shop_wait", { status: "running", input: {} }),
  opencodePart("p6", "plugin_word", { status: "completed", input: {}, output: "of a plugin" }),
];

const said = (type: string, content: readonly object[], more: object = {}): JsonObject =>
  ({
    type,
    sessionId: "s1",
    timestamp: stamp,
    version: "2.1.280",
    message: { role: type, content },
    ...more,
  }) as unknown as JsonObject;
const use = (id: string, name: string): object => ({ type: "tool_use", id, name, input: { q: id } });
const result = (id: string, content: unknown, more: object = {}): object => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...more,
});

export const claudeLines: readonly JsonObject[] = [
  { type: "summary", summary: "Hats" },
  said("assistant", [use("c1", "mcp__shop__find"), use("c2", "mcp__shop__stock"), use("own", "Read")]),
  said("user", [result("c1", [text("two hats")])]),
  said("user", [result("c2", '{"hats":2}')], {
    toolUseResult: [text("2 hats")],
    mcpMeta: { structuredContent: { hats: 2 } },
  }),
  said("user", [result("own", "a file")]),
  said("assistant", [use("c3", "mcp__shop__list"), use("c4", "mcp__shop__buy")]),
  said("user", [
    result(
      "c3",
      "Error: result (90,000 characters) exceeds maximum allowed tokens. Output has been saved to /x/y.txt",
    ),
  ]),
  said("user", [result("c4", "no such hat", { is_error: true })]),
];

export const asLines = (values: readonly JsonObject[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");
