import { describe, expect, it } from "vitest";
import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import { countDigestChars, ratioOf } from "../../engine/digest/payload/serialize-payload.ts";
import { makePdf } from "../../engine/digest/sources/pdf/make-pdf.fixture.ts";
import { readDocument } from "../../engine/digest/sources/read-document.ts";
import { longText } from "../digest/long-text.fixture.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const query = "when did the old mill burn down?";

/** The payload of a document, one line. */
async function payloadOf(
  files: Record<string, string | Uint8Array>,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await runInProcess(["digest", ...args, "--payload", "--query", query], {
    cwd: tempFiles(files),
  });
  return stdout;
}

function withSize(payload: DigestPayload, size: number): DigestPayload {
  return { ...payload, digest_chars: size, compression_ratio: ratioOf(size, payload.original_chars) };
}

const html = `<!doctype html><title>Survey</title><body><article>${longText
  .split("\n\n")
  .map((part) => `<p>${part} &amp; more.</p>`)
  .join("")}</article>`;

describe("waybill verify", () => {
  // shows 001.130
  it("finds every quote of a digest in its document", async () => {
    const digest = await payloadOf({ "a.txt": longText }, ["a.txt"]);
    const cwd = tempFiles({ "a.txt": longText, "d.json": digest });
    const { exitCode, stdout, stderr } = await runInProcess(["verify", "d.json", "a.txt"], { cwd });
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^d\.json against a\.txt\n {2}payload {5}ok {2}all fields/);
    expect(stdout).toMatch(
      /\n {2}quotes {6}ok {2}(\d+) of \1 exact\n {2}pages {7}- {3}the source has none\n/,
    );
    expect(stdout).toMatch(/\n {2}summary {5}ok {2}(\d+) of \1 sentences? word for word in the document\n/);
    expect(stdout).toMatch(/\n {2}key points {2}ok {2}(\d+) of \1 word for word in the document\n/);
    expect(stdout).toContain("\nThe digest is correct: every quote is where its locator says.\n");
  });

  it("takes the document in another line ending, and its canonical text", async () => {
    const digest = await payloadOf({ "a.txt": longText }, ["a.txt"]);
    const cwd = tempFiles({ "crlf.txt": `\ufeff${longText.replaceAll("\n", "\r\n")}\r\n`, "d.json": digest });
    expect((await runInProcess(["verify", "d.json", "crlf.txt"], { cwd })).exitCode).toBe(0);
    const page = await payloadOf({ "a.html": html }, ["a.html"]);
    const { text } = await readDocument(html, { name: "a.html" });
    const own = tempFiles({ "a.html": html, "canonical.bin": text, "d.json": page });
    expect((await runInProcess(["verify", "d.json", "a.html"], { cwd: own })).exitCode).toBe(0);
    expect((await runInProcess(["verify", "d.json", "canonical.bin"], { cwd: own })).exitCode).toBe(0);
  });

  it("takes canonical text that looks like something else", async () => {
    const text = `<html> is how a page begins.\n\n${longText}`;
    const digest = await payloadOf({ "a.txt": text }, ["a.txt", "--type", "text/plain"]);
    const cwd = tempFiles({ "a.bin": text, "d.json": digest });
    expect((await runInProcess(["verify", "d.json", "a.bin"], { cwd })).exitCode).toBe(0);
  });

  it("checks the pages of a PDF", async () => {
    const pdf = await makePdf(longText.split("\n\n"));
    const digest = await payloadOf({ "a.pdf": pdf }, ["a.pdf"]);
    const cwd = tempFiles({
      "a.pdf": pdf,
      "d.json": digest,
      "bad.json": digest.replaceAll("page:3:", "page:4:"),
    });
    const { stdout } = await runInProcess(["verify", "d.json", "a.pdf"], { cwd });
    expect(stdout).toMatch(/\n {2}pages {7}ok {2}(\d+) of \1 on the page it names\n/);
    expect(stdout).toContain(", of the canonical text\n");
    const bad = await runInProcess(["verify", "bad.json", "a.pdf"], { cwd });
    expect(bad.exitCode).toBe(1);
    expect(bad.stdout).toMatch(/\n {2}pages {7}wrong {2}\d+ of \d+ on the page it names\n/);
    expect(bad.stdout).toContain(".locator says page 4, but it is on page 3");
    const short = await runInProcess(["verify", "d.json", "a.pdf", "--max-pages", "1"], { cwd });
    expect(short.stdout).toMatch(
      /\n {2}quotes {6}wrong {2}0 of \d+ exact\n {2}pages {7}- {6}no quote was found\n/,
    );
  });

  it("takes what another system made of the same document", async () => {
    const text = longText.replaceAll("\n\n", "\n\n\n  ");
    const digest = await payloadOf({ "a.txt": text }, ["a.txt", "--compat", "foundry"]);
    const cwd = tempFiles({ "a.txt": text, "d.json": digest });
    const { exitCode, stdout } = await runInProcess(["verify", "d.json", "a.txt"], { cwd });
    expect(stdout).toContain("of the text as Foundry has it");
    expect(exitCode).toBe(0);
    const page = await payloadOf({ "a.html": html }, ["a.html", "--compat", "foundry"]);
    const own = tempFiles({ "a.html": html, "d.json": page });
    const found = await runInProcess(["verify", "d.json", "a.html"], { cwd: own });
    expect(found.stdout).toContain("of the text as Foundry has it");
  });

  // shows 001.130
  it("reports the first difference to the character", async () => {
    const payload = JSON.parse(await payloadOf({ "a.txt": longText }, ["a.txt"]));
    const [first] = payload.evidence_snippets;
    first.text = first.text.replace("1831", "1813");
    const cwd = tempFiles({ "a.txt": longText, "d.json": JSON.stringify(payload) });
    const { exitCode, stdout } = await runInProcess(["verify", "d.json", "a.txt"], { cwd });
    expect(exitCode).toBe(1);
    const place = longText.indexOf("1831") + 2;
    expect(stdout).toContain(
      `evidence_snippets[0].text differs at character ${place}: the digest has "13 and was never rebuilt`,
    );
    expect(stdout).toContain("The digest is not correct.");
  });

  it("tells a changed document by its hash and length", async () => {
    const digest = await payloadOf({ "a.txt": longText }, ["a.txt"]);
    const cwd = tempFiles({ "a.txt": `${longText} More.`, "d.json": digest });
    const { exitCode, stdout } = await runInProcess(["verify", "d.json", "a.txt"], { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /\n {2}hash {8}wrong {2}sha256:[0-9a-f]{64}\n {2}length {6}wrong {2}[\d,]+ characters\n {2}size {8}ok /,
    );
  });

  it("tells a wrong size of the digest from a wrong length of the text", async () => {
    const payload = JSON.parse(await payloadOf({ "a.txt": longText }, ["a.txt"]));
    const digest = JSON.stringify(withSize(payload, payload.digest_chars - 1));
    const cwd = tempFiles({ "a.txt": longText, "d.json": digest });
    const { exitCode, stdout } = await runInProcess(["verify", "d.json", "a.txt"], { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /\n {2}length {6}ok {5}[\d,]+ characters\n {2}size {8}wrong {2}[\d,]+ characters as a digest\n/,
    );
  });

  it("says what is in words of its own, which is no mistake", async () => {
    const payload = JSON.parse(await payloadOf({ "a.txt": longText }, ["a.txt"]));
    const own = { ...payload, summary: "A survey.", key_points: [payload.key_points[0], "A mill burned."] };
    const digest = JSON.stringify(withSize(own, countDigestChars(own)));
    const cwd = tempFiles({ "a.txt": longText, "d.json": digest });
    const { exitCode, stdout } = await runInProcess(["verify", "d.json", "a.txt"], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("\n  summary     -   in words of its own: not proved\n");
    expect(stdout).toContain(
      "\n  key points  -   1 of 2 word for word, the others in words of its own: not proved\n",
    );
    const { data } = JSON.parse(
      (await runInProcess(["verify", "d.json", "a.txt", "--json"], { cwd })).stdout,
    );
    expect(data.results).toMatchObject([
      { summary: { found: 0, total: 1 }, key_points: { found: 1, total: 2 } },
    ]);
  });

  it("says what is wrong with a payload and checks nothing else", async () => {
    const payload = JSON.parse(await payloadOf({ "a.txt": longText }, ["a.txt"]));
    const broken = { ...payload, query_hash: "nope", compression_ratio: 2 };
    const cwd = tempFiles({ "a.txt": longText, "d.json": JSON.stringify(broken) });
    const { exitCode, stdout } = await runInProcess(["verify", "d.json", "a.txt"], { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toContain("  payload     wrong  2 problems\n  hash        -      not checked\n");
    expect(stdout).toContain("  query_hash is not exactly 8 lower-case hex digits");
  });
});

describe("where waybill verify finds a digest", () => {
  it("in a source, in an envelope, and on stdin", async () => {
    const payload = await payloadOf({ "a.txt": longText }, ["a.txt"]);
    const source = { id: "s1", content_type: "digest/v1", content: payload.trim() };
    const envelope = { success: true, data: { findings: [], sources: [source] }, error: null, meta: {} };
    const cwd = tempFiles({ "a.txt": longText, "source.json": JSON.stringify(source) });
    expect((await runInProcess(["verify", "source.json", "a.txt"], { cwd })).exitCode).toBe(0);
    const piped = await runInProcess(["verify", "-", "a.txt"], { cwd, stdin: JSON.stringify(envelope) });
    expect(piped.stdout).toMatch(/^stdin \/data\/sources\/0 against a\.txt\n/);
    expect(piped.exitCode).toBe(0);
    const own = await runInProcess(["digest", "a.txt", "--json"], { cwd });
    expect((await runInProcess(["verify", "-", "a.txt"], { cwd, stdin: own.stdout })).exitCode).toBe(0);
  });

  it("among several, by the hash of the document, or where it is told", async () => {
    const other = `Another document.\n\n${longText}`;
    const sources = [
      { content_type: "digest/v1", content: await payloadOf({ "a.txt": longText }, ["a.txt"]) },
      { content_type: "digest/v1", content: await payloadOf({ "b.txt": other }, ["b.txt"]) },
    ];
    const cwd = tempFiles({
      "b.txt": other,
      "c.txt": "Something else.",
      "all.json": JSON.stringify({ sources }),
    });
    const found = await runInProcess(["verify", "all.json", "b.txt", "--json"], { cwd });
    expect(JSON.parse(found.stdout).data.results).toMatchObject([{ pointer: "/sources/1", valid: true }]);
    const told = await runInProcess(["verify", "all.json", "b.txt", "--pointer", "/sources/0"], { cwd });
    expect(told.exitCode).toBe(1);
    const none = await runInProcess(["verify", "all.json", "c.txt"], { cwd });
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toContain("all.json holds 2 digests, and none is of this document.\n  /sources/0\n");
  });

  it("prints one envelope with --json, which fails when the digest does", async () => {
    const digest = await payloadOf({ "a.txt": longText }, ["a.txt"]);
    const cwd = tempFiles({
      "a.txt": longText,
      "b.txt": longText.replaceAll("mill", "inn"),
      "d.json": digest,
    });
    const good = JSON.parse((await runInProcess(["verify", "d.json", "a.txt", "--json"], { cwd })).stdout);
    expect(good.data.results).toMatchObject([
      { pointer: "", valid: true, problems: [], pages_checked: false, form: "as_given" },
    ]);
    const bad = JSON.parse((await runInProcess(["verify", "d.json", "b.txt", "--json"], { cwd })).stdout);
    expect(bad).toMatchObject({
      success: false,
      data: { error_code: "VALIDATION_ERROR", details: { check: "quote" } },
    });
  });
});

describe("waybill verify of what cannot be verified", () => {
  it.each([
    ["text.json", "a.txt", 1, "text.json is not JSON that can be read."],
    ["none.json", "a.txt", 1, "none.json holds no digest."],
    ["nope.json", "a.txt", 2, "Cannot read nope.json: there is no such file."],
    ["none.json", "-", 1, "none.json holds no digest."],
    ["-", "-", 2, '"-" is given twice'],
  ])("%s against %s", async (digest, source, code, says) => {
    const cwd = tempFiles({
      "text.json": "no JSON",
      "none.json": '{"a":[{"content_type":"text/plain"}]}',
      "a.txt": longText,
    });
    const { exitCode, stdout, stderr } = await runInProcess(["verify", digest, source], { cwd });
    expect(exitCode).toBe(code);
    expect(stdout).toBe("");
    expect(stderr).toContain(says);
  });

  it("names what is wrong with the document", async () => {
    const digest = await payloadOf({ "a.txt": longText }, ["a.txt"]);
    const cwd = tempFiles({ "d.json": digest, "empty.txt": "" });
    const empty = await runInProcess(["verify", "d.json", "empty.txt"], { cwd });
    expect(empty.exitCode).toBe(1);
    expect(empty.stderr).toContain("empty.txt: The document is empty");
    const refused = await runInProcess(["verify", "d.json", "http://127.0.0.1/"], { cwd });
    expect(refused.exitCode).toBe(2);
    const pointer = await runInProcess(["verify", "d.json", "empty.txt", "--pointer", "nope"], { cwd });
    expect(pointer.exitCode).toBe(2);
    expect(pointer.stderr).toContain("is not a JSON Pointer");
  });
});
