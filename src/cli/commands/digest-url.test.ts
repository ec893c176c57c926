import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { longText } from "../digest/long-text.fixture.ts";
import { runInProcess } from "../run-in-process.fixture.ts";

/** A server on loopback that gives every path the same answer. */
async function serve(
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  status = 200,
): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("waybill digest of a URL", () => {
  it("fetches a permitted one, whose header tells the charset", async () => {
    const host = await serve(Buffer.from(longText.replaceAll("mill", "Mühle"), "latin1"), {
      "content-type": "text/plain; charset=iso-8859-1",
    });
    const url = `http://${host}/survey`;
    const args = ["digest", url, "--allow-private", host, "--query", "Mühle", "--json"];
    const { exitCode, stdout } = await runInProcess(args);
    expect(exitCode).toBe(0);
    const { data } = JSON.parse(stdout);
    expect(data).toMatchObject({ source: url, url, type: "text" });
    expect(JSON.stringify(data.digest)).toContain("The old Mühle at Arden");
  });

  it.each([
    ["http://127.0.0.1/", "its host is not on the public internet", "--allow-private"],
    ["http://127.0.0.1:9/", "its port is not allowed", "--allow-private"],
    ["http://localhost/", "its host is a name of a local network", "--allow-private"],
    ["file:///etc/passwd", "it is neither http nor https", "http://"],
    ["https://a:b@example.com/", "it holds a name or a password", "//"],
    ["http://[::1", "The URL cannot be read", "https://example.com/report.pdf"],
  ])("refuses %s and says what to do", async (url, why, advice) => {
    const { exitCode, stdout, stderr } = await runInProcess(["digest", url]);
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(why);
    expect(stderr.split("\n")[1]).toContain(advice);
  });

  it("ends with 3 when the server is away or has no time", async () => {
    const away = await runInProcess(["digest", "http://127.0.0.1:9/", "--allow-private", "127.0.0.1:9"]);
    expect(away.exitCode).toBe(3);
    expect(away.stderr).toContain("The server cannot be reached");
    const host = await serve("", {}, 503);
    expect((await runInProcess(["digest", `http://${host}/`, "--allow-private", host])).exitCode).toBe(3);
  });

  it.each([404, 400])("ends with 2 when the server answers with %i", async (status) => {
    const host = await serve("", {}, status);
    const { exitCode, stderr } = await runInProcess(["digest", `http://${host}/`, "--allow-private", host]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Check the URL, or give another one.");
  });

  it("refuses an invalid permit", async () => {
    const { exitCode, stderr } = await runInProcess(["digest", "http://x.test/", "--allow-private", "all"]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^waybill: --allow-private holds "all". Write an address, a range/);
  });

  it.each([503, 429])("says how long to wait when the server does, with %i", async (status) => {
    const host = await serve("", { "retry-after": "7" }, status);
    const args = ["digest", `http://${host}/`, "--allow-private", host];
    const { exitCode, stderr } = await runInProcess(args);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/\nTry again in 7 seconds\.\n$/);
    const { stdout } = await runInProcess([...args, "--json"]);
    expect(JSON.parse(stdout).data.details).toMatchObject({ retry_after_seconds: 7, http_status: status });
  });

  it.each([
    ["http://10.0.0.1/", "an address that is not public"],
    ["http://example.com:22/", "a port that is not public"],
  ])("does not advise to permit what a site redirects to: %s", async (location, where) => {
    const host = await serve("", { location }, 302);
    const { exitCode, stderr } = await runInProcess(["digest", `http://${host}/`, "--allow-private", host]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("What the URL redirects to is not fetched");
    expect(stderr).toContain(`\nThe site redirected to ${where}. Give the URL of the document itself.\n`);
    expect(stderr).not.toContain("permit");
  });

  it.each([
    ["http://ada:secret@example.com/a@b", "http://***@example.com/a@b"],
    ["http://ada:secret@example.com:99999/", "http://***@example.com:99999/"],
    ["http://ada:se/secret@example.com/", "http://***@example.com/"],
    ["ftp://ada:secret@example.com/", "ftp://***@example.com/"],
    ["http:/ada:secret@example.com/", "http:/***@example.com/"],
  ])("repeats no password: %s", async (url, shown) => {
    const { exitCode, stderr } = await runInProcess(["digest", url]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(shown);
    const { stdout } = await runInProcess(["digest", url, "--json"]);
    expect(JSON.parse(stdout).data.details.source).toBe(shown);
    expect(stderr + stdout).not.toContain("secret");
  });

  it("refuses a limit that no fetch has", async () => {
    const { exitCode, stderr } = await runInProcess([
      "digest",
      "http://x.test/",
      "--max-bytes",
      "9999999999",
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--max-bytes is 9999999999. Write a whole number from 1 to ");
  });
});
