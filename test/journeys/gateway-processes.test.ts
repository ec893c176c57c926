import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import { greeting, send } from "../../src/doors/gateway/bridge/raw-http.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

/** A server that greets, takes its time to end, and writes down when it starts and when it is gone. */
const slowToEnd = `
const { appendFileSync } = require("node:fs");
const say = (what) => appendFileSync(process.env.TRACE, what + "\\n");
say("start");
process.on("SIGTERM", () => undefined);
process.on("exit", () => say("end"));
process.stdin.on("end", () => setTimeout(() => process.exit(0), 250));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  const serverInfo = { name: "slow", version: "1" };
  const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
`;

/** The most processes that were there at once. */
function mostAtOnce(trace: string): number {
  let [now, most] = [0, 0];
  for (const line of trace.trim().split("\n")) {
    now += line === "start" ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}

describe.runIf(isFullRun)("processes of a command over HTTP", () => {
  it("never are more than the limit, although old ones take their time to end", async () => {
    const folder = mkdtempSync(join(tmpdir(), "waybill-processes-"));
    const trace = join(folder, "trace");
    const gateway = createGateway({
      upstreams: {
        slow: {
          command: process.execPath,
          args: ["-e", slowToEnd],
          env: { TRACE: trace },
          maxProcesses: 2,
          probe: "off",
        },
      },
      http: { port: 0 },
      store: "memory",
      logLevel: "silent",
    });
    onTestFinished(async () => {
      await gateway.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const { urls } = await gateway.listen();
    const url = new URL(urls["slow"] ?? "");
    for (let round = 0; round < 3; round += 1) {
      const greeted = await Promise.all([1, 2].map(() => send(url, { body: JSON.stringify(greeting) })));
      expect(greeted.map(({ status }) => status)).toEqual([200, 200]);
    }
    expect(readFileSync(trace, "utf8").match(/start/g)).toHaveLength(6);
    expect(mostAtOnce(readFileSync(trace, "utf8"))).toBe(2);
  });
});
