import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { withoutMark } from "../../scripts/generate/example-runs.ts";
import { startPageServer } from "../../scripts/generate/page-server.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { hasCurl } from "../services/curl.fixture.ts";

const page = readFileSync(new URL("../../docs/documents/003-drf-mcp-schemas.md", import.meta.url), "utf8");

/** The answer that the page prints for an example. */
function printed(file: string): unknown {
  const [, shown = ""] = page.split(`<!-- run ${file}:begin -->`);
  return JSON.parse(/<!-- document-answer -->\n```json\n([^]*?)```/.exec(shown)?.[1] ?? "null") as unknown;
}

describe.runIf(hasCurl())("the server on the page of document 003", () => {
  it("answers the page's curl lines with the messages that the page prints, schemas of a cursor included", async () => {
    const server = await startPageServer();
    onTestFinished(() => server.close());
    const lines = /^```sh\n([^]*?)^```/m.exec(page)?.[1] ?? "";
    const shell = spawn("sh", ["-eu", "-c", lines.replaceAll("http://127.0.0.1:3000/mcp", server.url ?? "")]);
    const said = await text(shell.stdout);
    const answers = said.trim().split("\n");
    const [hello, list, call] = answers.map((line) => withoutMark(JSON.parse(line) as JsonObject));
    expect(hello).toEqual(printed("003-L017-jsonrpc-success.json"));
    expect(hello?.["result"]).toEqual(printed("003-L107-initialize-result.json"));
    expect(list?.["result"]).toEqual(printed("003-L122-tools-list-result.json"));
    expect(call).toEqual(printed("003-L159-response-customers-list.json"));
    expect(answers).toHaveLength(3);
  });
});
