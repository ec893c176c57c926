// A server that answers with as many bytes as it is asked for, in one line: texts, structures, pictures.
import { createInterface } from "node:readline";

const outputSchema = {
  type: "object",
  properties: { rows: { type: "array", items: { type: "object" } } },
  required: ["rows"],
};
const tools = ["text", "structure", "picture", "escaped", "failure"].map((name) => ({
  name,
  inputSchema: { type: "object" },
  ...(name === "structure" ? { outputSchema } : {}),
}));

const lines = (bytes) =>
  Array.from({ length: Math.ceil(bytes / 20) }, (_, at) => `line ${at} of text`.padEnd(19)).join("\n");

const rows = (bytes) =>
  Array.from({ length: Math.ceil(bytes / 40) }, (_, id) => ({ id, name: `row ${id}`.padEnd(20) }));

/** The header of a PNG of 300 × 300 pixels, and as many bytes as are asked for. */
function png(bytes) {
  const picture = Buffer.alloc(bytes, 7);
  picture.write("\u0089PNG\r\n\u001A\n\0\0\0\rIHDR", "latin1");
  picture.writeUInt32BE(300, 16);
  picture.writeUInt32BE(300, 20);
  return picture.toString("base64");
}

const text = (words) => ({ type: "text", text: words });

const results = {
  text: (bytes) => ({ content: [text(lines(bytes))] }),
  structure: (bytes) => {
    const structuredContent = { rows: rows(bytes) };
    return { content: [text(JSON.stringify(structuredContent))], structuredContent };
  },
  picture: (bytes) => ({
    content: [text("A photo"), { type: "image", data: png(bytes), mimeType: "image/png" }],
  }),
  escaped: (bytes) => ({ content: [text("数".repeat(bytes / 6))] }),
  failure: (bytes) => ({ content: [text(`No such row\n${lines(bytes)}`)], isError: true }),
};

/** As Python's `json.dumps` writes it. */
const inAscii = (json) =>
  json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const greeting = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "long-lines", version: "1.0.0" },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === "initialize"
      ? greeting
      : method === "tools/list"
        ? { tools }
        : results[params.name](params.arguments.bytes);
  const answer = JSON.stringify({ jsonrpc: "2.0", id, result });
  process.stdout.write(`${params?.name === "escaped" ? inAscii(answer) : answer}\n`);
});
