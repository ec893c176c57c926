import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decode } from "@toon-format/toon";
import { Parser } from "htmlparser2";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";
import {
  type FormCost,
  type PayloadForm,
  TOON_PACKAGE,
  payloadForms,
  writeForms,
} from "../tokens/write-forms.ts";

const records = Array.from({ length: 320 }, (_, id) => ({
  id,
  name: `Zimmer ${id} 東京`,
  status: id % 3 === 0 ? "open" : "closed",
  owner: { login: `user-${id % 7}`, admin: id % 7 === 0 },
}));
const indented = JSON.stringify({ rooms: records }, null, 2);

async function compareText(stdin: string, args: readonly string[] = []) {
  const { stdout, exitCode } = await runInProcess(["tokens", "--compare", "--json", ...args], { stdin });
  const { data } = JSON.parse(stdout);
  const of = (form: PayloadForm): FormCost =>
    (data.forms as FormCost[]).find((cost) => cost.form === form) ?? data.forms[0];
  return { data, of, exitCode };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("waybill tokens --compare", () => {
  it("counts every form in both encodings", async () => {
    const { data, of } = await compareText(indented);
    expect(data).toMatchObject({ source: "stdin", bytes: Buffer.byteLength(indented), budget_tokens: 8_000 });
    expect(data.forms.map(({ form }: FormCost) => form)).toEqual(payloadForms);
    const [o200k, cl100k] = await Promise.all([loadCounter("o200k_base"), loadCounter("cl100k_base")]);
    const written = await writeForms(indented, 8_000);
    for (const { form, text = "" } of written) {
      expect(of(form).bytes).toBe(Buffer.byteLength(text));
      expect(of(form).tokens).toEqual({ o200k_base: o200k.count(text), cl100k_base: cl100k.count(text) });
    }
  });

  it("writes TOON and tables that read back exactly, and says what each form saves", async () => {
    const { of } = await compareText(indented);
    const toon = (await writeForms(indented, 8_000)).find(({ form }) => form === "toon");
    expect(decode(toon?.text ?? "")).toEqual({ rooms: records });
    for (const form of ["as_given", "minified", "tables", "toon", "envelope"] as const)
      expect(of(form).reads_back).toBe("exact");
    const [given, minified] = [
      of("as_given").tokens?.o200k_base ?? 0,
      of("minified").tokens?.o200k_base ?? 0,
    ];
    expect(of("minified").saved_percent?.o200k_base).toBe(Math.round((1 - minified / given) * 1_000) / 10);
    expect(of("tables").tokens?.o200k_base).toBeLessThan(minified);
  });

  it("leaves TOON out where its package is not installed", async () => {
    const missing = async () => undefined;
    const forms = async (text: string) => (await writeForms(text, 8_000, missing)).map(({ form }) => form);
    expect(await forms(indented)).toEqual(payloadForms.filter((form) => form !== "toon"));
    expect(await forms("Just a line")).toEqual(payloadForms.filter((form) => form !== "toon"));
  });

  it("names the version of TOON that its tests run with", () => {
    const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
    const { devDependencies } = JSON.parse(manifest);
    expect(TOON_PACKAGE).toBe(`@toon-format/toon@${devDependencies["@toon-format/toon"]}`);
  });

  it("cuts to the default budget, whatever the environment of the process says", async () => {
    vi.stubEnv("WAYBILL_BUDGET_TOKENS", "500");
    vi.stubEnv("WAYBILL_PROFILE", "debug");
    const { of, data } = await compareText(indented);
    vi.unstubAllEnvs();
    expect((await compareText(indented)).data).toEqual(data);
    const cut = of("cut");
    expect(cut.reads_back).toBe("in_part");
    expect(cut.tokens?.o200k_base).toBeLessThanOrEqual(8_000);
    expect(cut.tokens?.o200k_base).toBeGreaterThan(6_000);
    expect(cut.remark).toMatch(/^\d+ of 320 records are kept, the rest comes back from the archive$/);
  });

  it("leaves a small payload whole", async () => {
    const { of } = await compareText('{"id":1}');
    expect(of("cut")).toEqual({ ...of("envelope"), form: "cut", remark: "it fits, nothing is cut" });
    expect(of("tables").remark).toBe("nothing in it is shorter as a table");
  });

  it.each([
    ["text", "Just a line\nand another", "it is not JSON"],
    ["JSON with a mistake", '{"a":1,}', "it is not JSON (line 1, column 8)"],
    ["JSON behind a byte order mark", '\uFEFF{"a":1}', "it begins with a byte order mark, which is not JSON"],
    [
      "a number that a double cannot hold",
      '{\n"id": 12345678901234567890 }',
      "it would change by being parsed (line 2)",
    ],
    [
      "what is nested too deeply",
      `${"[".repeat(1_100)}${"]".repeat(1_100)}`,
      "it is nested too deeply to be parsed",
    ],
    ["keys that would change places", '{ "b": 1, "1": 2 }', "its keys would change places by being parsed"],
  ])("keeps %s as text, since no form of JSON has it", async (_, stdin, remark) => {
    const { of, exitCode } = await compareText(stdin);
    expect(exitCode).toBe(0);
    for (const form of ["minified", "tables", "toon"] as const)
      expect(of(form)).toMatchObject({ tokens: null, bytes: null, reads_back: null, remark });
    expect(of("envelope").tokens?.o200k_base).toBeGreaterThan(of("as_given").tokens?.o200k_base ?? 0);
  });

  it("leaves TOON out where its package refuses the payload", async () => {
    const { of } = await compareText(String.raw`{"half":"\ud800"}`);
    expect(of("toon")).toMatchObject({ tokens: null, remark: "its package cannot write this payload" });
    expect(of("minified").reads_back).toBe("exact");
  });

  it("draws a bar for each form, the longest over the width", async () => {
    const { stdout } = await runInProcess(["tokens", "--compare"], { stdin: indented });
    const [title, head, ...rows] = stdout.trimEnd().split("\n");
    expect(title).toBe(`stdin, ${Buffer.byteLength(indented).toLocaleString("en-US")} bytes`);
    expect(head).toBe("tokens        cl100k_base  o200k_base   saved");
    expect(rows[0]).toMatch(/^as given +[\d,]+ +[\d,]+ +█+$/);
    expect(rows[0]).toHaveLength(80);
    expect(rows[5]).toMatch(/^cut to 8,000 +[\d,]+ +[\d,]+ +\d+\.\d % {2}█+.?$/);
    expect(rows[6]).toMatch(/^cut to 8,000: \d+ of 320 records are kept/);
  });

  it("draws the encoding that is asked for", async () => {
    const { stdout } = await runInProcess(["tokens", "--compare", "--encoding", "cl100k_base"], {
      stdin: "[1, 2]",
    });
    expect(stdout).toContain("tokens        o200k_base  cl100k_base");
  });

  it("names forms that share a remark once", async () => {
    const { stdout } = await runInProcess(["tokens", "--compare"], { stdin: "no JSON" });
    expect(stdout).toContain("\nminified; tables; TOON: it is not JSON\n");
  });
});

describe("waybill tokens --compare --html", () => {
  const hostile = "<img src=x onerror=alert(1)>&\u202e.json";

  it("writes one page that loads and runs nothing, whatever the file is called", async () => {
    const cwd = tempFiles({ [hostile]: indented });
    const run = await runInProcess(["tokens", "--compare", hostile, "--html", "page.html"], { cwd });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/^waybill: wrote \d+(\.\d)? KiB to page\.html\n$/);
    const page = readFileSync(join(cwd, "page.html"), "utf8");
    const names = new Set<string>();
    let words = "";
    const parser = new Parser({
      onopentagname: (name) => void names.add(name),
      ontext: (text) => void (words += text),
    });
    parser.end(page);
    for (const name of ["script", "img", "link", "iframe"]) expect(names).not.toContain(name);
    expect(page).toContain("default-src 'none'");
    expect(words).toContain("Tokens in o200k_base");
    expect(words).toContain("Tokens in cl100k_base");
    expect(words).toMatch(/\d+ of 320 records are kept/);
    expect(page.match(/<svg class="bar"/g)).toHaveLength(12);
  });

  it("shows a form that there is not without a bar", async () => {
    const cwd = tempFiles({ "a.txt": "no JSON" });
    await runInProcess(["tokens", "--compare", "a.txt", "--html", "page.html"], { cwd });
    const page = readFileSync(join(cwd, "page.html"), "utf8");
    expect(page).toContain("It is not JSON.");
    expect(page).toContain('<span class="figure">–</span>');
  });
});

