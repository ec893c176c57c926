import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../dist/dashboard/", import.meta.url));
/** What a browser asks for; the declarations beside it and the licences it never loads. */
const loaded = new Set([".html", ".js", ".css", ".svg"]);

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => loaded.has(extname(name)))
  .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));

describe("the built dashboard", () => {
  it("weighs at most 80 kB with gzip, everything together", () => {
    const weight = files.reduce((sum, { bytes }) => sum + gzipSync(bytes, { level: 9 }).length, 0);
    expect(files.length).toBeGreaterThan(3);
    expect(weight).toBeLessThanOrEqual(80_000);
  });

  it("has nothing inline and nothing from elsewhere, so that the strictest policy holds", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8");
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
    expect(page.match(/(?:src|href)="(?!\/)[^"]*"/g)).toBeNull();
  });

  it("carries the licences of what is bundled into it", () => {
    const licenses = readFileSync(join(folder, "licenses.txt"), "utf8");
    for (const name of ["preact", "@preact/signals", "@preact/signals-core", "uplot"])
      expect(licenses).toContain(`${name}\n\n`);
    expect(licenses.match(/Permission is hereby granted/g)?.length).toBe(4);
  });
});
