import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}.cache/http-recipe/`;
const page = readFileSync(`${root}docs/server.md`, "utf8");

function blockOf(mark: string): string {
  return (
    new RegExp(`<!-- ${mark}:begin -->\\n\`\`\`ts\\n([^]*?)\`\`\`\\n<!-- ${mark}:end -->`).exec(page)?.[1] ??
    ""
  );
}

mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}http-server.mts`, blockOf("http-server"));
writeFileSync(`${folder}http-clients.mts`, blockOf("http-clients"));
writeFileSync(
  `${folder}tsconfig.json`,
  JSON.stringify({
    extends: "../../tsconfig.json",
    // The SDK's own types do not hold under it.
    compilerOptions: { exactOptionalPropertyTypes: false },
    files: ["http-server.mts", "http-clients.mts"],
    include: [],
  }),
);

const env = { ...process.env, TSX_TSCONFIG_PATH: `${folder}tsconfig.json`, NODE_OPTIONS: "", NO_COLOR: "1" };

/** The port that the server says it listens on. */
async function portOf(server: ChildProcess): Promise<number> {
  let said = "";
  server.stderr?.setEncoding("utf8");
  for await (const chunk of server.stderr ?? []) {
    said += String(chunk);
    const port = /listens on http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(said)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`The server ended: ${said}`);
}

describe("the recipe for HTTP of docs/server.md", () => {
  it.runIf(isFullRun)(
    "runs as it is written: the server listens, its two clients get what the page shows",
    async () => {
      const server = spawn(process.execPath, ["--import", "tsx", `${folder}http-server.mts`], {
        cwd: root,
        env: { ...env, PORT: "0" },
        stdio: ["ignore", "inherit", "pipe"],
      });
      try {
        const url = `http://127.0.0.1:${await portOf(server)}/mcp`;
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ["--import", "tsx", `${folder}http-clients.mts`, url],
          { cwd: root, env },
        );
        expect(stdout).toBe(/<!-- http-output -->\n```\n([^]*?)```/.exec(page)?.[1]);
        const stranger = await fetch(url, {
          method: "POST",
          headers: { Authorization: "Bearer token-of-eve" },
        });
        expect(stranger.status).toBe(401);
      } finally {
        server.kill();
        await once(server, "exit");
      }
    },
  );

  it.runIf(isFullRun)("compiles", () => {
    const tsc = `${root}node_modules/typescript/bin/tsc`;
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", `${folder}tsconfig.json`], {
      encoding: "utf8",
    });
    // Our own sources are written for the stricter rule that the SDK's types do not hold under.
    expect(stdout.split("\n").filter((line) => /http-(?:server|clients)\.mts/.test(line))).toEqual([]);
  });
});