describe("what waybill tokens --compare refuses", () => {
  it.each([
    [["a.json", "b.json"], 2, "--compare takes one file, not 2."],
    [["nope.json"], 2, "Cannot read nope.json: there is no such file."],
    [["empty.json"], 1, "empty.json is empty: there is nothing to compare."],
    [["binary.dat"], 1, "binary.dat is not UTF-8"],
    [["a.json", "--html", "a.json"], 2, "--html a.json would overwrite the document itself."],
    [["a.json", "--html", "-"], 2, "--html needs a file: give its name."],
    [["a.json", "--html", "no/such/page.html"], 1, "Cannot write no/such/page.html"],
  ])("%j", async (args, exitCode, message) => {
    const cwd = tempFiles({
      "a.json": "[]",
      "b.json": "{}",
      "empty.json": " \n",
      "binary.dat": Uint8Array.of(0xff),
    });
    const run = await runInProcess(["tokens", "--compare", ...args], { cwd });
    expect(run).toMatchObject({ exitCode, stdout: "" });
    expect(run.stderr).toContain(message);
    expect(readFileSync(join(cwd, "a.json"), "utf8")).toBe("[]");
  });

  it("a page without a comparison", async () => {
    const run = await runInProcess(["tokens", "--html", "page.html"], { stdin: "[]" });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain("--html is the page of a comparison.");
  });
});
