import { linkSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePdf } from "../../engine/digest/sources/pdf/make-pdf.fixture.ts";
import { longText } from "../digest/long-text.fixture.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");

describe("waybill digest of what cannot be digested", () => {
  it.each([
    ["nope.txt", 2, /^waybill: Cannot read nope\.txt: there is no such file\.\nCheck the path/],
    [".", 2, /^waybill: Cannot read \.: it is a directory\.\nName a file in it\./],
    ["empty.txt", 1, /^waybill: empty\.txt: The document is empty/],
    ["blank.txt", 1, /^waybill: blank\.txt: The document is empty/],
    ["photo.txt", 1, /^waybill: photo\.txt: The document is .*PNG.*\n.+/],
    ["cut.pdf", 1, /^waybill: cut\.pdf: .+\n.+/],
    ["locked.pdf", 1, /^waybill: locked\.pdf: .*(password|encrypted).*\n.+/],
    ["scan.pdf", 1, /^waybill: scan\.pdf: .+\n.*OCR/],
  ])("says of %s what is wrong and what to do, exit code %i", async (file, code, says) => {
    const cwd = tempFiles({
      "empty.txt": "",
      "blank.txt": " \n\t\n",
      "photo.txt": png,
      "cut.pdf": "%PDF-1.7\nnothing of the kind",
      "locked.pdf": await makePdf(["secret"], { password: "x" }),
      "scan.pdf": await makePdf([{ image: true }]),
    });
    const { exitCode, stdout, stderr } = await runInProcess(["digest", file], { cwd });
    expect(exitCode).toBe(code);
    expect(stdout).toBe("");
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/ {4}at |\.ts:|internal error/);
  });

  it.each([
    ["--policy", "some", "Allowed choices are off, auto, always."],
    ["--snippets", "11", "Give a whole number from 0 to 10."],
    ["--key-points", "-1", "Give a whole number from 0 to 10."],
    ["--summary-chars", "many", "Give a whole number from 0 to 2000."],
    ["--timeout", "0", "Give a number of seconds above 0 and up to 3600."],
    ["--max-bytes", "1e3", "Give a whole number of 1 or more."],
    ["--compat", "other", "Allowed choices are foundry."],
    ["--html", "-", "--html needs a file"],
    ["--allow-private", "foo", '--allow-private holds "foo". Write an address'],
    ["--allow-private", "http://u:secret@h/", '--allow-private holds "http://***@h/". Write an address'],
  ])("refuses %s %s", async (option, value, says) => {
    const { exitCode, stdout, stderr } = await runInProcess(["digest", "-", option, value], {
      stdin: longText,
    });
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(says);
  });

  it("refuses two forms of output at once", async () => {
    const { exitCode, stdout } = await runInProcess(["digest", "-", "--payload", "--json"], {
      stdin: longText,
    });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      error: "--payload and --json print the digest in two forms: give one of them.",
    });
  });

  it("refuses what is larger than --max-bytes", async () => {
    const { exitCode, stderr } = await runInProcess(["digest", "-", "--max-bytes", "1000"], {
      stdin: longText,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      "waybill: stdin is larger than 1000 bytes.\nTo read it all the same, give a larger --max-bytes.\n",
    );
  });

  it("wants to know what to digest", async () => {
    const { exitCode, stderr } = await runInProcess(["digest"]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe("waybill: missing required argument 'source'\nSee `waybill help digest`.\n");
  });

  it("cannot write a page where there is no directory", async () => {
    const { exitCode, stderr } = await runInProcess(["digest", "-", "--html", "/nonexistent/p.html"], {
      stdin: longText,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Cannot write /nonexistent/p.html (ENOENT).");
  });
});

describe("waybill digest --html over its own source", () => {
  it.each([
    ["the same name", "a.txt", "a.txt"],
    ["another spelling", "a.txt", "./sub/../a.txt"],
    ["a link to the source", "a.txt", "link.txt"],
    ["the source by a link", "link.txt", "a.txt"],
    ["a second name of the file", "a.txt", "hard.txt"],
  ])("is refused: %s", async (_, source, html) => {
    const cwd = tempFiles({ "a.txt": longText });
    mkdirSync(join(cwd, "sub"));
    symlinkSync("a.txt", join(cwd, "link.txt"));
    linkSync(join(cwd, "a.txt"), join(cwd, "hard.txt"));
    const { exitCode, stdout, stderr } = await runInProcess(["digest", source, "--html", html], { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toBe(`waybill: --html ${html} would overwrite the document itself.\nGive another file.\n`);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe(longText);
  });
});

describe("waybill digest of what is left as it is", () => {
  it.each([
    ["always", "Too short to get any shorter.", "A digest would take", "Use the document itself."],
    ["auto", "Too short to get any shorter.", 'the policy "auto" leaves texts under 500', "--policy always"],
    ["off", longText, "Digests are turned off.", "Leave --policy out."],
  ])("prints no digest under %s, gives the reason and ends with 1", async (policy, stdin, why, advice) => {
    const args = ["digest", "-", "--payload", "--policy", policy];
    const { exitCode, stdout, stderr } = await runInProcess(args, { stdin });
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    const [reason, todo] = stderr.split("\n");
    expect(reason).toContain("stdin has no digest.");
    expect(reason).toContain(why);
    expect(todo).toContain(advice);
  });

  it("says so in the envelope", async () => {
    const { stdout } = await runInProcess(["digest", "-", "--json"], { stdin: "Short." });
    const { success, data } = JSON.parse(stdout);
    expect(success).toBe(false);
    expect(data).toMatchObject({ error_code: "VALIDATION_ERROR", details: { reason: "not_smaller" } });
  });

  it.each(["off", "always"])("is of a type that is not tried again under %s", async (policy) => {
    const { stdout } = await runInProcess(["digest", "-", "--json", "--policy", policy], { stdin: "Short." });
    expect(JSON.parse(stdout).data.error_type).toBe("validation");
  });
});
