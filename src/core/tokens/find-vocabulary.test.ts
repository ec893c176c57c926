import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findVocabulary } from "./read-counter.ts";

const elsewhere = mkdtempSync(join(tmpdir(), "waybill-alone-"));
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

describe("findVocabulary", () => {
  it("finds the file by the package's name", () => {
    expect(readFileSync(findVocabulary("o200k_base")).length).toBeGreaterThan(800_000);
  });

  it("looks from the next module where one cannot see the package", () => {
    const found = findVocabulary("cl100k_base", [join(elsewhere, "server.js"), import.meta.url]);
    expect(found).toBe(findVocabulary("cl100k_base"));
  });

  it("says that the package is not installed where no module can see it", () => {
    const alone = (): string => findVocabulary("o200k_base", [join(elsewhere, "server.js")]);
    expect(alone).toThrow('The package "waybill" is not installed here, so o200k_base has no vocabulary.');
  });
});
