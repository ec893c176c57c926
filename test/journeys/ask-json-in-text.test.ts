// A published server that hands a JSON file over as a text in the field `content`: questions ask the file, before the cut
// and after it alike.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

interface Envelope {
  readonly data: { readonly selected?: unknown; readonly verified?: boolean };
  readonly meta: { readonly content_archive_hashes?: Readonly<Record<string, string>> };
}

type Call = (name: string, args: Record<string, unknown>) => Promise<Envelope>;

async function openGateway(folder: string): Promise<Call> {
  const server = published.find((each) => each.server === "server-filesystem");
  const client = new Client({ name: "reader", version: "1.0.0" });
  onTestFinished(() => client.close());
  const words = ["--store", "memory", "--budget", "2000", "--select", "--dialect", "response-v2"];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...gatewayArgs(words, [process.execPath, ...(server?.nodeArgs(folder) ?? [])])],
      stderr: "ignore",
    }),
  );
  return async (name, args) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Envelope;
}

const questions: readonly (readonly [tool: string, file: string, select: string, answer: unknown])[] = [
  ["read_text_file", "items.json", "length(items)", 4_000],
  ["read_text_file", "items.json", "length(content.items)", 4_000],
  ["read_text_file", "items.json", "content.items[3999]", { id: "i-3999", size: 3_999 }],
  ["read_text_file", "items.json", "items[?size > 3997].id", ["i-3998", "i-3999"]],
  ["read_text_file", "long.json", "rows[?id == 9007199254740900095].k", [95]],
  ["read_text_file", "long.json", "rows[1].id", "9007199254740900001"],
  ["directory_tree", "", "content[?type=='file' && ends_with(name, 's.json')].name", ["items.json"]],
  ["directory_tree", "", "count_by(@, &type)", { file: 405 }],
];

describe.runIf(isFullRun)("questions to JSON that server-filesystem reads", () => {
  it("are answered alike before and after the cut", async () => {
    const folder = makeFolder();
    const items = Array.from({ length: 4_000 }, (_, at) => ({ id: `i-${at}`, size: at }));
    writeFileSync(join(folder, "items.json"), JSON.stringify({ items }));
    const rows = items.map(({ size }) => `{"id":${9_007_199_254_740_900_000n + BigInt(size)},"k":${size}}`);
    writeFileSync(join(folder, "long.json"), `{"rows":[${rows.join(",")}]}`);
    for (let at = 0; at < 400; at++) writeFileSync(join(folder, `file-${at}.txt`), "");
    const call = await openGateway(folder);
    for (const [tool, file, select, answer] of questions) {
      const path = join(folder, file);
      const before = await call(tool, { path, _waybill_select: select });
      expect(before.data.selected).toEqual(answer);
      const [archive] = Object.values((await call(tool, { path })).meta.content_archive_hashes ?? {});
      const after = await call("waybill_retrieve", { archive, select });
      expect(after.data).toMatchObject({ selected: answer, verified: true });
    }
  });
});
