// The project of `waybill init --template worker`, on the runtime that its wrangler starts: with its own settings.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectFiles } from "../../src/cli/init/project-files.ts";
import {
  type Bundle,
  type RunningWorker,
  bundleWorker,
  findWorkerd,
  startWorker,
} from "./workerd.fixture.ts";

const cache = fileURLToPath(new URL("../../.cache", import.meta.url));
const files = projectFiles({ packageName: "tasks", serverName: "tasks" }, "worker");
const workerd = findWorkerd();
const token = "0123456789abcdef:xyz";

/** A value of `wrangler.jsonc`, which JSON.parse does not read for its comments. */
function settingOf(name: string): string {
  const [, value = ""] = new RegExp(`"${name}": \\[?"([^"]+)"`).exec(files.get("wrangler.jsonc") ?? "") ?? [];
  return value;
}

describe.skipIf(workerd === undefined)("the project of the template worker", () => {
  let folder = "";
  let bundle: Bundle;

  beforeAll(async () => {
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, "worker-project-"));
    // Without its package.json, so that the package's name leads to the one that was just built.
    for (const [path, text] of files) {
      if (!path.startsWith("src/")) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    bundle = await bundleWorker(
      `export { default } from ${JSON.stringify(join(folder, settingOf("main")))};`,
    );
  });

  afterAll(() => {
    bundle.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function started(variables: Readonly<Record<string, string>>): Promise<RunningWorker> {
    const date = settingOf("compatibility_date");
    return startWorker(workerd ?? "", bundle, [settingOf("compatibility_flags")], { date, variables });
  }

  async function call(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
    const params = { name: "task_get", arguments: { id: "task-1" } };
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    return [answer.status, await answer.text()];
  }

  it("takes the callers that the secret names", async () => {
    const worker = await started({ CALLERS: `ada:${token}` });
    try {
      expect(await call(worker.url)).toEqual([401, expect.stringContaining("needs a bearer token")]);
      const known = await call(worker.url, { authorization: `Bearer ${token}` });
      expect(known).toEqual([200, expect.stringContaining('"title":"Read the README"')]);
    } finally {
      await worker.stop();
    }
  });

  it("answers on this machine without callers, and its log has one line: what is missing there", async () => {
    const worker = await started({});
    try {
      expect(await call(worker.url)).toEqual([200, expect.stringContaining('"title":"Read the README"')]);
      expect(worker.logged().match(/"msg":"[^"]+"/g)).toEqual(['"msg":"runtime-limited"']);
    } finally {
      await worker.stop();
    }
  });
});
