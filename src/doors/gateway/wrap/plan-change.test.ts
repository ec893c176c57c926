import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { planUnwrap, planWrap, WrapRecords } from "./plan-change.ts";

const launcher = { program: process.execPath, args: ["/opt/waybill/main.js", "gateway"] };
const text = '{ "mcpServers": { "a": { "command": "npx" } } }';

function folderWith(name: string, content: string | Uint8Array = text) {
  const folder = mkdtempSync(join(tmpdir(), "waybill-wrap-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "configs"));
  const path = join(folder, "configs", name);
  writeFileSync(path, content);
  const records = new WrapRecords(join(folder, "state", "wrapped"));
  return {
    folder,
    path,
    wrap: () => planWrap(path, { launcher, selection: undefined, records }),
    unwrap: () => planUnwrap(path, { selection: undefined, records }),
  };
}

describe("a config file", () => {
  it("keeps its mode, and leaves nothing beside it", async () => {
    const { path, wrap, folder } = folderWith("mcp.json");
    chmodSync(path, 0o640);
    await (await wrap()).commit();
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(folder, "configs"))).toEqual(["mcp.json"]);
  });

  it("is written behind its link, which stays a link", async () => {
    const { path, folder } = folderWith("real.json");
    const link = join(folder, "configs", "mcp.json");
    symlinkSync("real.json", link);
    const records = new WrapRecords(join(folder, "state"));
    await (await planWrap(link, { launcher, selection: undefined, records })).commit();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, "utf8")).toContain("--wrapped");
    await (await planUnwrap(path, { selection: undefined, records })).commit();
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("that changed since it was read is not written to", async () => {
    const { path, wrap, unwrap } = folderWith("mcp.json");
    const plan = await wrap();
    writeFileSync(path, text.replace("npx", "uvx"));
    await expect(plan.commit()).rejects.toMatchObject({ kind: "changed" });
    expect(readFileSync(path, "utf8")).toBe(text.replace("npx", "uvx"));
    expect((await unwrap()).isChanged).toBe(false);
  });

  it("that is read-only stays as it is, although its folder can be written to", async () => {
    const { path, wrap } = folderWith("mcp.json");
    chmodSync(path, 0o444);
    await expect((await wrap()).commit()).rejects.toThrow("It is read-only.");
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("with a second name is refused, since only one would change", async () => {
    const { path, wrap, folder } = folderWith("mcp.json");
    linkSync(path, join(folder, "other.json"));
    await expect((await wrap()).commit()).rejects.toThrow("hard links");
  });

  it.each([
    ["UTF-16", Buffer.from(`\uFEFF${text}`, "utf16le"), "It is UTF-16"],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "It is not UTF-8."],
    ["nested without end", "[".repeat(100_000), "nested deeper than 500"],
    ["empty", "", "It is not valid JSON"],
  ])("that is %s is refused", async (_what, content, message) => {
    await expect(folderWith("mcp.json", content).wrap()).rejects.toThrow(message);
  });

  it("of more than 64 MiB is refused before it is read", async () => {
    const { path, wrap } = folderWith("mcp.json");
    truncateSync(path, 64 * 1024 * 1024 + 1);
    await expect(wrap()).rejects.toThrow("It is larger than 64 MiB.");
  });

  it("with a long history is wrapped and given back", async () => {
    const history = Array.from({ length: 5_000 }, (_, index) => ({
      display: `line ${index} { "command": "npx" }`,
    }));
    const large = JSON.stringify({ history, ...JSON.parse(text) }, undefined, 2);
    const { path, wrap, unwrap } = folderWith("mcp.json", large);
    await (await wrap()).commit();
    expect(readFileSync(path, "utf8")).toContain("--wrapped");
    await (await unwrap()).commit();
    expect(readFileSync(path, "utf8")).toBe(large);
  });
});

describe("the record", () => {
  it("is readable by its owner alone, and gone when nothing is wrapped any more", async () => {
    const { wrap, unwrap, folder } = folderWith("mcp.json");
    const plan = await wrap();
    await plan.commit();
    expect(statSync(plan.backup).mode & 0o777).toBe(0o600);
    expect(readFileSync(plan.backup, "utf8")).toBe(text);
    expect(statSync(join(folder, "state", "wrapped")).mode & 0o777).toBe(0o700);
    await (await unwrap()).commit();
    expect(readdirSync(join(folder, "state", "wrapped"))).toEqual([]);
  });

  it("that was damaged is not trusted: the file is read instead", async () => {
    const { path, wrap, unwrap } = folderWith("mcp.json");
    const plan = await wrap();
    await plan.commit();
    writeFileSync(plan.backup, "something else");
    await (await unwrap()).commit();
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});
