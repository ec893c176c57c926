import { describe, expect, it, onTestFinished, vi } from "vitest";
import { frontLine, frontedServer } from "../../engine/transport/http/behind-front.ts";
import { startChild } from "../../engine/transport/child-process.ts";
import { tempFiles } from "../temp-files.fixture.ts";
import { type Keeper, keepHttp } from "./keep-http.ts";
import { describeExit } from "./gone-process.ts";

/** A server in plain JavaScript that starts in no time, and announces itself as `serve` does behind a front. */
const source = `
import { createServer } from "node:http";
for (const path of process.argv.slice(2)) {
  const server = createServer((request, response) => {
    if (request.method === "POST") process.exit(1);
    response.end(path + " of " + process.pid);
  });
  server.listen(0, "127.0.0.1", () => {
    const said = { title: path + " 1.0.0", behind: server.address().port, host: "127.0.0.1", port: 0, path };
    process.stderr.write("waybill behind a front: " + JSON.stringify(said) + "\\n");
  });
}
console.error("a line of its own");
`;

describe("a line by which a server tells its front where it is", () => {
  it("is read back, and no other line is", () => {
    const server = { title: "tasks 1.0.0", behind: 41_234, host: "127.0.0.1", port: 3_000, path: "/mcp" };
    expect(frontedServer(frontLine(server).trimEnd())).toEqual(server);
    for (const line of [
      "",
      "tasks 1.0.0 listens",
      frontLine({ ...server, host: 1 as never }),
      frontLine([] as never),
    ])
      expect(frontedServer(line)).toBeUndefined();
  });
});

/** Keeps a server at these paths. */
function keep(...paths: readonly string[]) {
  const folder = tempFiles({ "server.mjs": source });
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const keeper: Keeper = keepHttp({
    start: (stderr) =>
      startChild({
        command: process.execPath,
        args: [`${folder}/server.mjs`, ...paths],
        environment: process.env,
        stdout: say,
        stderr,
        describeExit,
      }),
    say,
    note: say,
  });
  onTestFinished(() => keeper.close());
  const addressOf = (path: string): Promise<string> =>
    vi.waitFor(() => {
      const [, url] = new RegExp(`${path} 1.0.0 listens on (\\S+)`).exec(said.join("\n")) ?? [];
      if (url === undefined) throw new Error(said.join("\n"));
      return url;
    }, 20_000);
  return { keeper, said, addressOf };
}

describe("a module that serves at two addresses", () => {
  it("has a front for each, with the same address from process to process", async () => {
    const { keeper, said, addressOf } = keep("/a", "/b");
    const urls = await Promise.all([addressOf("/a"), addressOf("/b")]);
    const ask = (): Promise<string[]> => Promise.all(urls.map(async (url) => (await fetch(url)).text()));
    const before = await ask();
    expect(before).toEqual([expect.stringMatching(/^\/a of \d+$/), expect.stringMatching(/^\/b of \d+$/)]);
    keeper.restart();
    const after = await ask();
    expect(after).toEqual([expect.stringMatching(/^\/a of \d+$/), expect.stringMatching(/^\/b of \d+$/)]);
    expect(after).not.toEqual(before);
    expect(said.filter((line) => line.includes("listens on"))).toHaveLength(2);
    expect(said).toContain("a line of its own");
    expect(said.filter((line) => line === "the server is up again")).toHaveLength(1);
  });
});

describe("a server over HTTP that ends by itself", () => {
  it("is named to the client whose call it had, and is up again after the next edit", async () => {
    const { keeper, said, addressOf } = keep("/a");
    const url = await addressOf("/a");
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "end" } };
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(call) });
    expect(await answer.json()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32_603,
        message: "The server ended with exit code 1.",
        data: { error_code: "UNAVAILABLE", executed: "unknown" },
      },
    });
    expect(said).toContain("the server ended with exit code 1; it is started again when a file changes.");
    expect(said).not.toContain("the server is up again");
    keeper.restart();
    expect(await (await fetch(url)).text()).toMatch(/^\/a of \d+$/);
    expect(said.filter((line) => line === "the server is up again")).toHaveLength(1);
  });
});
