// A published server that hands records over as JSON inside a text: what is announced of a cut tree leads back.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

interface Envelope {
  readonly data: {
    readonly content?: string;
    readonly items?: readonly { readonly pointer: string; readonly value: unknown }[] | number;
    readonly collections?: unknown;
  };
  readonly meta: {
    readonly dropped_content_ids: readonly string[];
    readonly content_archive_hashes: Readonly<Record<string, string>>;
  };
}

describe.runIf(isFullRun)("a cut directory_tree of server-filesystem", () => {
  it("is JSON of whole records, and its names, records and counts can be asked for", async () => {
    const folder = makeFolder();
    const name = (at: number): string => `file-${String(at).padStart(4, "0")}.txt`;
    for (let at = 0; at < 600; at++) writeFileSync(join(folder, name(at)), "");
    const server = published.find((each) => each.server === "server-filesystem");
    const client = new Client({ name: "reader", version: "1.0.0" });
    onTestFinished(() => client.close());
    const words = ["--store", "memory", "--budget", "2000"];
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...gatewayArgs(words, [process.execPath, ...(server?.nodeArgs(folder) ?? [])])],
        stderr: "ignore",
      }),
    );
    const call = async (tool: string, args: Record<string, unknown>): Promise<Envelope> =>
      (await client.callTool({ name: tool, arguments: args })).structuredContent as Envelope;
    const { data, meta } = await call("directory_tree", { path: folder });
    const kept = (JSON.parse(data.content ?? "") as readonly unknown[]).length;
    expect(kept).toBeGreaterThan(50);
    const [archive = ""] = Object.values(meta.content_archive_hashes);
    const [rest = ""] = meta.dropped_content_ids;
    // The first and the last entries are kept, so what is missing is between them.
    const missing = meta.dropped_content_ids.map((id) => {
      const [, first = "0", last = first] = /^\/content\/(\d+)(?:\.\.(\d+))?$/.exec(id) ?? [];
      return Number(last) - Number(first) + 1;
    });
    expect(missing.reduce((sum, count) => sum + count, kept)).toBe(603);
    const dropped = await call("waybill_retrieve", { archive, ids: [rest] });
    expect(JSON.stringify(dropped.data.items)).toContain("file-");
    const about = await call("waybill_retrieve", { archive, limit: 0 });
    expect(about.data).toMatchObject({ items: 603, collections: [{ pointer: "/content", count: 603 }] });
    const found = await call("waybill_retrieve", { archive, match: { name: name(512) } });
    expect(found.data.items).toMatchObject([{ value: { name: name(512), type: "file" } }]);
    const [first] = found.data.items as readonly { readonly pointer: string }[];
    const again = await call("waybill_retrieve", { archive, ids: [first?.pointer] });
    expect(again.data.items).toEqual(found.data.items);
  });
});
