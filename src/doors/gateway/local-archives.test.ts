import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readArchiveResource } from "../../engine/retrieve/archive-resource.ts";
import { retrieve } from "../../engine/retrieve/retrieve.ts";
import { fileStore } from "../../engine/archive/file/file-store.ts";
import { memoryStore } from "../../engine/archive/memory-store.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { contractFor, localTenant } from "./upstream-contract.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "local-archives-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "archive");
}

/** What one gateway keeps and opens; `http` for one over HTTP. */
function gatewayOf(command: string, store: string, http?: GatewayOptions["http"]) {
  const upstream = { command };
  const gateway = { upstreams: {}, store, http, logLevel: "silent" } as const;
  const { archive, effective } = contractFor(command, upstream, gateway);
  onTestFinished(() => archive.close());
  const own = http === undefined ? localTenant(upstream) : "sub:ada";
  const keep = async (value: object, tenant = own): Promise<string> => {
    const part = { name: "data", content: [JSON.stringify(value)], contentType: "application/json" };
    return (await archive.keepFor(tenant, effective.general)(part)).hash;
  };
  const source = async (tenant = own) => ({
    store: await archive.store(),
    tenant,
    others: () => archive.othersOf(tenant),
  });
  const open = async (reference: string, tenant = own): Promise<string> => {
    try {
      const uri = `waybill://archive/${reference}`;
      const { contents } = await readArchiveResource(uri, await source(tenant));
      return JSON.stringify(contents);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const ask = async (args: object, tenant = own) =>
    retrieve(args, {
      ...(await source(tenant)),
      budgetTokens: "off",
      count: (text) => text.length,
      cursorKeys: "k".repeat(32),
    });
  return { archive, own, keep, open, ask };
}

const rows = { rows: [{ id: "r-1" }, { id: "r-2" }, { id: "r-3" }] };

describe("the archives of one user's gateways on stdio", () => {
  it("open through each of them by hash and by handle, and page through any", async () => {
    const store = makeFolder();
    const [files, mail] = [gatewayOf("files", store), gatewayOf("mail", store)];
    const hash = await files.keep(rows);
    for (const reference of [hash, hash.slice(0, 12)]) expect(await mail.open(reference)).toContain("r-3");
    const first = await mail.ask({ archive: hash, limit: 2 });
    const cursor = first.pagination?.cursor;
    expect(await files.ask({ archive: hash, limit: 2, cursor })).toMatchObject({
      data: { items: [{ value: { id: "r-3" } }] },
    });
  });

  it("are listed and searched by their own server alone", async () => {
    const store = makeFolder();
    const [files, mail] = [gatewayOf("files", store), gatewayOf("mail", store)];
    await files.keep(rows);
    await mail.keep({ rows: [{ id: "m-1" }] });
    await expect(mail.ask({ ids: ["r-1"] })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await files.ask({ ids: ["r-1"] })).toMatchObject({ data: { matched: 1 } });
  });

  it("that were written before gateways noted themselves open once their gateway has started again", async () => {
    const store = makeFolder();
    const before = fileStore(store);
    const { entry } = await before.put(localTenant({ command: "files" }), [JSON.stringify(rows)]);
    await before.close();
    const [files, mail] = [gatewayOf("files", store), gatewayOf("mail", store)];
    expect(await mail.open(entry.hash)).toBe("NOT_FOUND");
    await files.archive.announce(files.own);
    expect(await mail.open(entry.hash)).toContain("r-3");
  });

  it("are never those of callers over HTTP, and those never open them", async () => {
    const store = makeFolder();
    const [files, web] = [gatewayOf("files", store), gatewayOf("web", store, { port: 0 })];
    const [local, remote] = [await files.keep(rows), await web.keep({ rows: [{ id: "secret" }] })];
    for (const tenant of ["sub:ada", "session:1", "anonymous:web"])
      expect(await web.open(local, tenant)).toBe("NOT_FOUND");
    for (const reference of [remote, remote.slice(0, 12)])
      expect(await files.open(reference)).toBe("NOT_FOUND");
    expect(readdirSync(join(store, "local"))).toEqual([files.own.slice("local:".length)]);
  });

  it("make no folder before anything is kept", async () => {
    const store = makeFolder();
    const files = gatewayOf("files", store);
    await files.archive.announce(files.own);
    expect(() => readdirSync(store)).toThrow("ENOENT");
    // What could not be noted then is noted with the first that is kept.
    await files.keep(rows);
    expect(readdirSync(join(store, "local"))).toHaveLength(1);
  });

  it("are noted by no store that several users may share", () => {
    expect(memoryStore().localTenants).toBeUndefined();
  });
});
