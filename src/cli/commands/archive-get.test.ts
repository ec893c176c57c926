import { readFileSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { entryPath } from "../../engine/archive/file/file-store.fixture.ts";
import { storedHere, tasks } from "../archive/stored.fixture.ts";
import { type RunOptions, runInProcess } from "../run-in-process.fixture.ts";

const text = JSON.stringify({ tasks });

async function get(reference: string, options: RunOptions, ...more: readonly string[]) {
  const written: Uint8Array[] = [];
  const ran = await runInProcess(["archive", "get", reference, "--store", "archive", ...more], {
    ...options,
    written,
  });
  return { ...ran, bytes: Buffer.concat(written) };
}

async function one(content: string | Uint8Array, contentType?: string) {
  const kept = contentType === undefined ? { content: [content] } : { content: [content], contentType };
  const { cwd, hashes } = await storedHere(kept);
  return { cwd, hash: hashes[0] ?? "" };
}

describe("waybill archive get", () => {
  it("does not write into the store it reads", async () => {
    const { cwd, hash } = await one(text);
    const entry = entryPath("archive", "local:waybill", hash);
    symlinkSync(join(cwd, entry), join(cwd, "link.json"));
    for (const out of [entry, "link.json", "archive/new.json"]) {
      const { exitCode, stderr } = await get(hash, { cwd }, "--range", "0-9", "--out", out);
      expect(exitCode).toBe(2);
      expect(stderr).toBe(`waybill: --out ${out} would write into the store itself.\nGive another file.\n`);
    }
    expect((await get(hash, { cwd })).stdout).toBe(text);
  });

  it("writes the very bytes to a pipe", async () => {
    const { cwd, hash } = await one(text);
    const { exitCode, stdout, stderr } = await get(hash, { cwd });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: text, stderr: "" });
    const image = Uint8Array.of(0x89, 0x50, 0, 0xff, 0x0a);
    const binary = await one(image, "image/png");
    expect((await get(binary.hash, { cwd: binary.cwd })).bytes).toEqual(Buffer.from(image));
  });

  it("takes every way to name an entry", async () => {
    const { cwd, hash } = await one(text);
    const handle = hash.slice(0, 12);
    const forms = [
      handle,
      handle.toUpperCase(),
      `sha256:${hash}`,
      `SHA256:${hash.toUpperCase()}`,
      `tasks-${handle}`,
      `waybill://archive/${hash}`,
    ];
    for (const form of forms) expect((await get(form, { cwd })).stdout).toBe(text);
    expect((await get(`waybill://archive/${hash}/0/9`, { cwd })).stdout).toBe(text.slice(0, 9));
  });

  it("writes what is at a pointer, and items one a line", async () => {
    const { cwd, hash } = await one(text);
    expect((await get(hash, { cwd }, "--pointer", "/tasks/41/title")).stdout).toBe(
      '"Rotate the signing key"\n',
    );
    const { stdout } = await get(hash, { cwd }, "--pointer", "/tasks/3..5");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(tasks.slice(3, 6));
  });

  it("writes a range of bytes", async () => {
    const { cwd, hash } = await one("0123456789", "text/plain");
    expect((await get(hash, { cwd }, "--range", "2-5")).stdout).toBe("234");
    expect((await get(hash, { cwd }, "--range", "7-")).stdout).toBe("789");
    expect((await get(hash, { cwd }, "--range", "7-100")).stdout).toBe("789");
    expect((await get(hash, { cwd }, "--range", "11-12")).exitCode).toBe(2);
    expect((await get(hash, { cwd }, "--range", "5-2")).exitCode).toBe(2);
    expect((await get(hash, { cwd }, "--range", "five")).stderr).toContain("Give bytes as S-E");
    expect((await get(hash, { cwd }, "--range", "1-2", "--pointer", "/a")).exitCode).toBe(2);
  });

  it("writes to a file, and says when it cannot", async () => {
    const { cwd, hash } = await one(text);
    const { stdout } = await get(hash, { cwd }, "--out", "whole.json");
    expect(stdout).toContain("to whole.json; the content matches its sha256");
    expect(readFileSync(join(cwd, "whole.json"), "utf8")).toBe(text);
    const { exitCode, stderr } = await get(hash, { cwd }, "--out", "no/such/folder");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Cannot write no/such/folder (ENOENT).");
  });

  it("keeps a terminal safe", async () => {
    const binary = await one(Uint8Array.of(1, 0xff), "image/png");
    const refused = await get(binary.hash, { cwd: binary.cwd, terminal: true });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("--out <file>");
    const tricky = await one("red \u001b[31m\n\tend", "text/plain");
    const shown = await get(tricky.hash, { cwd: tricky.cwd, terminal: true });
    expect(shown.stdout).toBe("red \\u001b[31m\n\tend\n");
  });

  it("carries the content in the envelope", async () => {
    const { cwd, hash } = await one(text);
    const { data } = JSON.parse((await get(hash, { cwd }, "--json")).stdout);
    expect(data).toMatchObject({ archive: `sha256:${hash}`, verified: true, bytes: text.length, text });
    const binary = await one(Uint8Array.of(1, 0xff), "image/png");
    const envelope = await get(binary.hash, { cwd: binary.cwd, terminal: true }, "--json");
    expect(JSON.parse(envelope.stdout).data.base64).toBe("Af8=");
  });
});

