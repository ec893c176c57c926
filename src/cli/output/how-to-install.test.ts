import { describe, expect, it } from "vitest";
import { exitCodes } from "../cli-io.ts";
import { explainFault } from "../digest/load-document.ts";
import { missingReader } from "../../engine/digest/sources/reader-packages.ts";
import { howToInstall, installedBy } from "./how-to-install.ts";

const packageFiles = new Set(["/srv/shop/package.json", "C:\\srv\\shop/package.json"]);
const by = (path: string) => installedBy(path, (file) => packageFiles.has(file));

describe("installedBy", () => {
  it.each([
    ["/home/ada/.npm/_npx/1f2e/node_modules/waybill/dist/cli/main.js", "npx"],
    ["/usr/lib/node_modules/waybill/dist/cli/main.js", "global"],
    ["C:\\Users\\ada\\AppData\\Roaming\\npm\\node_modules\\waybill\\dist\\cli\\main.js", "global"],
    ["/srv/shop/node_modules/waybill/dist/cli/main.js", "project"],
    ["/srv/shop/node_modules/.pnpm/waybill@0.1.0/node_modules/waybill/dist/cli/main.js", "project"],
    ["C:\\srv\\shop\\node_modules\\waybill\\dist\\cli\\main.js", "project"],
    ["/srv/waybill/dist/cli/main.js", undefined],
    ["/tmp/other/node_modules/waybill/dist/cli/main.js", undefined],
  ])("tells of %s: %s", (path, expected) => {
    expect(by(path)).toBe(expected);
  });
});

describe("howToInstall", () => {
  it.each([
    ["npx", "Run `npx -p waybill -p unpdf@1.7.0 waybill digest a.pdf`."],
    ["global", "Run `npm i -g unpdf@1.7.0`, then try again."],
    ["project", "Run `npm i unpdf@1.7.0`, then try again."],
  ] as const)("gives the command for %s", (way, sentence) => {
    expect(howToInstall(["unpdf@1.7.0"], "digest a.pdf", way)).toBe(sentence);
  });

  it("gives all three in one sentence where it cannot know", () => {
    expect(howToInstall(["a@1.0.0", "b@2.0.0"], "digest a.html")).toBe(
      "With npx run `npx -p waybill -p a@1.0.0 -p b@2.0.0 waybill digest a.html`; " +
        "for a global waybill `npm i -g a@1.0.0 b@2.0.0`; in a project `npm i a@1.0.0 b@2.0.0`.",
    );
  });

  it("is what a digest without its reader ends with", () => {
    expect(explainFault(missingReader("pdf"), "a.pdf", "digest a.pdf")).toMatchObject({
      message: "a.pdf: Reading PDF needs the package unpdf, which is not installed.",
      exitCode: exitCodes.usage,
      errorCode: "NOT_IMPLEMENTED",
      remediation: expect.stringContaining("npx -p waybill -p unpdf@1.7.0 waybill digest a.pdf"),
      details: { reason: "reader_missing", document_type: "pdf", packages: ["unpdf@1.7.0"] },
    });
  });
});
