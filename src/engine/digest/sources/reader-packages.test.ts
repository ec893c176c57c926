import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError } from "../../../core/contract/contract-error.ts";
import { installedReaders } from "./installed-readers.ts";
import { readDocument } from "./read-document.ts";
import { missingKind, missingReader, packagesFor, readerKinds, readerPackages } from "./reader-packages.ts";
import { documentIn, toWorkerAnswer } from "./worker/read-job.ts";

const manifest = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
};

/** As if a package were not installed. */
function takeAway(name: string): void {
  vi.resetModules();
  vi.doMock(name, () => {
    throw new Error(`Cannot find package '${name}'`);
  });
}

const taken = ["htmlparser2", "linkedom/worker", "@mozilla/readability", "markdown-it", "unpdf"];

afterEach(() => {
  for (const name of taken) vi.doUnmock(name);
  vi.resetModules();
});

describe("the packages of readers", () => {
  it("are optional peers in the versions that the tests run with, and no dependencies", () => {
    const named = Object.assign({}, ...readerKinds.map((kind) => readerPackages[kind])) as Record<
      string,
      string
    >;
    for (const [name, version] of Object.entries(named)) {
      expect(manifest.devDependencies[name]).toBe(version);
      expect(manifest.peerDependencies[name]).toBe(`^${version}`);
      expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
      expect(manifest.dependencies).not.toHaveProperty([name]);
    }
  });

  it.each(["deploy/Dockerfile", "docs/digest.md", "docs/install.md"])(
    "are named in %s with these versions",
    (file) => {
      const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");
      for (const one of packagesFor(...readerKinds)) expect(text).toContain(one);
    },
  );

  it("are named once where two kinds need the same one", () => {
    expect(packagesFor("markdown", "html").filter((one) => one.startsWith("htmlparser2@"))).toHaveLength(1);
  });

  it("are looked for without being loaded", () => {
    expect(installedReaders()).toEqual({ present: [...readerKinds], missing: [] });
    const withoutPdf = installedReaders((name) => (name === "unpdf" ? undefined : "1.0.0"));
    expect(withoutPdf).toEqual({ present: ["html", "markdown"], missing: ["pdf"] });
  });
});

describe("a reader that is missing", () => {
  it("is a fault that tells the model what to do, and its cause tells the author what to run", () => {
    const fault = missingReader("pdf", Object.assign(new Error("gone"), { code: "ERR_MODULE_NOT_FOUND" }));
    expect(fault).toMatchObject({
      message: "PDF cannot be read here: its reader is not installed",
      code: "NOT_IMPLEMENTED",
      remediation:
        "Pass the text of the document as plain text, or ask the operator to install the reader of PDF.",
      details: { reason: "reader_missing", document_type: "pdf" },
    });
    const cause = fault.cause as ContractError;
    expect(ContractError.isInstance(cause)).toBe(true);
    const sentence = "Reading PDF needs the package unpdf, which is not installed: run `npm i unpdf@1.7.0`.";
    expect([cause.message, cause.stack, cause.cause]).toEqual([
      sentence,
      `ContractError: ${sentence}`,
      undefined,
    ]);
    expect(JSON.stringify(fault.fault)).not.toMatch(/unpdf|npm/);
  });

  it("keeps an error that is not about a missing package for the author", () => {
    const broken = new SyntaxError("unexpected token");
    expect((missingReader("html", broken).cause as Error).cause).toBe(broken);
  });

  it.each(readerKinds)("of %s is the same fault when a worker reports it", (kind) => {
    const answer = structuredClone(toWorkerAnswer(missingReader(kind)));
    const error = (() => {
      try {
        return documentIn(answer);
      } catch (caught) {
        return caught;
      }
    })();
    expect(missingKind(error)).toBe(kind);
    expect((error as Error).cause).toMatchObject({ message: expect.stringContaining("npm i ") });
  });

  it.each([
    ["html", "linkedom/worker", "<!doctype html><title>T</title><p>Words of a page.</p>", "page.html"],
    ["html", "@mozilla/readability", "<!doctype html><title>T</title><p>Words of a page.</p>", "page.html"],
    ["html", "htmlparser2", "<!doctype html><title>T</title><p>Words of a page.</p>", "page.html"],
    ["markdown", "htmlparser2", "# Heading\n\nWords of a text.", "notes.md"],
    ["markdown", "markdown-it", "# Heading\n\nWords of a text.", "notes.md"],
    ["pdf", "unpdf", new TextEncoder().encode("%PDF-1.4\n%%EOF"), "report.pdf"],
  ])("of %s is found when %s is not there", async (kind, name, source, fileName) => {
    takeAway(name);
    const fresh = await import("./read-document.ts");
    const error: unknown = await fresh
      .readDocument(source, { name: fileName, isolate: false })
      .catch((caught: unknown) => caught);
    expect(missingKind(error)).toBe(kind);
  });

  it("lets a text that only looks like Markdown be read as plain text, with a warning", async () => {
    const text = "# Heading\n\n- a [link](https://example.com)\n- an item\n";
    expect((await readDocument(text, { isolate: false })).type).toBe("markdown");
    takeAway("markdown-it");
    const fresh = await import("./read-document.ts");
    const document = await fresh.readDocument(text, { isolate: false });
    expect(document.text).toBe(text.trim());
    expect(document.warnings).toMatchObject([
      { code: "FALLBACK_USED", context: { reason: "reader_missing", document_type: "markdown" } },
    ]);
  });

  it("is not asked for by plain text", async () => {
    for (const name of taken) vi.doMock(name, () => Promise.reject(new Error("gone")));
    vi.resetModules();
    const fresh = await import("./read-document.ts");
    expect(await fresh.readDocument("Only words, and no marks.")).toMatchObject({ type: "text" });
  });
});