describe("what cannot be had", () => {
  it("is refused when it is damaged", async () => {
    const { cwd, hash } = await one(text);
    truncateSync(entryPath(join(cwd, "archive"), "local:waybill", hash), 100);
    const { exitCode, stdout, stderr } = await get(hash, { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("The stored copy is damaged and was not served.");
  });

  it("is a miss that names the tenants there are", async () => {
    const { cwd, hashes } = await storedHere({ content: ["1"], tenant: "sub:ada" }, { content: ["2"] });
    const missed = await get("3f2a9c01b7de", { cwd });
    expect(missed.exitCode).toBe(1);
    expect(missed.stderr).toContain(
      "3f2a9c01b7de is not in the archive: it has expired, or was never kept there.",
    );
    expect(missed.stderr).toContain("tenant local:waybill: 1 entry");
    const foreign = await get(hashes[0] ?? "", { cwd }, "--tenant", "local:waybill");
    expect(foreign.exitCode).toBe(1);
    expect(foreign.stderr).toContain("is kept for another tenant");
    const anybodys = await get(hashes[0] ?? "", { cwd });
    expect(anybodys).toMatchObject({ exitCode: 0, stdout: "1" });
    expect(anybodys.stderr).toMatch(/^waybill: kept for tenant [0-9a-f]{12}\n$/);
    expect((await get(hashes[0] ?? "", { cwd }, "--tenant", "sub:ada")).stdout).toBe("1");
    const nobody = await get("3f2a9c01b7de", { cwd }, "--tenant", "sub:eve");
    expect(nobody.stderr).toContain("Nothing is kept for sub:eve. Name another with --tenant, by");
  });

  it("is had by the digits of a tenant that ls shows, in get, search and ls", async () => {
    const { cwd, hashes } = await storedHere(
      { content: ['["needle"]'], tenant: "sub:ada" },
      { content: ["2"] },
    );
    const [hash = "", own = ""] = hashes;
    const listed = await runInProcess(["archive", "ls", "--store", "archive"], { cwd });
    const shown = /[0-9a-f]{12}$/m.exec(listed.stdout)?.[0] ?? "";
    expect((await get(hash, { cwd }, "--tenant", shown)).stdout).toBe('["needle"]');
    const store = ["--store", "archive", "--tenant", shown];
    expect((await runInProcess(["archive", "search", hash, "needle", ...store], { cwd })).stdout).toContain(
      "/0",
    );
    expect((await runInProcess(["archive", "ls", ...store], { cwd })).stdout).toContain("1 entry, ");
    expect((await get(own, { cwd }, "--tenant", shown)).stderr).toContain(
      `is kept for another tenant, local:waybill, not for ${shown}.`,
    );
  });

  it.each(["nonsense", "3f2a", "waybill://archive/", "'", "../../etc/passwd"])(
    "is wrong usage when %j names no entry",
    async (reference) => {
      const { cwd } = await storedHere();
      const { exitCode, stderr } = await get(reference, { cwd });
      expect(exitCode).toBe(2);
      expect(stderr).toContain("does not name an entry.");
      expect(stderr.replaceAll(/\s+/g, " ")).toContain("`waybill archive ls` lists what is kept.");
      expect(stderr).not.toContain("sign-in");
    },
  );

  it("is wrong usage for a tenant without a name, in get and ls", async () => {
    const { cwd, hash } = await one(text);
    const store = ["--store", "archive", "--tenant", ""];
    for (const words of [
      ["archive", "get", hash, ...store],
      ["archive", "ls", ...store],
    ]) {
      const { exitCode, stdout, stderr } = await runInProcess(words, { cwd });
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
      expect(stderr).toContain("The tenant is empty: give its name, such as local:waybill, or the digits");
      expect(stderr).not.toContain("Retry");
    }
  });

  it("is a miss at a pointer that leads nowhere", async () => {
    const { cwd, hash } = await one(text);
    expect((await get(hash, { cwd }, "--pointer", "/tasks/999")).exitCode).toBe(1);
    expect((await get(hash, { cwd }, "--pointer", "tasks")).exitCode).toBe(2);
  });
});
