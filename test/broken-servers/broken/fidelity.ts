import { type BrokenServer, rewriteSuccess } from "../broken-server.ts";
import { plainText, structured } from "../good-server.ts";
import type { Json, RawServer } from "../raw-server.ts";
import { sampleTool } from "../sample-tool.ts";

/** Changes the notes of what track_parcel left out. */
function remark(server: RawServer, change: Json): void {
  rewriteSuccess(server, "track_parcel", ({ structuredContent }) => {
    const envelope = structuredContent as Json & { meta: Json };
    return structured({ ...envelope, meta: { ...envelope.meta, ...change } });
  });
}

/** What was left out, and where it is. */
export const brokenFidelity: readonly BrokenServer[] = [
  {
    rule: "fidelity/archive-resolves",
    change: (server) => {
      const hash = "0".repeat(64);
      remark(server, { content_archive_hashes: { [`track-${hash.slice(0, 12)}`]: `sha256:${hash}` } });
    },
  },
  {
    rule: "fidelity/archive-verifies",
    change: (server) =>
      rewriteSuccess(server, "waybill_retrieve", ({ structuredContent }) => {
        const envelope = structuredContent as Json & { data: Json };
        const items = [{ pointer: "", value: { id: "P-001", scans: [] } }];
        return structured({ ...envelope, data: { ...envelope.data, items } });
      }),
  },
  { rule: "fidelity/rest-kept", change: (server) => remark(server, { content_archive_hashes: undefined }) },
  {
    rule: "fidelity/cut-json",
    change: (server) => {
      const cut = '{"depots":[{"name":"Oslo"},{"name":"Ro';
      server.tools.push(sampleTool("show_sample", () => plainText(cut)));
    },
  },
];

/** A tool whose result has a number in its notes, which is sent as another text of JSON. */
function writeAs(server: RawServer, text: string): void {
  const mark = '"com.example/size":17';
  server.tools = [
    sampleTool("show_sample", () => ({ ...plainText("Here it is."), _meta: { "com.example/size": 17 } })),
  ];
  server.write = (message) => [JSON.stringify(message).replace(mark, `"com.example/size":${text}`)];
}

/** Messages whose JSON a parser would change or drop. */
export const brokenJson: readonly BrokenServer[] = [
  {
    rule: "json/encoding",
    change: (server) => {
      writeAs(server, '"caf\u00e9"');
      const write = server.write.bind(server);
      // As a program would send it that writes Latin-1.
      server.write = (message) =>
        write(message).map((line) =>
          line.includes("caf\u00e9") ? Buffer.from(line.toString(), "latin1") : line,
        );
    },
  },
  { rule: "json/depth", change: (server) => writeAs(server, `${"[".repeat(1_100)}${"]".repeat(1_100)}`) },
  { rule: "json/duplicate-key", change: (server) => writeAs(server, '17,"com.example/size":18') },
  { rule: "json/number-range", change: (server) => writeAs(server, "1e999") },
  { rule: "json/number-precision", change: (server) => writeAs(server, "12345678901234567890") },
  { rule: "json/lone-surrogate", change: (server) => writeAs(server, '"\\ud83d"') },
];
