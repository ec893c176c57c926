import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makePdf } from "../../engine/digest/sources/pdf/make-pdf.fixture.ts";
import { deserializePayload, serializePayload } from "../../engine/digest/payload/serialize-payload.ts";
import { MILL_SENTENCE, longText } from "../digest/long-text.fixture.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

const query = "when did the old mill burn down?";

describe("waybill digest", () => {
  it("prints what the document is, its summary, key points and evidence, and how to check it", async () => {
    const cwd = tempFiles({ "survey.txt": longText });
    const { exitCode, stdout, stderr } = await runInProcess(["digest", "survey.txt", "--query", query], {
      cwd,
    });
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toMatch(
      /^survey\.txt · text · [\d,]+ characters, as a digest [\d,]+ \([\d.]+ %\)\n\nSummary\n/,
    );
    expect(stdout).toContain("\nKey points\n  - ");
    expect(stdout).toMatch(/\nEvidence\n {2}1 {2}[━─]{10} {2}[01]\.\d\d {2}char:\d+-\d+\n/);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(MILL_SENTENCE);
    expect(stdout).toContain(`waybill digest survey.txt --query '${query}' --payload > digest.json`);
    expect(stdout).toContain("waybill verify digest.json survey.txt");
    expect(
      Math.max(
        ...stdout
          .split("\n")
          .slice(0, -4)
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(80);
  });

  it("names in its advice what changes the text that is read", async () => {
    const args = ["digest", "-", "--type", "text/plain; charset=utf-8", "--max-bytes", "9000"];
    const { stdout } = await runInProcess(args, { stdin: longText });
    expect(stdout).toContain(
      "waybill verify digest.json <source> --type 'text/plain; charset=utf-8' --max-bytes 9000\n",
    );
  });

  it("paints the words of the query on a terminal, unless colours are refused", async () => {
    const cwd = tempFiles({ "survey.txt": longText });
    const args = ["digest", "survey.txt", "--query", query];
    const painted = await runInProcess(args, { cwd, terminal: true });
    expect(painted.stdout).toContain("\u001b[1m\u001b[33mmill\u001b[39m\u001b[22m");
    const plain = await runInProcess(args, { cwd, terminal: true, env: { NO_COLOR: "1" } });
    expect(plain.stdout).not.toContain("\u001b");
  });

  it("prints the payload alone, as it is serialised, with --payload", async () => {
    const { stdout } = await runInProcess(["digest", "-", "--payload", "--query", query], {
      stdin: longText,
    });
    const payload = deserializePayload(stdout);
    expect(stdout).toBe(`${serializePayload(payload)}\n`);
    expect(payload.evidence_snippets.map(({ text }) => text).join(" ")).toContain(MILL_SENTENCE);
    const seed = await runInProcess(["digest", "-", "--payload", "--compat", "foundry"], { stdin: longText });
    expect(seed.stdout).toMatch(/^\{"compression_ratio": 0\.\d+, "content_type": "digest\/v1", /);
  });

  it("prints one envelope with digest, source and spans with --json", async () => {
    const cwd = tempFiles({ "survey.md": `# The survey\n\n${longText}` });
    const { stdout } = await runInProcess(["digest", "survey.md", "--json"], { cwd });
    const { data } = JSON.parse(stdout);
    expect(data).toMatchObject({
      source: "survey.md",
      type: "markdown",
      title: "The survey",
      pages: null,
      url: null,
    });
    expect(data.digest.content_type).toBe("digest/v1");
    expect(data.spans.key_points).toHaveLength(data.digest.key_points.length);
  });

  it("keeps to the sizes that are asked for", async () => {
    const args = [
      "digest",
      "-",
      "--payload",
      "--snippets",
      "1",
      "--summary-chars",
      "200",
      "--key-points",
      "0",
    ];
    const { stdout } = await runInProcess(args, { stdin: longText });
    const payload = deserializePayload(stdout);
    expect(payload.evidence_snippets.length).toBeLessThanOrEqual(1);
    expect(payload.summary.length).toBeLessThanOrEqual(200);
    expect(payload.key_points).toEqual([]);
  });

  // shows 001.126
  it("names the pages of a PDF", async () => {
    const pdf = await makePdf(longText.split("\n\n"), { title: "Survey of the parishes" });
    const cwd = tempFiles({ "survey.pdf": pdf });
    const { stdout } = await runInProcess(["digest", "survey.pdf", "--query", query], { cwd });
    expect(stdout).toMatch(/^Survey of the parishes\nsurvey\.pdf · pdf · 8 pages · /);
    expect(stdout).toMatch(/ page:3:char:\d+-\d+\n/);
  });

  it("reads another charset when it is told", async () => {
    const stdin = Buffer.from(longText.replaceAll("mill", "Mühle"), "latin1");
    const args = ["digest", "-", "--query", "Mühle", "--type", "text/plain; charset=iso-8859-1"];
    expect((await runInProcess(args, { stdin })).stdout).toContain("The old Mühle at Arden");
  });

  it("reads what it is told is plain text as such, whatever the name says", async () => {
    const cwd = tempFiles({ "survey.md": `# Survey\n\n${longText}` });
    const { stdout } = await runInProcess(["digest", "survey.md", "--type", "text/plain"], { cwd });
    expect(stdout).toMatch(/^survey\.md · text · /);
  });

  it("refuses a type that it cannot read, and lists those that it can", async () => {
    const cwd = tempFiles({ "survey.txt": longText });
    const { exitCode, stderr } = await runInProcess(["digest", "survey.txt", "--type", "text/markdwn"], {
      cwd,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--type text/markdwn is not a type that can be digested.");
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
      /Did you mean "text\/markdown"\? Choose one of application\/pdf, /,
    );
  });

  it("writes a page with --html and says so on stderr", async () => {
    const cwd = tempFiles({ "survey.txt": longText });
    const args = ["digest", "survey.txt", "--query", query, "--html", "out.html"];
    const { exitCode, stderr } = await runInProcess(args, { cwd });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^waybill: wrote [\d.]+ KiB to out\.html\n$/);
    const page = readFileSync(join(cwd, "out.html"), "utf8");
    expect(page).toContain("<title>survey.txt – digest</title>");
    expect(page).toMatch(/<mark id="evidence-1">/);
  });

  it("says what is to be known of the document on stderr", async () => {
    const pdf = await makePdf([...longText.split("\n\n"), { image: true }]);
    const cwd = tempFiles({ "survey.pdf": pdf });
    const { exitCode, stderr } = await runInProcess(["digest", "survey.pdf"], { cwd });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^waybill: Page 9 of 9 /);
  });
});

describe("waybill digest --summariser-url", () => {
  const answer = { summary: "Eight parishes were surveyed.", key_points: ["A mill burned."] };

  it("lets a model write summary and key points, with the key of the environment", async () => {
    let key: string | undefined;
    const server = createServer((request, response) => {
      key = request.headers.authorization;
      request.resume().on("end", () => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(answer) } }] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const { stdout } = await runInProcess(
      ["digest", "-", "--json", "--summariser-url", url, "--summariser-model", "small"],
      { stdin: longText, env: { WAYBILL_SUMMARISER_KEY: "k-1" } },
    );
    const { digest, spans } = JSON.parse(stdout).data;
    expect(digest).toMatchObject(answer);
    expect(spans).toBeNull();
    expect(key).toBe("Bearer k-1");
  });

  it("quotes when the model is away, and says so", async () => {
    const { exitCode, stdout, stderr } = await runInProcess(
      [
        "digest",
        "-",
        "--payload",
        "--summariser-url",
        "http://127.0.0.1:9/v1",
        "--summariser-model",
        "small",
      ],
      { stdin: longText },
    );
    expect(exitCode).toBe(0);
    expect(longText).toContain(deserializePayload(stdout).key_points[0] ?? "nothing");
    expect(stderr).toMatch(/^waybill: /);
  });

  it("needs both its options, and an address", async () => {
    const half = await runInProcess(["digest", "-", "--summariser-model", "small"], { stdin: longText });
    expect(half).toMatchObject({ exitCode: 2, stdout: "" });
    expect(half.stderr).toContain("--summariser-url and --summariser-model go together.");
    const args = ["digest", "-", "--summariser-model", "small", "--summariser-url", "model.test"];
    const wrong = await runInProcess(args, { stdin: longText });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain("--summariser-url is not an http(s) address");
  });
});
